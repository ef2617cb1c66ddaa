// A knowledge base whose name something else has too: statements about it reach that, as seen on 26.1.0.
import assert from "node:assert/strict";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { checkIsVisible } from "../../../src/mindsdb/hiddenKnowledgeBase.ts";
import { readDocuments } from "../../../src/mindsdb/knowledgeBaseDocuments.ts";
import { searchKnowledgeBase } from "../../../src/mindsdb/searchKnowledgeBase.ts";
import { clientOver } from "../../clientOver.ts";
import { listen, sendJson, type TestServer } from "../mindsdb/httpServer.ts";

describe("A knowledge base that something else hides", () => {
  const notes = { project: "mindsdb", name: "notes" };
  let server: TestServer;
  let transport: Transport;
  let client: Client;
  /** The list that has an item of its name. */
  let hiding: string | undefined;
  let answer: { column_names: string[]; data: unknown[][] };

  before(async () => {
    server = await listen(({ path }, response) => {
      if (path === "/api/sql/query") sendJson(response, 200, { type: "table", ...answer });
      else if (path === `/api/projects/mindsdb/${hiding}/notes`) sendJson(response, 200, {});
      else sendJson(response, 404, { title: "Not found", detail: "It does not exist" });
    });
    transport = createTransport(server.address);
    client = clientOver(transport);
  });
  after(async () => {
    await transport.close();
    await server.close();
  });

  for (const [list, says] of [
    ["agents", /^An agent in mindsdb is also named notes\./],
    ["models", /^A model in mindsdb is also named notes\./],
    ["views", /^A view in mindsdb is also named notes\./],
  ] as const) {
    it(`is told by the ${list}`, async () => {
      hiding = list;
      await assert.rejects(checkIsVisible(client, notes), { message: says });
    });
  }

  it("is not if nothing else has its name", async () => {
    hiding = undefined;
    await checkIsVisible(client, notes);
  });

  for (const [what, column_names, row] of [
    ["an agent's answer", ["answer", "content"], ["Hello!", "dogs"]],
    ["a row of a view", ["id", "city"], [1, "Rome"]],
    ["a prediction", ["content", "price", "price_explain"], ["dogs", 7, "{}"]],
  ] as const) {
    it(`never shows ${what} as a chunk`, async () => {
      answer = { column_names: [...column_names], data: [[...row]] };
      const says = /^Something other than chunks of the knowledge base came back\./;
      const search = { question: "dogs", limit: 10, filters: [] };
      await assert.rejects(searchKnowledgeBase(client, notes, search), { message: says });
      await assert.rejects(readDocuments(client, notes, ["1"], 10), { message: says });
    });
  }
});
