import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commands } from "../../src/ids.ts";
import type { ToPage } from "../../src/knowledgeBases/messages.ts";
import { workbench, until } from "./workbench.ts";

describe("knowledge base pages", () => {
  const guide = { connectionId: "sample", project: "mindsdb", name: "rental_guide" };
  const draft = { question: "dogs", limit: "3", relevance: "", filters: [] };

  before(async () => {
    await (await workbench()).sampleServer.start();
  });
  after(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    const { sampleServer, connections } = await workbench();
    await sampleServer.stop();
    await connections.remove("sample");
  });

  const open = async () => {
    const panels = await (await workbench()).knowledgeBases.load();
    await vscode.commands.executeCommand(commands.knowledgeBaseShow, guide);
    return until("the page", () => panels.contents.at(0));
  };

  it("keep what they show for a page that is made anew", async () => {
    const page = await open();
    assert.equal(await open(), page);
    const shown = <Type extends ToPage["type"]>(type: Type) =>
      page
        .snapshot()
        .find((message): message is Extract<ToPage, { type: Type }> => message.type === type);
    const count = await until("the count", () => shown("counted"));
    assert.equal(count.count, 14);
    assert.equal(shown("read")?.details.embeddingModel, "sample · tf-idf");

    page.receive({ type: "search", search: draft });
    const found = await until("the chunks", () => shown("found"));
    assert.equal(found.chunks.length, 3);
    assert.equal(found.chunks[0]?.id, "pets");

    page.receive({ type: "copyChunk", index: 0 });
    await until("the copy", async () =>
      (await vscode.env.clipboard.readText()).includes(found.chunks[0]?.content ?? "?"),
    );
  });

  it("say why a search failed", async () => {
    const panels = await (await workbench()).knowledgeBases.load();
    const missing = { ...guide, name: "no_such_base" };
    await vscode.commands.executeCommand(commands.knowledgeBaseShow, missing);
    const page = await until("the page", () => panels.contents.at(1));
    page.receive({ type: "search", search: draft });
    await until("the reason", () =>
      page
        .snapshot()
        .some((message) => message.type === "notFound" && message.reason.includes(missing.name)),
    );
  });

  it("are forgotten when they are closed", async () => {
    const panels = await (await workbench()).knowledgeBases.load();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await until("no page", () => panels.contents.length === 0);
  });
});
