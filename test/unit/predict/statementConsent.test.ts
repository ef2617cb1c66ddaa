import assert from "node:assert/strict";
import fc from "fast-check";
import {
  allRowsOf,
  createStatementPrompt,
  deletedName,
} from "../../../src/predict/notebook/statementConsent.ts";
import { formatStatement } from "../../../src/shared/statementText.ts";
import { sqlStatement } from "../../sqlStatements.ts";

const none = new Set<string>();

describe("the consent to a notebook's statements", () => {
  it("is not needed for statements that only read, and needed once for others", () => {
    assert.equal(createStatementPrompt("SELECT 1", ["DROP TABLE t"], none), undefined);
    const prompt = createStatementPrompt("DROP TABLE t", ["SELECT 1", "DROP TABLE t"], none);
    assert.deepEqual(prompt, {
      kind: "write",
      statement: "DROP TABLE t",
      others: [],
      notIncluded: 0,
      texts: ["DROP TABLE t"],
    });
    assert.equal(createStatementPrompt("DROP TABLE t", [], new Set(prompt.texts)), undefined);
    assert.equal(
      createStatementPrompt("SELECT a FROM kb WHERE content = 'x'", [], none)?.kind,
      "costsMoney",
    );
  });

  it("is needed for a read that asks an agent", () => {
    const prompt = createStatementPrompt("SELECT 1", [], none, "none", { isPaid: true });
    assert.equal(prompt?.kind, "costsMoney");
    assert.equal(
      createStatementPrompt("DROP TABLE t", [], none, "none", { isPaid: true })?.kind,
      "write",
    );
  });

  it("names what a statement deletes", () => {
    const cases: [sql: string, name: string | undefined][] = [
      ["DROP PROJECT guarded", "guarded"],
      ["drop /* x */ table if exists `files`.`my t`;", "files.my t"],
      ["DROP MODEL p.m.1 -- gone", "p.m.1"],
      ["DELETE FROM p.kb WHERE id = 'a.b'", "p.kb"],
      ["DROP", undefined],
      ["DELETE", undefined],
      ["DELETE FROM", undefined],
      ["DELETE FROM (SELECT 1)", undefined],
      ["DROP TABLE t; DROP TABLE u", undefined],
      ["CREATE PROJECT x", undefined],
      ["SELECT 'DROP TABLE t'", undefined],
      ["DROP TABLE 'a", undefined],
      ["", undefined],
    ];
    for (const [sql, name] of cases) assert.equal(deletedName(sql), name, sql);
  });

  it("names the table of which a statement changes all rows", () => {
    const cases: [sql: string, name: string | undefined][] = [
      ["DELETE FROM p.t", "p.t"],
      ["update `my t` SET a = 'where'", "my t"],
      ["UPDATE p.t SET a = (SELECT max(b) FROM p.u WHERE b < 3);", "p.t"],
      ["UPDATE p.t SET a = s.a FROM (SELECT 1 AS a) AS s", "p.t"],
      ["UPDATE p.t ON id FROM (SELECT 1 AS id)", undefined],
      ["UPDATE p.t SET a = 1 WHERE b = 2", undefined],
      ["DELETE FROM p.t /* all */ WHERE b = 2", undefined],
      ["DROP TABLE p.t", undefined],
      ["DELETE FROM p.t; DELETE FROM p.u", undefined],
    ];
    for (const [sql, name] of cases) assert.equal(allRowsOf(sql), name, sql);
  });

  it("is for one change and one time where a protection is set", () => {
    const prompt = createStatementPrompt("DROP TABLE t", ["DROP TABLE u"], none, "confirm");
    assert.deepEqual(prompt?.others, []);
    assert.deepEqual(prompt.texts, []);
    const agreed = new Set(["DROP TABLE t"]);
    assert.ok(createStatementPrompt("DROP TABLE t", [], agreed, "confirm"));
    assert.ok(createStatementPrompt("DROP TABLE t", [], agreed, "readOnly"));
    assert.equal(createStatementPrompt("SELECT 1", [], none, "confirm"), undefined);
  });

  it("includes the other statements that the dialog lists, and none added later", () => {
    const long = `DELETE FROM t WHERE a = '${"x".repeat(300)}'`;
    const many = Array.from({ length: 12 }, (_, at) => `DROP TABLE t${at}`);
    const cells = [...many, long, "SELECT 1", "drop\n-- quietly\ntable u"];
    const prompt = createStatementPrompt("DROP TABLE t3", cells, none);
    assert.ok(prompt);
    assert.equal(prompt.others.length, 8);
    assert.equal(prompt.notIncluded, 5);
    assert.ok(!prompt.texts.includes(long));
    const agreed = new Set(prompt.texts);
    assert.equal(createStatementPrompt("DROP TABLE t0", cells, agreed), undefined);
    assert.ok(createStatementPrompt(long, cells, agreed));
    assert.ok(createStatementPrompt("DROP TABLE t0 ", cells, agreed));
    assert.ok(createStatementPrompt("DROP TABLE other", cells, agreed));
  });

  it("shows the statement without comments and line breaks, and in full but for string literals", () => {
    const padding = "\n".repeat(500);
    assert.equal(
      formatStatement(`/* ${"x".repeat(5_000)} */${padding}DROP${padding}TABLE t -- x`),
      "DROP TABLE t",
    );
    assert.match(
      formatStatement(`SELECT '${"x".repeat(5_000)}' FROM files (DROP TABLE t)`) ?? "",
      /^SELECT 'x+ … x+' FROM files \(DROP TABLE t\)$/,
    );
    // A data source may end these texts elsewhere than MindsDB does, and runs what follows INTERVAL and DO.
    const text = "x ".repeat(100);
    const order = `'${text}; DROP TABLE t; ${text}'`;
    for (const hidden of [
      `SELECT INTERVAL '${text}''; DROP TABLE t; SELECT ''${text}' FROM pg.a`,
      `SELECT INTERVAL '1 day; DROP TABLE t; ${text}' FROM pg.a`,
      `SELECT * FROM pg (SELECT '${text}\\'; DROP TABLE t; SELECT \\'${text}')`,
      `SELECT * FROM pg (SELECT '${text}\\\\''; DROP TABLE t; SELECT ''${text}')`,
      `SELECT * FROM pg (SELECT '${text}\`; DROP TABLE t; SELECT \`${text}')`,
      `SELECT * FROM pg (DO ${order})`,
      `SELECT * FROM pg (SELECT dblink_exec(1, ${order}))`,
      `SELECT * FROM pg.* (EXEC ((${order})))`,
      `SELECT * FROM \`pg\` (EXEC sp_executesql N${order})`,
      `SELECT * FROM pg (SET @a = ${order}; PREPARE b FROM @a)`,
      `CREATE JOB j AS (${order})`,
      `CREATE DATABASE d PARAMETERS = {'init_command': ${order}}`,
    ]) {
      assert.match(formatStatement(hidden) ?? "", /DROP TABLE t/);
    }
    const names = Array.from({ length: 300 }, (_, at) => `column_${at}`).join(", ");
    for (const filler of [names, `"${names}"`, `\`${names}\``, "(".repeat(2_000)]) {
      assert.equal(formatStatement(`SELECT ${filler}; DELETE FROM customers; SELECT 1`), undefined);
    }
    assert.equal(
      formatStatement("DROP TABLE `a\u202eb\u200b\0\u2066`"),
      "DROP TABLE `a\\u{202E}b\\u{200B}\\u{0}\\u{2066}`",
    );
    assert.match(formatStatement("DROP TABLE t /* open") ?? "", /open$/);
  });

  it("never includes a text that is not shown in full", () => {
    const others = fc.array(sqlStatement, { maxLength: 20 });
    fc.assert(
      fc.property(sqlStatement, others, (sql, cells) => {
        const prompt = createStatementPrompt(sql, cells, none);
        if (!prompt) return;
        assert.equal(prompt.texts.length, 1 + prompt.others.length);
        assert.ok(prompt.others.every((shown) => shown.length <= 160 && !shown.includes("\n")));
      }),
      { numRuns: 300 },
    );
  });
});
