// What MindsDB sends to data sources for statements classified as reads: texts and names stay in their quotes.
import assert from "node:assert/strict";
import { installMindsDB, VERSIONS } from "../../scripts/mindsdb/install.ts";
import { kindOfSql } from "../../src/mindsdb/sql/statementKind.ts";
import { readingStatements, smugglingStatements } from "../sqlStatements.ts";
import { tokenizeSql } from "../../src/mindsdb/sql/sqlTokens.ts";
import { ownStatements, plainName } from "./ownStatements.ts";
import { StatementMaker } from "./tableStatements.ts";
import { askOracle, renderStatements } from "./sqlOracle.ts";

/** What only payloads contain. */
const payload = /\bdrop\b|\bevil\s*\(|;|--/i;

describe("texts and names in 100,000 statements", () => {
  for (const version of VERSIONS) {
    it(`stay in their quotes for reads, on ${version}`, async function () {
      this.timeout(10 * 60_000);
      const maker = new StatementMaker(Number(process.env["SEED"] ?? 1), { hasPayloads: true });
      const made = Array.from({ length: 100_000 }, () => maker.make());
      const reads = [...readingStatements, ...made].filter((sql) => kindOfSql(sql) === "read");
      const sent = await renderStatements(await installMindsDB(version), reads);
      const escaped = sent.flatMap((written, at) =>
        (written ?? [])
          .filter(({ outside }) => payload.test(outside))
          .map((one) => ({ sql: reads[at], ...one })),
      );
      assert.deepEqual(escaped.slice(0, 3), [], `${escaped.length} left their quotes`);
      const accepted = sent.filter((written) => written !== null).length;
      const withPayload = reads.filter((sql, at) => sent[at] && payload.test(sql)).length;
      // Otherwise the statements prove little.
      assert.ok(accepted > 5_000 && withPayload > 1_000, `${accepted}, ${withPayload}`);
    });

    it(`leave them in statements that are no reads, on ${version}`, async () => {
      const sent = await renderStatements(await installMindsDB(version), smugglingStatements);
      for (const [at, sql] of smugglingStatements.entries()) {
        assert.equal(kindOfSql(sql), "write", sql);
        const isRefused = sent[at] === null;
        assert.equal(isRefused, false, sql);
      }
    });

    it(`stay one name or text in the product's own statements, on ${version}`, async function () {
      this.timeout(5 * 60_000);
      const python = await installMindsDB(version);
      const own = await ownStatements();
      const statements = own.map(({ sql }) => sql);
      const verdicts = await askOracle(python, statements);
      const sent = await renderStatements(python, statements);
      const ordinary = new Map<string, string>();
      for (const [at, { of, name, sql }] of own.entries()) {
        const { verdict, words } = verdicts[at]!;
        assert.equal(tokenizeSql(sql).statements.length, 1, sql);
        // MindsDB runs nothing of a refused one.
        if (verdict === "refused") {
          assert.ok(name !== plainName || sql.includes("<"), sql);
          continue;
        }
        if (name === plainName) ordinary.set(of, verdict);
        assert.equal(verdict, ordinary.get(of), sql);
        assert.ok(words.includes(name) || /statement$|times$/.test(of), `${of}: ${sql}`);
        if (!sql.startsWith("SELECT")) continue;
        for (const { text, outside } of sent[at] ?? []) assert.doesNotMatch(outside, payload, text);
      }
      assert.ok(ordinary.size > 35 && own.length > 1_500, `${ordinary.size}, ${own.length}`);
    });
  }
});
