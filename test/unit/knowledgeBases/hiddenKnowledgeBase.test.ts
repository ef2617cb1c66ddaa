// A knowledge base whose name something else has too: statements about it reach that, as seen on 26.1.0.
import assert from "node:assert/strict";
import { checkIsVisible } from "../../../src/mindsdb/hiddenKnowledgeBase.ts";
import { readDocuments } from "../../../src/mindsdb/knowledgeBaseDocuments.ts";
import { searchKnowledgeBase } from "../../../src/mindsdb/searchKnowledgeBase.ts";
import { sendJson, useServer } from "../mindsdb/httpServer.ts";

describe("A knowledge base that something else hides", () => {
  const notes = { project: "mindsdb", name: "notes" };
  /** The list that has an item of its name. */
  let hiding: string | undefined;
  let answer: { column_names: string[]; data: unknown[][] };

  const used = useServer(({ path }, response) => {
    if (path === "/api/sql/query") sendJson(response, 200, { type: "table", ...answer });
    else if (path === `/api/projects/mindsdb/${hiding}/notes`) sendJson(response, 200, {});
    else sendJson(response, 404, { title: "Not found", detail: "It does not exist" });
  });

  for (const [list, says] of [
    ["agents", /^An agent in mindsdb is also named notes\./],
    ["models", /^A model in mindsdb is also named notes\./],
    ["views", /^A view in mindsdb is also named notes\./],
  ] as const) {
    it(`is told by the ${list}`, async () => {
      hiding = list;
      await assert.rejects(checkIsVisible(used.client, notes), { message: says });
    });
  }

  it("is not if nothing else has its name", async () => {
    hiding = undefined;
    await checkIsVisible(used.client, notes);
  });

  for (const [what, column_names, row] of [
    ["an agent's answer", ["answer", "content"], ["Hello!", "dogs"]],
    ["a row of a view", ["id", "city"], [1, "Rome"]],
    ["a prediction", ["content", "price", "price_explain"], ["dogs", 7, "{}"]],
  ] as const) {
    it(`never shows ${what} as a chunk`, async () => {
      answer = { column_names: [...column_names], data: [[...row]] };
      const says = /^The server sent something other than chunks\./;
      const search = { question: "dogs", limit: 10, filters: [] };
      await assert.rejects(searchKnowledgeBase(used.client, notes, search), { message: says });
      await assert.rejects(readDocuments(used.client, notes, ["1"], 10), { message: says });
    });
  }
});
