import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { commands } from "../../src/ids.ts";
import { emptyDraft } from "../../src/knowledgeBases/form/knowledgeBaseDraft.ts";
import { FillPage } from "../../src/knowledgeBases/host/fill/fillPage.ts";
import { KnowledgeBaseFormPage } from "../../src/knowledgeBases/host/form/knowledgeBaseFormPage.ts";
import { KnowledgeBaseWriters } from "../../src/knowledgeBases/host/knowledgeBaseWriters.ts";
import { findKnowledgeBase, listKnowledgeBases } from "../../src/mindsdb/knowledgeBases.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { listProjects } from "../../src/mindsdb/projects.ts";
import { Log } from "../../src/shared/host/log.ts";
import { engineFailure } from "../proxy/faults.ts";
import { useTestConnection } from "./useTestServer.ts";
import { actUntil, copied, eventually, until, useSampleServer, workbench } from "./workbench.ts";

describe("Knowledge base pages", () => {
  const guide = { connectionId: "sample", project: "mindsdb", name: "rental_guide" };
  const draft = { question: "dogs", limit: "3", relevance: "", filters: [] };

  useSampleServer();

  const open = async (connectionId = guide.connectionId) => {
    const panels = await (await workbench()).knowledgeBases.pages.load();
    await vscode.commands.executeCommand(commands.knowledgeBaseShow, { ...guide, connectionId });
    return until("the page", () =>
      panels.contents.find(({ item }) => item.connectionId === connectionId),
    );
  };

  it("keep their content for a page that is created again", async () => {
    const page = await open();
    assert.equal(await open(), page);
    const state = () => page.state.current;
    await eventually(() => {
      assert.deepEqual(state().count, { chunks: 14, documents: 14 });
      assert.equal(state().details?.embeddingModel, "sample · tf-idf");
      assert.deepEqual(state().switches, { hasHybrid: true, hasReranking: false });
    });

    await page.handlers.search(draft);
    const chunks = state().result?.chunks ?? [];
    assert.equal(chunks.length, 3);
    assert.equal(chunks[0]?.id, "pets");

    await page.handlers.copyChunk(0, false);
    await copied(chunks[0]?.content ?? "?");
  });

  describe("of a server that fails", () => {
    const server = useTestConnection("Failing");

    it("say that a knowledge base was deleted, and disable its search", async () => {
      const page = await open(server.id);
      await until("the fields", () => page.state.current.count);
      const headers = { "content-type": "application/json" };
      const detail = "Knowledge Base with name rental_guide does not exist";
      const body = JSON.stringify({ title: "Knowledge Base not found", detail });
      server.proxy.set({ on: /rental_guide$/, answer: { status: 404, headers, body } });
      // Another part of the extension gets the error.
      const client = await (await workbench()).connections.client(server.id);
      await assert.rejects(findKnowledgeBase(client, "mindsdb", "rental_guide"));
      await until("the update", () => page.isGone);
      const text = "rental_guide is no longer in mindsdb. It may have been deleted.";
      await until("the reason", () => page.state.current.notice?.text === text);
      await page.handlers.search(draft);
      assert.deepEqual(
        [page.state.current.isSearching, page.state.current.result],
        [false, undefined],
      );

      server.proxy.set();
      await actUntil(
        "the fields again",
        () => listKnowledgeBases(client, "mindsdb"),
        () => !page.isGone && !page.state.current.notice,
      );
    });

    it("are reloaded after the notice's button has done its work", async () => {
      const page = await open(server.id);
      const state = () => page.state.current;
      server.proxy.set({ unauthorized: true });
      void page.handlers.refresh();
      await until("the notice", () => state().notice);
      // Another kind of search error does not change the notice's button.
      server.proxy.set({ on: /sql/, answer: engineFailure });
      await page.handlers.search(draft);
      await until("the failure", () => state().searchFailure);
      server.proxy.set();
      // This server requires no login, so signing in is over at once.
      void page.handlers.runNoticeAction();
      await until("the fields", () => state().details && !state().notice);
    });
  });
});

describe("Forms for new knowledge bases", () => {
  const server = useTestConnection("Slow");

  it("choose a custom model once a slow server has said that it has no default", async () => {
    const { connections } = await workbench();
    const open = (): KnowledgeBaseFormPage => {
      const draft = emptyDraft("mindsdb");
      const form = { id: randomUUID(), connectionId: server.id, draft, initial: draft };
      const options = { servers: connections, log: new Log(), onSaved: () => undefined };
      return new KnowledgeBaseFormPage({ form, content: {} }, options);
    };
    const choiceOf = async (page: KnowledgeBaseFormPage): Promise<string> => {
      await until("what the server has", () => page.state.current.loaded);
      return page.form.draft.embedding.choice;
    };
    const untouched = open();
    assert.equal(await choiceOf(untouched), "own");
    assert.ok(!untouched.isDirty);
    const typed = open();
    await typed.handlers.change({ ...typed.form.draft, name: "guide" }, {});
    assert.equal(await choiceOf(typed), "default");
    for (const page of [untouched, typed]) page.onClosed();
  });
});

describe("Pages that add content", () => {
  useSampleServer();

  const homes = { kind: "table", project: "files", name: "home_rentals" } as const;
  const query = "SELECT location, neighborhood FROM files.home_rentals";
  const places = { kind: "select", query } as const;

  /** A page whose requests wait, each until it is let go. */
  const open = async () => {
    const { connections } = await workbench();
    const client = await connections.client("sample");
    const waiting: (() => void)[] = [];
    const servers = {
      list: () => connections.list(),
      find: (id: string) => connections.find(id),
      client: () => new Promise<Client>((resolve) => waiting.push(() => resolve(client))),
      allowWrite: () => Promise.resolve(false),
      secrets: (id: string) => connections.secrets(id),
      status: (id: string) => connections.status(id),
    };
    const page = new FillPage(
      { connectionId: "sample", project: "mindsdb", name: "rental_guide" },
      { source: homes },
      {
        servers,
        writers: new KnowledgeBaseWriters({ servers, draftsFolder: "unused" }),
        pickTable: () => Promise.resolve(undefined),
        log: new Log(),
      },
      () => undefined,
    );
    /** Lets the request go, and waits until the server has surely answered it. */
    const letGo = async (at: number): Promise<void> => {
      (await until(`request ${String(at)}`, () => waiting[at]))();
      for (let other = 0; other < 5; other++) await listProjects(client);
    };
    return { page, waiting, letGo, form: () => page.state.current.form };
  };

  it("show the source that was chosen last, whatever is read first", async () => {
    for (const order of [
      ["before", 1, 2, 3],
      ["after", 2, 3, 1],
    ] as const) {
      const { page, waiting, letGo, form } = await open();
      await letGo(0);
      await until("the request for its head", () => waiting[1]);
      page.setSource(places);
      for (const at of order.slice(1)) await letGo(Number(at));
      const { source, columns, mapping } = await until("the form", form);
      assert.equal(source, query, order[0]);
      const names = columns.map(({ name }) => name);
      assert.deepEqual(names, ["location", "neighborhood"], order[0]);
      assert.deepEqual(Object.keys(mapping), names, order[0]);
      page.onClosed();
    }
  });

  it("ask the server for nothing more once they are closed", async () => {
    const { page, waiting, letGo } = await open();
    await letGo(0);
    await until("the request for the head", () => waiting[1]);
    page.onClosed();
    await letGo(1);
    assert.equal(waiting.length, 2);
    await page.handlers.runNoticeAction();
    page.setSource(places);
    assert.equal(waiting.length, 2);
  });
});
