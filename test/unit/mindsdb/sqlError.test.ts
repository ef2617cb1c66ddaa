import assert from "node:assert/strict";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";
import { sqlStatementError } from "../../../src/mindsdb/sql/sqlError.ts";
import { assertLinear, millisecondsOf } from "../../linearTime.ts";

const unknownInput = "Syntax error, unknown input:";

/** A statement, the message of mindsdb-sql-parser 0.13.8, and the text before and at the error position. */
const parserMessages: [statement: string, message: string, before: string, at: string][] = [
  ["SELEC 1", `${unknownInput}\n>SELEC 1\n-^^^^^`, "", "SELEC"],
  [
    "\n\nSELECT 1\nFROM x WHRE a=1",
    `${unknownInput}\n>  SELECT 1\n> FROM x WHRE a=1\n--------------^`,
    "\n\nSELECT 1\nFROM x WHRE ",
    "a",
  ],
  [
    "SELECT 'it''s' , \"b\"\nFROM x\nWHERE a = 'long' AND\n b ==== 1\nLIMIT 3",
    `${unknownInput}\n> FROM x\n> WHERE a = 'long' AND\n>  b ==== 1\n------^\nExpected symbol: "[identifier]"`,
    "SELECT 'it''s' , \"b\"\nFROM x\nWHERE a = 'long' AND\n b =",
    "=",
  ],
  [
    "SELECT 1; SELECT 2",
    `${unknownInput}\n>SELECT 1; SELECT 2\n---------^\nOnly a single sql statement is expected. Got multiple instead`,
    "SELECT 1",
    ";",
  ],
  [
    "SELECT * FROM",
    'Syntax error, unexpected end of query:\n>SELECT * FROM\n--------------^\nExpected symbol: "[identifier]"',
    "SELECT * ",
    "FROM",
  ],
  [
    "-- hi\nSELECT /* x */ 1\n  FROM a b c d",
    `${unknownInput}\n>      SELECT         1\n>   FROM a b c d\n-------------^`,
    "-- hi\nSELECT /* x */ 1\n  FROM a b ",
    "c",
  ],
  [
    "SELECT '🙂' FROM x WHRE a",
    `${unknownInput}\n>SELECT '🙂' FROM x WHRE a\n------------------------^`,
    "SELECT '🙂' FROM x WHRE ",
    "a",
  ],
  [
    "SELECT\r\n1\r\nFROM x y z",
    `${unknownInput}\n>SELECT\n>  1\n>  FROM x y z\n------------^`,
    "SELECT\r\n1\r\nFROM x y ",
    "z",
  ],
  [
    "SELECT a FROM x WHERE b = 'l1\nl2\nl3' AND\n c c c",
    `${unknownInput}\n>SELECT a FROM x WHERE b = 'l1\nl2\nl3' AND\n>  c c c\n-----^`,
    "SELECT a FROM x WHERE b = 'l1\nl2\nl3' AND\n c ",
    "c",
  ],
  ["SELECT # 1", "Illegal character '#':\n>SELECT # 1\n--------^", "SELECT ", "#"],
  ["SELECT 'open", "Illegal character \"'\":\n>SELECT 'open\n--------^", "SELECT ", "'"],
  ["SELECT #\nFROM x", "Illegal character '#':\n--------^", "SELECT ", "#"],
  [
    "SELECT 1\nFROM #",
    "Illegal character '#':\n>SELECT 1\n>FROM #\n------^",
    "SELECT 1\nFROM ",
    "#",
  ],
];

function errorOf(statement: string, message: string, secrets = new Secrets()) {
  return sqlStatementError(statement, message, secrets);
}

