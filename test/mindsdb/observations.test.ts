// Chats with real servers: results as tables, and suggested questions.
import assert from "node:assert/strict";
import { readConnectedData } from "../../src/chat/host/connectedData.ts";
import { readObservation } from "../../src/chat/tables/observationTables.ts";
import type { TextTable } from "../../src/shared/textTable.ts";
import { connect, Conversation, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { notes } from "./rentals.ts";
import { SEEDED } from "./seed.ts";

for (const version of versions) {
  describe(`MindsDB ${version}, in a chat`, () => {
    let connection: Connection;
    before(async () => (connection = await connect(fixture(version).server.url)));
    after(() => connection.close());

    /** The tables among what a run of this question was given. */
    async function tables(question: string, agent?: string): Promise<TextTable[]> {
      const run = await new Conversation(connection, agent).ask(question);
      assert.equal(run.state, "answered");
      return run.steps
        .flatMap(({ parts }) => parts)
        .filter(({ kind }) => kind === "observation")
        .flatMap(({ text }) => readObservation(text) ?? []);
    }

    it("shows a query's result as a table", async () => {
      const [table, ...others] = await tables("[sql] Where are rents highest?");
      assert.deepEqual(others, []);
      assert.equal(table?.columns[0], "location");
      assert.deepEqual(table.rows.map(([location]) => location).sort(), ["good", "great", "poor"]);
      assert.equal(table.numeric[1], true);
    });

    it("shows chunks by relevance, with their metadata as columns", async () => {
      const found = await tables("[chunks] Which have a washing machine?", SEEDED.notesAgent);
      const table = found.at(-1);
      assert.deepEqual(table?.columns.slice(0, 2), ["relevance", "chunk_content"]);
      assert.ok(table.columns.includes("neighborhood"), table.columns.join());
      const relevances = table.rows.map(([relevance]) => Number(relevance));
      assert.ok(relevances.length > 1 && relevances.every((relevance) => relevance > 0));
      assert.deepEqual(
        relevances,
        [...relevances].sort((a, b) => b - a),
      );
    });

    it("reads an agent's data sources, with a few rows", async () => {
      const agent = { connectionId: "c", project: "mindsdb", name: SEEDED.agent };
      const { client } = connection;
      const data = await readConnectedData(client, agent, new AbortController().signal);
      const [table] = data.tables;
      assert.equal(`files.${table?.name ?? ""}`, SEEDED.table);
      assert.ok(table?.columns.includes("rental_price"));
      assert.equal(table?.rows.length, 20);
      const [base] = data.knowledgeBases;
      assert.equal(base?.name, SEEDED.knowledgeBase);
      const neighborhoods = new Set(notes().map(({ neighborhood }) => neighborhood));
      assert.ok(base.subjects.length > 0);
      assert.ok(base.subjects.every((subject) => neighborhoods.has(subject)));
    });
  });
}
