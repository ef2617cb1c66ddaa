// Chats with real servers: what suggested questions are made of.
import assert from "node:assert/strict";
import { readConnectedData } from "../../src/chat/host/connectedData.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { notes } from "./rentals.ts";
import { SEEDED } from "./seed.ts";

for (const version of versions) {
  describe(`MindsDB ${version}, in a chat`, () => {
    let connection: Connection;
    before(async () => (connection = await connect(fixture(version).server.url)));
    after(() => connection.close());

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
