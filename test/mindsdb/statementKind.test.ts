// What a statement does to a server, compared with what MindsDB's own parser makes of it.
import assert from "node:assert/strict";
import fc from "fast-check";
import { kindOfSql } from "../../src/mindsdb/sql/statementKind.ts";
import {
  brokenStatement,
  changingStatements,
  costlyStatements,
  readingStatements,
  sqlStatement,
} from "../sqlStatements.ts";
import { login } from "../../src/mindsdb/http/login.ts";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import { createTransport } from "../../src/mindsdb/http/transport.ts";
import { asksAgent } from "../../src/mindsdb/sql/asksAgent.ts";
import { clientOver } from "../clientOver.ts";
import { Admin } from "./admin.ts";
import { ACCOUNT, fixture, versions } from "./fixture.ts";
import { askOracle } from "./sqlOracle.ts";
import { SEEDED } from "./seed.ts";
import { installMindsDB } from "../../scripts/mindsdb/install.ts";

for (const version of versions) {
  describe(`MindsDB ${version}'s parser`, () => {
    let python: string;
    before(async () => {
      python = await installMindsDB(version);
    });

    const judge = async (statements: readonly string[]): Promise<string[]> =>
      (await askOracle(python, statements)).map(({ verdict }) => verdict);

    it("finds no change in statements classified as reads", async function () {
      this.timeout(300_000);
      const generated = fc.sample(fc.oneof(sqlStatement, brokenStatement), 1_000);
      const statements = [
        ...readingStatements,
        ...changingStatements,
        ...costlyStatements,
        ...generated,
      ];
      const verdicts = await judge(statements);
      const counts = { refused: 0, read: 0, change: 0 };
      for (const [at, sql] of statements.entries()) {
        const verdict = verdicts[at]!;
        counts[verdict === "refused" || verdict === "read" ? verdict : "change"]++;
        if (verdict === "refused" || verdict === "read") continue;
        if (verdict === "costs") {
          assert.notEqual(kindOfSql(sql), "read", JSON.stringify(sql));
          continue;
        }
        assert.equal(kindOfSql(sql), "write", `${verdict}: ${JSON.stringify(sql)}`);
      }
      // Otherwise the statements prove little.
      assert.ok(counts.read > 60 && counts.change > 120, JSON.stringify(counts));
    });

    it("also parses the listed reads", async () => {
      const verdicts = await judge(readingStatements);
      assert.deepEqual(new Set(await judge(costlyStatements)), new Set(["costs"]));
      for (const [at, sql] of readingStatements.entries()) assert.equal(verdicts[at], "read", sql);
    });

    it("asks no model for a statement that is classified as a read", async function () {
      this.timeout(300_000);
      const { server, llm } = fixture(version);
      const admin = await Admin.signIn(server);
      const transport = createTransport(parseAddress(server.url));
      const client = clientOver(transport, { credential: await login(transport, ACCOUNT) });
      const agent = `mindsdb.${SEEDED.notesAgent}`;
      const base = `mindsdb.${SEEDED.knowledgeBase}`;
      await admin.sql("CREATE TABLE files.asked (SELECT 'hello' AS question, 'hi' AS text)");
      let asking = 0;
      for (const sql of [
        `SELECT * FROM ${agent} WHERE question = 'hello'`,
        `SELECT * FROM ${agent} WHERE text = 'hello'`,
        `SELECT * FROM ${agent}`,
        `SELECT * FROM files.asked AS t JOIN ${agent} AS a`,
        `SELECT * FROM (SELECT text AS question FROM files.asked) AS t, ${agent} AS a`,
        `SELECT * FROM files.asked WHERE text = (SELECT answer FROM ${agent} WHERE question = 'x')`,
        `SELECT * FROM ${base}`,
        `SELECT * FROM ${base} WHERE relevance > 0.5`,
        `SELECT * FROM ${base} WHERE content LIKE 'hello'`,
        `SELECT * FROM ${base} WHERE chunk_content = 'hello'`,
        `SELECT * FROM files.asked AS t JOIN ${base} AS k`,
        "SHOW AGENTS",
        `DESCRIBE AGENT ${agent}`,
        `DESCRIBE KNOWLEDGE_BASE ${base}`,
      ]) {
        const countCalls = () => llm.conversations.length + llm.embeddingCalls;
        const before = countCalls();
        // Some of them are refused.
        await admin.sql(sql).catch(() => undefined);
        if (countCalls() === before) continue;
        asking++;
        const mayCost = kindOfSql(sql) === "costsMoney" || (await asksAgent(client, sql));
        assert.ok(mayCost, sql);
      }
      assert.ok(asking >= 5, String(asking));
      await admin.sql("DROP TABLE files.asked");
      await transport.close();
    });
  });
}
