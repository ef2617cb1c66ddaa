// Asking agents on real servers: the steps and answers that a user sees; only the language model is scripted.
import assert from "node:assert/strict";
import { findLimitedAnswerSql, maxAgentRows } from "../../src/chat/serverRowLimit.ts";
import type { AgentRun, TimedStep } from "../../src/chat/transcript.ts";
import type { PartKind } from "../../src/mindsdb/stream/stepEvents.ts";
import { runSql } from "../../src/mindsdb/sql/runSql.ts";
import { Admin } from "./admin.ts";
import { connect, Conversation, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { homes } from "./rentals.ts";
import { TEXT_ANSWER } from "./script.ts";
import { createAgent, SEEDED } from "./seed.ts";

const dearest = homes()
  .sort((a, b) => b.rental_price - a.rental_price)
  .slice(0, 5);

for (const version of versions) {
  describe(`MindsDB ${version}, asking an agent`, () => {
    let connection: Connection;
    before(async () => (connection = await connect(fixture(version).server.url)));
    after(() => connection.close());

    const ask = (question: string, agent?: string) =>
      new Conversation(connection, agent).ask(question);

    it("gets an answer in text", async () => {
      const run = await ask("[text] What can you do?");
      assertAnswered(run);
      assert.deepEqual(run.answer, { format: "markdown", text: TEXT_ANSWER });
    });

    it("sees the query and its result on the way to an answer", async () => {
      const run = await ask("[sql] Where are rents highest?");
      assertAnswered(run);
      const query = run.steps.find((step) => step.kind === "sql");
      assert.match(textOf(query, "sql"), /^SELECT location, AVG\(rental_price\)/);
      assert.match(textOf(query, "observation"), new RegExp(`great.*${averageRent("great")}`));
      assert.match(run.answer?.text ?? "", /\*\*great\*\*/);
    });

    it("gets a table as the answer", async () => {
      const run = await ask("[table] Which homes are dearest?", SEEDED.tableAgent);
      assertAnswered(run);
      // 25.x has its model write the table; in 26.x the result of the final query is the answer.
      assert.equal(run.answer?.format, version === "26.1.0" ? "table" : "markdown");
      const [header, , ...rows] = tableCells(run.answer.text);
      assert.deepEqual(header, ["sqft", "location", "rental_price"]);
      assert.deepEqual(
        rows.map((row) => Number(row[2])),
        dearest.map((home) => home.rental_price),
      );
    });

    it("knows where the server has limited a query, and gets all rows without the agent", async () => {
      const run = await ask("[all] Which homes are there?", SEEDED.tableAgent);
      assertAnswered(run);
      const sql = findLimitedAnswerSql(run);
      // 25.14.1 describes a result of more than 30 rows to its model, in words that are shown.
      if (version === "25.14.1") {
        assert.equal(sql, undefined);
        const query = run.steps.find((step) => step.kind === "sql");
        const result = textOf(query, "observation");
        assert.ok(result.includes(`Result has ${homes().length} rows.`));
        assert.match(result, /First 30 rows:/);
        return;
      }
      const [, , ...rows] = tableCells(run.answer?.text ?? "");
      assert.equal(rows.length, maxAgentRows);
      const all = await runSql(connection.client, sql ?? "");
      assert.equal(all.rows.length, homes().length);
    });

    it("gets an answer from a knowledge base", async () => {
      const run = await ask("[kb] Which have a washing machine?", SEEDED.notesAgent);
      assertAnswered(run);
      const search = run.steps.find((step) => step.kind === "sql");
      assert.match(textOf(search, "observation"), /Listing 11 in/);
      assert.equal(run.answer?.text, "These listings mention a washing machine: 1, 11, 21.");
    });

    it("sees a query fail and the agent correct itself", async () => {
      const run = await ask("[recover] Which homes are dearest?");
      assert.equal(run.state, "answered");
      const [wrong, right] = run.steps.filter((step) => step.kind === "sql");
      assert.equal(wrong?.state, "failed");
      assert.match(textOf(wrong, "error"), /"price_per_month" not found/);
      assert.equal(right?.state, "done");
      assert.match(run.answer?.text ?? "", new RegExp(String(dearest[0]?.rental_price)));
    });

    it("sends earlier turns with the next question", async () => {
      const conversation = new Conversation(connection);
      assertAnswered(await conversation.ask("[kb] Which have a washing machine?"));
      assertAnswered(await conversation.ask("[text] What can you do?"));
      const [planOrOnly] = fixture(version).llm.conversations.slice(-1);
      assert.match(planOrOnly ?? "", /These listings mention a washing machine: 1, 11, 21\./);
    });

    it("reports that an agent was just deleted", async () => {
      const { server, llm } = fixture(version);
      const admin = await Admin.signIn(server);
      await createAgent(admin, llm, "short_lived", { tables: [SEEDED.table] });
      const conversation = new Conversation(connection, "short_lived");
      assertAnswered(await conversation.ask("[text] What can you do?"));
      await admin.delete("/api/projects/mindsdb/agents/short_lived");
      const run = await conversation.ask("[text] Still there?");
      assert.equal(run.state, "failed");
      assert.match(run.reason ?? "", /Agent not found|short_lived/);
    });
  });
}

/** Asserts that the run was answered and every step is done and was understood. */
function assertAnswered(run: AgentRun): void {
  assert.equal(run.state, "answered", run.reason);
  const unusual = run.steps.filter((step) => step.state !== "done" || step.kind === "unknown");
  assert.deepEqual(unusual, []);
}

function textOf(step: TimedStep | undefined, kind: PartKind): string {
  const parts = step?.parts.filter((part) => part.kind === kind) ?? [];
  return parts.map((part) => part.text).join("\n");
}

function tableCells(markdown: string): string[][] {
  return markdown
    .split("\n")
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

function averageRent(location: string): number {
  const rents = homes().flatMap((home) => (home.location === location ? [home.rental_price] : []));
  return Math.floor(rents.reduce((sum, rent) => sum + rent) / rents.length);
}
