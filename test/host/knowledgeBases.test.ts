import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commands } from "../../src/ids.ts";
import { findKnowledgeBase, listKnowledgeBases } from "../../src/mindsdb/knowledgeBases.ts";
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
    const state = () => page.state.current;
    const count = await until("the count", () => state().count);
    assert.deepEqual(count, { chunks: 14, documents: 14 });
    assert.equal(state().details?.embeddingModel, "sample · tf-idf");

    await page.handlers.search(draft);
    const chunks = state().result?.chunks ?? [];
    assert.equal(chunks.length, 3);
    assert.equal(chunks[0]?.id, "pets");

    await page.handlers.copyChunk(0, false);
    await until("the copy", async () =>
      (await vscode.env.clipboard.readText()).includes(chunks[0]?.content ?? "?"),
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
      await until("the fields", () => page.state.current.count);

      const headers = { "content-type": "application/json" };
      const detail = "Knowledge Base with name rental_guide does not exist";
      const body = JSON.stringify({ title: "Knowledge Base not found", detail });
      proxy.set({ on: /rental_guide$/, answer: { status: 404, headers, body } });
      // Another part of the extension gets the error.
      const client = await connections.client(id);
      await assert.rejects(findKnowledgeBase(client, "mindsdb", "rental_guide"));
      await until("the update", () => page.isGone);
      const text = page.state.current.notice?.text;
      assert.equal(text, "rental_guide is no longer in mindsdb. It was deleted.");
      await page.handlers.search(draft);
      assert.deepEqual(
        [page.state.current.isSearching, page.state.current.result],
        [false, undefined],
      );

      proxy.set();
      await listKnowledgeBases(client, "mindsdb");
      await until("the fields again", () => !page.isGone && !page.state.current.notice);
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
      const state = () => page.state.current;
      await until("the notice", () => state().notice);
      // Another kind of search error does not change the notice's button.
      proxy.set({ on: /sql/, answer: engineFailure });
      await page.handlers.search(draft);
      assert.ok(state().searchFailure);
      proxy.set();
      // This server requires no login, so signing in is over at once.
      void page.handlers.runNoticeAction();
      await until("the fields", () => state().details && !state().notice);
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
