import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commands } from "../../src/ids.ts";
import { findKnowledgeBase, listKnowledgeBases } from "../../src/mindsdb/knowledgeBases.ts";
import type { ToPage } from "../../src/knowledgeBases/messages.ts";
import { engineFailure } from "../proxy/faults.ts";
import { startFaultProxy } from "../proxy/faultProxy.ts";
import { startTestServer } from "../sampleServer/server.ts";
import { until, useSampleServer, workbench } from "./workbench.ts";

describe("Knowledge base pages", () => {
  const guide = { connectionId: "sample", project: "mindsdb", name: "rental_guide" };
  const draft = { question: "dogs", limit: "3", relevance: "", filters: [] };

  useSampleServer();

  const open = async () => {
    const panels = await (await workbench()).knowledgeBases.pages.load();
    await vscode.commands.executeCommand(commands.knowledgeBaseShow, guide);
    return until("the page", () => panels.contents.at(0));
  };

  it("keep their content for a page that is created again", async () => {
    const page = await open();
    assert.equal(await open(), page);
    const shown = <Type extends ToPage["type"]>(type: Type) =>
      page
        .snapshot()
        .find((message): message is Extract<ToPage, { type: Type }> => message.type === type);
    const count = await until("the count", () => shown("counted"));
    assert.deepEqual([count.chunks, count.documents], [14, 14]);
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

  it("say that a knowledge base was deleted, and disable its search", async () => {
    const { connections, knowledgeBases } = await workbench();
    const server = await startTestServer({ unguarded: true });
    const proxy = await startFaultProxy({ target: server.url });
    const { id } = await connections.save({ name: "Shrinking", address: proxy.url });
    try {
      const there = { ...guide, connectionId: id };
      await vscode.commands.executeCommand(commands.knowledgeBaseShow, there);
      const panels = await knowledgeBases.pages.load();
      const page = await until("the page", () =>
        panels.contents.find(({ item }) => item.connectionId === id),
      );
      const shown = (type: ToPage["type"]) => page.snapshot().find((one) => one.type === type);
      await until("the fields", () => shown("counted"));

      const headers = { "content-type": "application/json" };
      const detail = "Knowledge Base with name rental_guide does not exist";
      const body = JSON.stringify({ title: "Knowledge Base not found", detail });
      proxy.set({ on: /rental_guide$/, answer: { status: 404, headers, body } });
      // Another part of the extension gets the error.
      const client = await connections.client(id);
      await assert.rejects(findKnowledgeBase(client, "mindsdb", "rental_guide"));
      await until("the update", () => page.isGone);
      const failed = shown("failed");
      const text = failed?.type === "failed" ? failed.notice.text : "";
      assert.equal(text, "rental_guide is no longer in mindsdb. It was deleted.");
      page.receive({ type: "search", search: draft });
      assert.ok(!shown("searching"));

      proxy.set();
      await listKnowledgeBases(client, "mindsdb");
      await until("the fields again", () => !page.isGone && !shown("failed"));
    } finally {
      await connections.remove(id);
      await proxy.stop();
      await server.stop();
    }
  });

  it("are reloaded after the notice's button has done its work", async () => {
    const { connections, knowledgeBases } = await workbench();
    const server = await startTestServer({ unguarded: true });
    const proxy = await startFaultProxy({ target: server.url });
    const { id } = await connections.save({ name: "Signed out", address: proxy.url });
    try {
      proxy.set({ unauthorized: true });
      const signedOut = { ...guide, connectionId: id };
      await vscode.commands.executeCommand(commands.knowledgeBaseShow, signedOut);
      const panels = await knowledgeBases.pages.load();
      const page = await until("the page", () =>
        panels.contents.find(({ item }) => item.connectionId === id),
      );
      const shows = (type: ToPage["type"]) => page.snapshot().some((one) => one.type === type);
      await until("the notice", () => shows("failed"));
      // Another kind of search error does not change the notice's button.
      proxy.set({ on: /sql/, answer: engineFailure });
      page.receive({ type: "search", search: draft });
      await until("the reason", () => shows("notFound"));
      proxy.set();
      // This server requires no login, so signing in is over at once.
      page.receive({ type: "accept" });
      await until("the fields", () => shows("read") && !shows("failed"));
    } finally {
      await connections.remove(id);
      await proxy.stop();
      await server.stop();
    }
  });

  it("are disposed when they are closed", async () => {
    const panels = await (await workbench()).knowledgeBases.pages.load();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await until("no page", () => panels.contents.length === 0);
  });
});