describe("a statement that failed", () => {
  it("is marked at the server's carets", () => {
    for (const [statement, message, before, at] of parserMessages) {
      const { place } = errorOf(statement, message);
      const expected = { start: before.length, end: before.length + at.length };
      assert.deepEqual(place && { start: place.start, end: place.end }, expected, statement);
    }
  });

  it("keeps the message's lines, and does not repeat the statement", () => {
    for (const [statement, message] of parserMessages) {
      const answer = `The SQL statement cannot be parsed - ${statement}: ${message}`;
      const error = errorOf(statement, answer);
      assert.equal(error.message, message);
      assert.equal(error.detail, answer);
      assert.equal(error.kind, "sql");
    }
  });

  it("is marked at the word that a data source marks", () => {
    const message =
      '[file/files]: An error occurred.\n\nError:\n    Binder Error: Referenced column "nope" not found\n\n' +
      "    LINE 1: SELECT nope \n                   ^\n\nFailed Query:\n    SELECT nope";
    const { place, message: shown } = errorOf("SELECT\n  `Nope` FROM files.homes", message);
    assert.deepEqual(place && { start: place.start, end: place.end }, { start: 9, end: 15 });
    assert.equal(shown, message);
    assert.equal(errorOf("SELECT nope FROM nope", message).place, undefined);
  });

  it("is marked at the name in quotes that a data source marks", () => {
    const said = (line: string, at: number) =>
      `Error:\n    column "x" does not exist\n    ${line}\n    ${" ".repeat(at)}^\n\nFailed Query:\n    x`;
    const line = 'LINE 1: UPDATE visits SET "Lead Dys" = 1, "nope" = 2';
    for (const [name, written] of [
      ['"Lead Dys"', "`Lead Dys`"],
      ['"nope"', "nope"],
    ] as const) {
      const statement = "UPDATE shop.visits\nSET `Lead Dys` = 1, nope = 2";
      const { place } = errorOf(statement, said(line, line.indexOf(name)));
      assert.equal(place && statement.slice(place.start, place.end), written);
    }
  });

  it("is what a data source says, without the report around it", () => {
    const title =
      "An error occurred while executing a derived query on the external database during processing of your original SQL query.";
    const report = (error: string): string =>
      `[duckdb/sales]: ${title}\n\nDatabase Details:\n- Name: sales\n- Type: duckdb\n\n` +
      `Error:\n${error.replace(/^/gm, "    ")}\n\nFailed Query:\n    SELECT nope`;
    const said =
      'Binder Error: Referenced column "nope" not found\n\nLINE 1: SELECT nope\n               ^';
    const error = errorOf("SELECT nope FROM sales.homes", report(said));
    assert.equal(error.message, `[duckdb/sales]: ${said}`);
    assert.equal(error.detail, report(said));
    assert.deepEqual(error.place, { start: 7, end: 11 });
    for (const other of [report(said).split("Failed")[0]!, `Error:\n${title}`]) {
      assert.equal(errorOf("SELECT nope", other).message, other);
    }
  });

  it("shows no cursor that the server has declared itself", () => {
    const title =
      "An error occurred while executing a derived query on the external database during processing of your original SQL query.";
    const report = (line: string): string =>
      `[postgres/shop]: ${title}\n\nDatabase Details:\n- Name: shop\n- Type: postgres\n\n` +
      `Error:\n    column "nosuch" does not exist\n    ${line}\n    ` +
      `${" ".repeat(line.indexOf("nosuch"))}^\n    HINT:  Perhaps.\n\nFailed Query:\n    SELECT nosuch`;
    for (const line of [
      'LINE 1: DECLARE "mindsdb_140488388373200" CURSOR FOR SELECT nosuch ',
      'LINE 1: ...LARE "mindsdb_140488388373200" CURSOR FOR SELECT id, nosuch ',
      'LINE 1: ..."mindsdb_140488388373200" CURSOR FOR SELECT id, city, nosuch ',
      "LINE 1: ...URSOR FOR SELECT id, city, street, number, country, nosuch ",
    ]) {
      const { message, place } = errorOf("SELECT nosuch FROM shop.t", report(line));
      assert.equal(
        message,
        '[postgres/shop]: column "nosuch" does not exist\nHINT:  Perhaps.',
        line,
      );
      assert.deepEqual([place?.start, place?.end], [7, 13]);
    }
    const own = "LINE 1: SELECT nosuch";
    assert.ok(errorOf("SELECT nosuch", report(own)).message.includes(own));
  });

  it("is not marked if the message matches no position or several", () => {
    assert.equal(errorOf("SELECT 1", "Table 'x' not found").place, undefined);
    assert.equal(errorOf("SELECT 1", `${unknownInput}\n>DROP 1\n-^^^^`).place, undefined);
    const lines = "SELECT 1 +\n2 +\n3 +\n";
    const repeated = `${unknownInput}\n> 2 +\n> 3 +\n> )\n--^`;
    assert.equal(errorOf(`${lines}) +\n2 +\n3 +\n)`, repeated).place, undefined);
    assert.deepEqual(errorOf(`${lines})`, repeated).place, { start: 19, end: 20 });
  });

  it("is compared with a long answer in linear time", () => {
    const make = (size: number) => ({
      statement: `SELECT 1${", a".repeat(size / 12)}`,
      message: `${unknownInput}\n>a\n>b\n>${" ".repeat(size)}X\n${"-".repeat(202)}${"^".repeat(size)}`,
    });
    const run = ({ statement, message }: ReturnType<typeof make>) => errorOf(statement, message);
    assertLinear({ name: "an error", make, run, size: 40_000, floorMs: 200 });
  });

  it("takes no longer for a message of ten times the length", () => {
    for (const part of ["token ", "a\n>", "error "]) {
      const timeOf = (length: number): number => {
        const message = part.repeat(length / part.length);
        return millisecondsOf(() => {
          errorOf("SELECT 1", message);
          errorOf("SELECT 1", `${unknownInput}\n>${message}\n---^^^\n`);
        });
      };
      const short = timeOf(1_000_000);
      const long = timeOf(10_000_000);
      // Reading all of it takes some ten seconds.
      assert.ok(long < 1_000 || long < 4 * short, `${part}: ${String(short)}, ${String(long)} ms`);
    }
    const statement = "SELECT 'key', password = 'a' FROM t\n".repeat(60_000);
    const repeated = `${unknownInput}\n>${statement.replaceAll("\n", "\n>").repeat(3)}\n---^^^\n`;
    // Reading all of it takes seconds.
    assert.ok(millisecondsOf(() => errorOf(statement, repeated)) < 1_000);
  });

  it("shows the part of a long line around the error", () => {
    const statement = `SELECT ${"a, ".repeat(1_000)} FRM 'x' y`;
    const at = statement.indexOf("'x'");
    const message = `${unknownInput}\n>${statement}\n${"-".repeat(at + 1)}^^^`;
    const error = errorOf(
      statement,
      `The SQL statement cannot be parsed - ${statement}: ${message}`,
    );
    const [, line = "", marks = ""] = error.message.split("\n");
    assert.ok(line.length < 200, line);
    assert.equal(line.slice(marks.indexOf("^"), marks.length), "'x'");
    assert.deepEqual(error.place, { start: at, end: at + 3 });
  });

  it("shows no password whose quotes or colon were forgotten, which is why the statement failed", () => {
    for (const wrong of [
      '"password" "canary-1"',
      '"password": canary-1',
      '"password": "canary-1',
    ]) {
      const statement = `CREATE DATABASE d WITH ENGINE = 'x', PARAMETERS = {${wrong}}`;
      const marked = `${unknownInput}\n>${statement}\n${"-".repeat(60)}^`;
      const answer = `The SQL statement cannot be parsed - ${statement}: ${marked}`;
      const { message, detail } = errorOf(statement, answer);
      assert.ok(!`${message} ${detail}`.includes("canary"), message);
    }
  });

  it("says how a view can be read where the server fails", () => {
    const statement = "SELECT id FROM v WHERE a IN (1, 2) AND b = 3";
    const { message } = errorOf(statement, "'NoneType' object is not iterable");
    assert.match(message, /^'NoneType' .*\n.*view, read it in a subquery: SELECT …/);
    const other = "SELECT id FROM v WHERE a IN (SELECT b FROM c.d) AND b = 3";
    const joined = errorOf(other, "'NoneType' object is not iterable").message;
    assert.match(
      joined,
      /join it with the subquery instead: JOIN \(SELECT DISTINCT …\) AS s ON …\.$/,
    );
    assert.equal(errorOf(statement, "'NoneType' object has no x").message.includes("\n"), false);
  });

  it("leaves out the list of functions, of which none fits", () => {
    const answer =
      "Error:\n    Binder Error: No function matches the given name and argument types 'upper(TIMESTAMP)'.\n" +
      "    \tCandidate functions:\n    \tupper(VARCHAR) -> VARCHAR\n    \tupper(X) -> X\n\n\n    LINE 1: SELECT upper(_a_d)";
    const { message, detail } = errorOf(
      "SELECT 1",
      `An error occurred while processing a query.\n\n${answer}\n\nFailed Query:\n    SELECT`,
    );
    assert.doesNotMatch(message, /Candidate|VARCHAR/);
    assert.match(message, /upper\(TIMESTAMP\)'\.\n[^]*LINE 1: SELECT upper\(_a_d\)$/);
    assert.match(detail ?? "", /upper\(VARCHAR\) -> VARCHAR/);
  });

  it("says what 26.1.0 can be sent instead, where its message does not tell it", () => {
    const report = (type: string, error: string, query: string) =>
      `An error occurred while executing a query in the database.\n\nDatabase Details:\n- Name: a\n- Type: ${type}\n\nError:\n    ${error}\n\nFailed Query:\n    ${query}`;
    for (const [answer, way] of [
      [
        report(
          "postgres",
          'missing FROM-clause entry for table "v"',
          "SELECT id FROM (SELECT * FROM t WHERE a > 1 AND v.id > 5) AS v",
        ),
        /without the view or its alias before them\.$/,
      ],
      [
        report(
          "DuckDB",
          'Parser Error: syntax error at or near "ON"',
          "SELECT * FROM table_a CROSS JOIN table_b\n    ON 0 = 0",
        ),
        /use JOIN … ON 1 = 1 in place of CROSS JOIN\.$/,
      ],
      [
        report("postgres", 'syntax error at or near "<"', "SELECT id FROM t WHERE id IN (3, <NA>)"),
        /after IN returned NULL/,
      ],
      [
        report(
          "postgres",
          'column "nan" does not exist',
          "SELECT id FROM t WHERE id IN (nan, 1.5)",
        ),
        /after IN returned NULL/,
      ],
      [
        report("DuckDB", "Parser Error", "SELECT 1 WHERE id IN (1.5, nan)"),
        /after IN returned NULL/,
      ],
      ["'Identifier' object has no attribute 'value'", /its VALUES can only be/],
      ["'BinaryOperation' object has no attribute 'value'", /its VALUES can only be/],
      [
        "Unsupported from_table <class 'mindsdb_sql_parser.ast.select.union.Union'>",
        /WITH t AS \(… UNION …\) SELECT … FROM t\.$/,
      ],
      [
        report(
          "postgres",
          'column "none" does not exist',
          "SELECT 1 WHERE id IN (69.0, None, 3.0)",
        ),
        /after IN returned NULL/,
      ],
      ["Embeddings column is required!", /An INSERT with the same id replaces/],
      ["Document ID must be provided before preprocessing", /An INSERT with the same id replaces/],
      [
        "[file/files]: [file/files]: (\"Expected bytes, got a 'int' object\", 'Conversion failed for column t with type object')",
        /destroys a file table/,
      ],
      ["[file/files]: File is too small to be a well-formed file", /destroys a file table/],
      ["'<>' is not a valid FilterOperator", /Use != for a knowledge base/],
      [
        report(
          "DuckDB",
          "Conversion Error: Unimplemented type for cast (TIMESTAMP WITH TIME ZONE -> TIMESTAMP_NS)",
          "SELECT * FROM table_a JOIN table_b",
        ),
        /CAST\(… AS timestamp\) for the one that has it\.$/,
      ],
      [
        report(
          "DuckDB",
          "Binder Error: Cannot compare values of type TIMESTAMP_NS and type TIMESTAMP WITH TIME ZONE - an explicit cast is required",
          "SELECT * FROM table_a JOIN table_b",
        ),
        /CAST\(… AS timestamp\) for the one that has it\.$/,
      ],
      [
        report(
          "DuckDB",
          "Binder Error: Cannot mix values of type INTERVAL and INTEGER_LITERAL in BETWEEN clause",
          "SELECT 1",
        ),
        /Use date_diff\('day', a, b\) for the difference of two dates\.$/,
      ],
      [
        report(
          "DuckDB",
          "Conversion Error: Unimplemented type for cast (INTERVAL -> TIMESTAMP)",
          "SELECT EXTRACT('epoch' FROM (_b_at - _a_at) :: timestamp)",
        ),
        /Use date_diff\('second', a, b\) for the difference of two dates\.$/,
      ],
      [
        report(
          "DuckDB",
          "Binder Error: No function matches the given name and argument types '~~(INTEGER, STRING_LITERAL)'.",
          "SELECT 1",
        ),
        /Use CAST\(… AS text\) or CAST\(… AS timestamp\)\.$/,
      ],
      [
        report("DuckDB", "Unknown function: 'to_char'. This function is not recognized", "SELECT"),
        /Use strftime\(date, '%Y-%m-%d'\) instead\.$/,
      ],
    ] as const) {
      assert.match(errorOf("SELECT 1", answer).message, way);
    }
    const negated = "SELECT id FROM k WHERE NOT city = 'x'";
    for (const answer of ["list index out of range", "Unknown node 'not city = 'x''"]) {
      assert.match(errorOf(negated, answer).message, /use != or NOT IN \(…\)/);
      assert.equal(errorOf("SELECT 1", answer).message, answer);
    }
    const ifnull = report("DuckDB", "Unknown function: 'IFNULL'. This is not recognized", "SELECT");
    assert.match(
      errorOf("SELECT ifnull(a, 0)", ifnull).message,
      /Use coalesce\(value, other\) instead\.$/,
    );
    const year = report("postgres", "function year(date) does not exist\nHINT:  No", "SELECT 1");
    assert.match(
      errorOf("SELECT year(a)", year).message,
      /Use extract\(year FROM date\) instead\.$/,
    );
    const own = report("postgres", "function own(date) does not exist", "SELECT 1");
    assert.match(errorOf("SELECT own(a)", own).message, /does not exist$/);
    const pow = report("postgres", 'syntax error at or near ":"', "SELECT pow(id, 2)");
    assert.match(
      errorOf("SELECT pow(id, 2)", pow).message,
      /Use power\(number, exponent\) instead/,
    );
    assert.doesNotMatch(errorOf("SELECT a : b", pow).message, /power/);
    const bucket = report("DuckDB", "Unknown function: 'width_bucket'. It is not.", "SELECT");
    assert.doesNotMatch(errorOf("SELECT 1", bucket).message, /instead/);
    const assertion = "[postgres/beta]: AssertionError";
    const looksUp = "SELECT 1 FROM a.t WHERE id IN (SELECT id FROM b.u)";
    assert.match(errorOf(looksUp, assertion).message, /may have returned no rows/);
    assert.equal(errorOf("SELECT 1", assertion).message, assertion);
    const missing = report("DuckDB", 'Binder Error: Referenced column "id" not found', "SELECT 1");
    const exists = "SELECT 1 FROM a.t WHERE exists (SELECT 1 FROM files.u WHERE u.id = t.id)";
    assert.match(errorOf(exists, missing).message, /Use IN \(SELECT …\) or a join\.$/);
    assert.doesNotMatch(errorOf("SELECT 1", missing).message, /EXISTS/);
    const outer = report("postgres", 'missing FROM-clause entry for table "m"', "SELECT 1");
    const value = "SELECT m.id, (SELECT max(l.a) FROM b.l WHERE l.id = m.id) AS x FROM a.m";
    assert.match(errorOf(value, outer).message, /Use IN \(SELECT …\) or a join\.$/);
    const having = "SELECT a FROM s.t GROUP BY a HAVING count(*) > (SELECT max(b) FROM p.u)";
    const relation = report("postgres", 'relation "p.u" does not exist', "SELECT 1");
    assert.match(errorOf(having, relation).message, /Use a join, or IN \(SELECT …\) in WHERE\.$/);
    assert.doesNotMatch(errorOf("SELECT a FROM s.`p.u`", relation).message, /Use a join/);
    const columns = "SELECT (SELECT count(*) FROM s.t) AS a, (SELECT count(*) FROM p.u) AS b";
    const notFound = "Table not found for column: ('s', 't')";
    assert.match(errorOf(columns, notFound).message, /AS a JOIN \(SELECT …\) AS b ON 1 = 1\.$/);
    const each = "SELECT DISTINCT ON (m.a) m.a FROM s.t AS m JOIN p.u ON u.a = m.a";
    const unknown = report("DuckDB", 'Binder Error: Referenced table "m" not found!', "SELECT 1");
    assert.match(errorOf(each, unknown).message, /In DISTINCT ON, use the name that AS gives/);
    const union = "SELECT a FROM s.t WHERE a IN (SELECT b FROM p.u UNION SELECT c FROM p.v)";
    const near = report("postgres", 'syntax error at or near "UNION"', "SELECT 1");
    assert.match(errorOf(union, near).message, /Use IN \(…\) OR IN \(…\)\.$/);
    const later = "SELECT id FROM v AS m WHERE m.a > (SELECT max(a) FROM b.l)";
    assert.match(errorOf(later, outer).message, /without the view or its alias before them\.$/);
    const absent = report("DuckDB", "Catalog Error: Table with name l does not exist!", "SELECT 1");
    assert.match(errorOf(value, absent).message, /condition on another subquery\. Use a join\.$/);
    assert.doesNotMatch(errorOf("SELECT 1 FROM l", absent).message, /Use a join/);
    const joined = "SELECT 1 FROM s.t JOIN guide AS g ON g.a = t.a";
    const none = report(
      "DuckDB",
      'Referenced column "None" not found',
      "SELECT 1 WHERE a IN (1, None)",
    );
    assert.match(errorOf(joined, none).message, /A column of the join has NULL\./);
    assert.match(
      errorOf(`${joined} WHERE b IN (SELECT 1)`, none).message,
      /after IN returned NULL/,
    );
    const numbers = report(
      "pgvector",
      "Conversion Error: Failed to cast value to numerical: {}",
      "SELECT 1",
    );
    assert.match(errorOf("SELECT 1", numbers).message, /texts before those on numbers\.$/);
    for (const message of [
      "Not supported condition: lower(topic) = 'loans'",
      'Error in duckdb_faiss database: Parser Error: syntax error at or near "None"',
      `Error in duckdb_faiss database: Parser Error: syntax error at or near "'None'"`,
      'Error in duckdb_faiss database: Binder Error: Referenced column "distance" not found in FROM clause!',
    ]) {
      assert.match(errorOf("SELECT 1", message).message, /put the condition around it\.$/, message);
    }
    const windows = "SELECT round(sum(a) OVER (), 1) FROM t";
    const atOver = `${unknownInput}\n>${windows}\n${"-".repeat(windows.indexOf("OVER") + 1)}^^^^`;
    assert.match(errorOf(windows, atOver).message, /Do that around a subquery/);
    const added = "ALTER TABLE a.t ADD COLUMN b int";
    const atInt = `${unknownInput}\n>${added}\n${"-".repeat(added.indexOf("int") + 1)}^^^`;
    assert.match(errorOf(added, atInt).message, /can't change the columns of a table/);
    assert.doesNotMatch(errorOf("SELECT 1 FROM", atInt).message, /subquery|columns/);
    const except = errorOf("SELECT 1", "'Except' object has no attribute 'from_table'");
    assert.match(except.message, /Use WHERE … NOT IN \(SELECT …\) instead\.$/);
    const inOn = report(
      "DuckDB",
      'Binder Error: Referenced column "t_140316146310160" not found',
      "",
    );
    const onQuery = "SELECT 1 FROM a.t JOIN b.u ON t.a = (SELECT 1)";
    assert.match(errorOf(onQuery, inOn).message, /Use WHERE for this condition\.$/);
    const noValue = report(
      "postgres",
      'syntax error at or near ")"',
      "SELECT a FROM t WHERE a > ()",
    );
    assert.match(
      errorOf("SELECT a FROM b.t WHERE a > (SELECT 1)", noValue).message,
      /A subquery returned no row/,
    );
    assert.doesNotMatch(errorOf("SELECT a FROM b.t WHERE a >", noValue).message, /no row/);
    const byMeaning = report("DuckDB", 'Referenced column "embeddings" not found', "SELECT 1");
    assert.match(
      errorOf("DELETE FROM guide WHERE content = 'a'", byMeaning).message,
      /by their id or metadata/,
    );
    assert.doesNotMatch(errorOf("SELECT 1 FROM guide", byMeaning).message, /metadata/);
    const noTable = "Table not found for column: ('b', 'u')";
    const inHaving = "SELECT a FROM b.t GROUP BY a HAVING count(*) > (SELECT 1 FROM b.u)";
    assert.match(errorOf(inHaving, noTable).message, /A subquery in HAVING/);
    const twoValues = "SELECT (SELECT 1 FROM b.t) AS a, (SELECT 1 FROM b.u) AS c";
    assert.match(errorOf(twoValues, noTable).message, /A SELECT without FROM/);
    const token = `invalid input syntax for type json\nDETAIL:  Token "'" is invalid.`;
    assert.match(
      errorOf("INSERT INTO a.t SELECT b FROM c.u", report("postgres", token, "")).message,
      /Read it as a text: SELECT CAST\(a AS text\) AS a$/,
    );
    const short = errorOf("INSERT INTO a.b VALUES (1)", "Record length mismatch: 1 != 2");
    assert.match(short.message, /for each column: INSERT INTO t \(a, b\) VALUES \(1, 2\)$/);
    const json = report("DuckDB", "Invalid Input Error: Malformed JSON at byte 1", "SELECT 1");
    assert.match(errorOf("SELECT a ->> 'b' FROM t", json).message, /AS value FROM …\) AS s\.$/);
    const table = report("postgres", 'relation "t" already exists', "CREATE TABLE t (id int)");
    const created = errorOf("CREATE TABLE IF NOT EXISTS a.t (id int)", table);
    assert.match(created.message, /the table was there before\.$/);
    assert.doesNotMatch(errorOf("CREATE TABLE a.t (id int)", table).message, /there before/);
    for (const message of ["Model not found: a.t", "Unknown describe type: TABLE"]) {
      const described = errorOf("DESCRIBE TABLE a.t", message);
      assert.match(described.message, /SHOW COLUMNS FROM database\.table\.$/, message);
    }
    assert.doesNotMatch(errorOf("DROP MODEL a", "Model not found: a").message, /SHOW COLUMNS/);
    const view = errorOf("CREATE VIEW a.v AS (SELECT 1)", "Project not found: a: unknown");
    assert.match(view.message, /Create it in one, as mindsdb\.name\.$/);
    assert.doesNotMatch(errorOf("DROP JOB a.v", "Project not found: a").message, /views/);
    const other = report("postgres", 'syntax error at or near "ON"', "SELECT 1 ON 2");
    assert.doesNotMatch(errorOf("SELECT 1", other).message, /CROSS JOIN/);
  });

  it("shows no secret of the statement, and still marks positions after it", () => {
    const secrets = new Secrets();
    secrets.add("correct-horse-battery");
    const statement = "SELECT 'correct-horse-battery' FRM x y";
    const at = statement.indexOf(" y") + 1;
    const message = `${unknownInput}\n>${statement}\n${"-".repeat(at + 1)}^`;
    const error = errorOf(statement, message, secrets);
    assert.ok(!`${error.message}${error.detail}`.includes("correct-horse"), error.message);
    const [, line = "", marks = ""] = error.message.split("\n");
    assert.equal(line[marks.indexOf("^")], "y");
    assert.deepEqual(error.place, { start: at, end: at + 1 });
    const inSecret = errorOf(statement, `${unknownInput}\n>${statement}\n-----------^`, secrets);
    assert.ok(!inSecret.message.includes("correct-horse"));
  });
});
