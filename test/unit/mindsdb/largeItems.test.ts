// Answers about one item that are as large as a list: searching them for secrets would block the extension host for seconds.
import assert from "node:assert/strict";
import { createAgent, getAgent, getAgentFields, listAgents } from "../../../src/mindsdb/agents.ts";
import { listDatabases, listTables } from "../../../src/mindsdb/dataSources.ts";
import { createDataSource, getDataSource } from "../../../src/mindsdb/dataSourceChanges.ts";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import { listHandlers } from "../../../src/mindsdb/handlers.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { findKnowledgeBase, getKnowledgeBase } from "../../../src/mindsdb/knowledgeBases.ts";
import { findVersion, listModels } from "../../../src/mindsdb/models.ts";
import { listProjects } from "../../../src/mindsdb/projects.ts";
import { readFirstRows } from "../../../src/mindsdb/tables.ts";
import { readTrainingOptions } from "../../../src/mindsdb/training.ts";
import { getView } from "../../../src/mindsdb/viewChanges.ts";
import { clientOf } from "./scriptedServer.ts";

const long = "token ".repeat(1_000_000);
const place = { project: "p", name: "x" };

describe("an answer of many megabytes", () => {
  const item = { name: "x", query: long, engine: long, note: long };
  const client = clientOf(
    {
      "/api/projects/p/agents": item,
      "/api/projects/p/agents/x": item,
      "/api/projects/p/knowledge_bases/x": item,
      "/api/projects/p/models/x": item,
      "/api/projects/p/views/x": item,
      "/api/databases/x": item,
      "/api/sql/query": { type: "table", column_names: ["name", "model"], data: [["x", long]] },
    },
    { findListingUse: () => Promise.resolve("plain") },
  );
  const ways: Record<string, () => Promise<unknown>> = {
    "an agent": () => getAgent(client, "p", "x"),
    "an agent's fields": () => getAgentFields(client, "p", "x"),
    "a new agent": () => createAgent(client, "p", { name: "x" }),
    "a knowledge base": () => getKnowledgeBase(client, "p", "x"),
    "a listed knowledge base": () => findKnowledgeBase(client, "p", "x"),
    "a model": () => findVersion(client, place),
    "a model's options": () => readTrainingOptions(client, place),
    "a view": () => getView(client, place),
    "a data source": () => getDataSource(client, "x"),
    "first rows of a listing": () => readFirstRows(client, ["information_schema", "agents"], 10),
  };
  for (const [what, read] of Object.entries(ways)) {
    it(`is refused for ${what}`, async () => {
      await assert.rejects(read(), (error) => isAppError(error, "tooLarge"));
    });
  }

  it("has no secrets in why a driver cannot be imported, and reads little of many reasons", async () => {
    const key = "sk-proj-Zq7Lw2Xc9Vb4Nm1Kj8Hg5Fd3";
    const row = (at: number, text: string) => ({
      name: `x${at}`,
      type: "data",
      connection_args: {},
      import: { success: false, error_message: text },
    });
    const many = Array.from({ length: 100 }, (_, at) => row(at + 1, "token ' ".repeat(2_500)));
    const other: Client = clientOf({
      "/api/handlers/": [row(0, `No module named 'x': OPENAI_API_KEY=${key}`), ...many],
    });
    const errors = (await listHandlers(other)).map(({ importError = "" }) => importError);
    assert.ok(errors.includes("No module named 'x': OPENAI_API_KEY=******"));
    assert.ok(errors.join("").length < 300_000);
  });

  it("has no names that are longer than any, which thousands of other names would repeat", async () => {
    const name = "n".repeat(5_000);
    const row = (one: string) => ({ name: one, type: "project", deletable: true });
    const children = [{ name: "t" }, { name }];
    const other: Client = clientOf({
      "/api/databases/": [row("p"), row(name)],
      "/api/tree/d?all_schemas=true": [
        { name: "s", class: "schema", children },
        { name, class: "schema", children },
        ...children,
      ],
      "/api/projects/p/models": [{ name: "m" }, { name }],
      "/api/projects/p/agents": [{ name: "a" }, { name }],
    });
    const lists = [listProjects(other), listDatabases(other), listTables(other, "d")];
    for (const list of [...lists, listModels(other, "p"), listAgents(other, "p")]) {
      const items = (await list) as object[];
      assert.ok(items.length > 0 && !JSON.stringify(items).includes("nnn"));
    }
  });

  it("is cut where it is only a reason", async () => {
    const imported = { success: false, error_message: long };
    const other: Client = clientOf({
      "/api/databases/": { status: "connection_error", detail: long.slice(0, 3_000_000) },
      "/api/handlers/": [{ name: "x", type: "data", connection_args: {}, import: imported }],
    });
    const check = await createDataSource(other, { name: "x", engine: "y", parameters: {} });
    const { reason = "" } = check as { reason?: string };
    const [handler] = await listHandlers(other);
    for (const text of [reason, handler?.importError ?? ""]) {
      assert.ok(text.length > 1_000 && text.length <= 20_000, String(text.length));
    }
  });
});
