// Statements that are kept: without the secrets that only a reader of SQL sees.
import assert from "node:assert/strict";
import { redactStatement } from "../../../src/mindsdb/redact/redactStatement.ts";
import { mask } from "../../../src/mindsdb/redact/secretNames.ts";
import { assertLinear } from "../../linearTime.ts";

describe("A statement that is kept", () => {
  it("has masks for what is written to or compared with a secret's name", () => {
    for (const [sql, redacted] of [
      [
        "CREATE ML_ENGINE e FROM h USING api_key = /* mine */ 'canary'",
        "USING api_key = /* mine */ '?'",
      ],
      [
        "CREATE ML_ENGINE e FROM h USING api_key -- mine\n = 'canary'",
        "USING api_key -- mine\n = '?'",
      ],
      [
        `PARAMETERS={"password" : /* mine */ "canary", "user": "u"}`,
        `"password" : /* mine */ "?", "user": "u"`,
      ],
      ['PARAMETERS={"password": canary, "user": u}', '{"password": ?, "user": u}'],
      ['PARAMETERS={"password" "canary", "user": "u"}', '{"password" "?", "user": "u"}'],
      ["SELECT * FROM u WHERE password LIKE 'canary' AND a = 'b'", "LIKE '?' AND a = 'b'"],
      [
        "SELECT * FROM u WHERE `password` NOT IN ('canary', 'two') AND a IN ('b')",
        "('?', '?') AND a IN ('b')",
      ],
      ["SELECT * FROM u WHERE 'canary' = u.password", "WHERE '?' = u.password"],
      ['PARAMETERS={"password": null, "user": u}', '{"password": null, "user": u}'],
      ["SELECT 'canary' AS password, 'a' AS b", "SELECT '?' AS password, 'a' AS b"],
      ["SELECT * FROM s (ALTER LOGIN x WITH PASSWORD = N'canary')", "PASSWORD = N'?')"],
      ["SELECT * FROM s (CREATE ROLE x PASSWORD E'canary')", "PASSWORD E'?')"],
      ['SELECT * FROM s (CREATE ROLE x PASSWORD "canary")', 'PASSWORD "?")'],
      ['SELECT * FROM s (GRANT ALL ON d TO x IDENTIFIED BY "canary")', 'BY "?")'],
      ["SELECT * FROM s (ALTER USER x IDENTIFIED WITH p BY canary)", "BY ?)"],
      ["SELECT * FROM s (CREATE SECRET z (TYPE s3, SECRET 'canary'))", "SECRET '?'))"],
      [
        "SELECT dblink('host=h password=''canary'' dbname=x', 'SELECT 1')",
        "dblink('?', 'SELECT 1')",
      ],
      [
        "INSERT INTO s.users (name, `password`, age) VALUES ('a', 'canary', 1), (f('b', 'c'), 'can''ary', 2)",
        "('a', '?', 1), (f('b', 'c'), '?', 2)",
      ],
      [
        "INSERT INTO users (id, api_key) VALUES (1, md5('canary')); SELECT 'a'",
        "md5('?')); SELECT 'a'",
      ],
      [
        "INSERT INTO users (id, password, name) SELECT f('a', 'b'), 'canary', 'c' FROM t WHERE d = 'e'",
        "SELECT f('a', 'b'), '?', 'c' FROM t WHERE d = 'e'",
      ],
      ["INSERT INTO users (id, password) (SELECT 1, upper('canary'))", "(SELECT 1, upper('?'))"],
      ["CREATE ML_ENGINE e FROM h USING token = 'canary', a = 'b'", "token = '?', a = 'b'"],
      ["CREATE CHATBOT c USING a = 'b', secret 'canary'", "a = 'b', secret '?'"],
      ["SELECT * FROM s (CREATE ROLE x PASSWORD $$canary$$)", "PASSWORD $$?$$)"],
      ["SELECT * FROM s (CREATE ROLE x PASSWORD $a$can''ary; $$ two$a$)", "PASSWORD $a$?$a$)"],
      ["SELECT * FROM s (CREATE ROLE x ENCRYPTED PASSWORD $$can'ary $$)", "PASSWORD $$?$$)"],
      ["SELECT * FROM s (ALTER ROLE x PASSWORD $$canary", "PASSWORD $$?"],
      ["SELECT * FROM s (UPDATE u SET pwd = $$canary$$, a = $$b$$)", "pwd = $$?$$, a = $$b$$)"],
      ["UPDATE u SET pass = 'canary', a = 'b'", "pass = '?', a = 'b'"],
      [
        "UPDATE u SET token = 'canary', a = 'b' WHERE secret = 'c'",
        "token = '?', a = 'b' WHERE secret = 'c'",
      ],
      ["UPDATE u SET password = upper(concat('canary', 'two')), a = 'b'", "('?', '?')), a = 'b'"],
      ["SELECT * FROM u WHERE lower(password) = 'canary' AND a = 'b'", "= '?' AND a = 'b'"],
      ["SELECT * FROM u WHERE (password) = ('canary') AND a = 'b'", "= ('?') AND a = 'b'"],
      ["SELECT * FROM u WHERE password BETWEEN 'canary' AND 'z'", "BETWEEN '?' AND 'z'"],
      ["SELECT * FROM u WHERE 'canary' <> u.password", "WHERE '?' <> u.password"],
      ['PARAMETERS={"accesstoken": "canary", "pat": "two"}', '{"accesstoken": "?", "pat": "?"}'],
      ["UPDATE u SET db_pw = 'canary', user_pin = 'two'", "db_pw = '?', user_pin = '?'"],
      ["UPDATE u SET pin = 1234, password = 5678", "pin = ?, password = ?"],
      ["CREATE ML_ENGINE e FROM h USING key = 'canary12'", "USING key = '?'"],
      ['PARAMETERS = {"key": "canary12", "a_key": "canary34"}', '{"key": "?", "a_key": "?"}'],
      ["SELECT json_object('password', 'canary', 'a', 'b')", "('password', '?', 'a', 'b')"],
      ["SELECT json_object('a': 'b', 'pw' VALUE 'canary')", "('a': 'b', 'pw' VALUE '?')"],
      ["SELECT jsonb_build_object('a', f(1, 'b'), 'pass', lower('canary'))", "'pass', lower('?'))"],
      ["UPDATE t SET c = JSON_SET(c, '$.db.password', 'canary')", "'$.db.password', '?')"],
      ["SELECT set_config('app.password', 'canary', false)", "'app.password', '?', false)"],
      ["INSERT INTO s (k, v) VALUES ('smtp_password', 'canary')", "('smtp_password', '?')"],
      ["SELECT 'canary' password, 'a' AS b", "SELECT '?' password, 'a' AS b"],
      ["SELECT CAST('canary' AS text) AS password, 'a' AS b", "CAST('?' AS text) AS password, 'a'"],
      [
        "SELECT lower('a'), upper('canary') password, 'b' AS c",
        "lower('a'), upper('?') password, 'b'",
      ],
      [
        "SELECT CASE WHEN a = 1 THEN 'canary' END AS password, 'b' AS c",
        "THEN '?' END AS password, 'b'",
      ],
      ["SELECT * FROM u WHERE CAST(password AS char) = 'canary' AND a = 'b'", "= '?' AND a = 'b'"],
      ["SELECT * FROM u WHERE password::text = 'canary' AND a = 'b'", "= '?' AND a = 'b'"],
      ["SELECT * FROM u WHERE coalesce(password, '') = 'canary' AND a = 'b'", "= '?' AND a = 'b'"],
      ["SELECT * FROM u WHERE 'canary' LIKE password AND a = 'b'", "'?' LIKE password AND a = 'b'"],
      [
        "SELECT * FROM u WHERE password = ANY(ARRAY['canary', 'two']) AND a = 'b'",
        "['?', '?']) AND a",
      ],
      ["SELECT * FROM u WHERE password = 'canary' || 'two' AND a = 'b'", "'?' || '?' AND a = 'b'"],
      ["SELECT * FROM u WHERE password = _utf8'canary' AND a = 'b'", "_utf8'?' AND a = 'b'"],
      ["SELECT CASE password WHEN 'canary' THEN 'a' END", "WHEN '?' THEN 'a' END"],
      ["UPDATE u SET password = CASE WHEN 1 THEN 'canary' END, a = 'b'", "THEN '?' END, a = 'b'"],
      ["SELECT * FROM s (REPLACE INTO u (a, password) VALUES ('a', 'canary'))", "('a', '?')"],
      ["SELECT * FROM s (ALTER USER x IDENTIFIED BY 'canary' REPLACE 'two')", "BY '?' REPLACE '?'"],
      ['PARAMETERS = {"auth": "canary", "a": "b"}', '{"auth": "?", "a": "b"}'],
      ["SELECT * FROM u WHERE passwort = 'canary' AND a = 'b'", "passwort = '?' AND a = 'b'"],
    ] as const) {
      const shown = redactStatement(sql);
      assert.ok(shown.includes(redacted.replaceAll("?", mask)), shown);
      assert.ok(!/canary|two|can''ary/.test(shown), shown);
    }
  });

  it("stays as it is without secrets", () => {
    for (const sql of [
      "SELECT token, 'a' FROM t WHERE token = 'abc' AND b IN ('c')",
      "SELECT password, 'a' AS b FROM t WHERE c = 'd'",
      "SELECT * FROM t WHERE password = other AND a = 'b'",
      "SELECT * FROM t WHERE password IS NULL AND a = 'b'",
      "INSERT INTO t (a, b) VALUES ('a', 'b')",
      "INSERT INTO t (password, b) SELECT p, 'b' FROM u",
      "INSERT INTO t (a, password) SELECT 'a', p FROM u WHERE c IN ('d', 'e')",
      "SELECT * FROM t JOIN u USING (a) WHERE token = 'abc'",
      "SELECT * FROM t WHERE kind IN ('password', 'b') AND c NOT IN ('token', 'd')",
      "SELECT * FROM t WHERE key = 'US' AND a_key = 'some words' AND b_key = 12",
      "SELECT $$password$$, '$$', 'pass' AS a, 'b' AS c FROM t",
      "SELECT concat('a', 'password') AS a, 'b'",
      "SELECT 'it''s a = b' FROM t",
      "SELECT * FROM t WHERE x = 'password'",
      "SELECT password FROM t ORDER BY a; SELECT 'x'",
      "SELECT max(password), 'a' FROM t WHERE f(password) AND b = 'c'",
      "SELECT * FROM t WHERE password IN (SELECT p FROM u WHERE a = 'b') AND pattern = 'c'",
      "UPDATE t SET a = 'b' WHERE identified = 'c' ORDER BY d",
    ]) {
      assert.equal(redactStatement(sql), sql);
    }
  });

  it("is read in linear time", () => {
    for (const part of [
      "password ",
      "password=",
      "'a',",
      "password='a',",
      "identified by ",
      "((",
      "insert into t (password) values ",
      "insert into t (password) select 'a',",
      "password ) ",
      "password f(",
      "'password',",
      "f('password',",
      "password $a$ ",
      "password $$ $a$",
      "password $$x$$ ",
      "$ab$",
    ]) {
      assertLinear({
        name: part,
        make: (size) => part.repeat(size / part.length),
        run: redactStatement,
      });
    }
  });
});
