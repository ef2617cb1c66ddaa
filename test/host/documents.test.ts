// The page with the documents of a knowledge base and its host, on the sample server.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { DocumentsPage } from "../../src/knowledgeBases/host/documentsPage.ts";
import type { DocumentRow } from "../../src/knowledgeBases/documentsPage.ts";
import { KnowledgeBaseWriters } from "../../src/knowledgeBases/host/knowledgeBaseWriters.ts";
import { createAgent, deleteAgent } from "../../src/mindsdb/agents.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import {
  createKnowledgeBase,
  deleteKnowledgeBase,
} from "../../src/mindsdb/knowledgeBaseChanges.ts";
import { deleteDocuments, insertRows } from "../../src/mindsdb/knowledgeBaseContent.ts";
import { listDocuments } from "../../src/mindsdb/knowledgeBaseDocuments.ts";
import { clientOver } from "../clientOver.ts";
import { answering } from "./askingServers.ts";
import { useAskingServer } from "./useTestServer.ts";
import { closeAllEditors, eventually, tabs, until } from "./workbench.ts";

const item = { connectionId: "local", project: "mindsdb", name: "notes" };
const byId = { column: "id", descending: false } as const;

describe("The page with the documents of a knowledge base", () => {
  const server = useAskingServer();
  const { asked, servers } = server;
  let client: Client;
  let folder: string;
  let writers: KnowledgeBaseWriters;
  /** The pages that a test has opened. */
  const pages: DocumentsPage[] = [];

  before(() => {
    const { connectionId } = item;
    client = clientOver(server.transport, {
      observe: (change) => {
        for (const page of pages) page.handleServerChange({ ...change, connectionId });
      },
    });
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "documents-"));
    writers = new KnowledgeBaseWriters({ servers, draftsFolder: path.join(folder, "drafts") });
  });
  after(() => fs.rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    server.over = client;
    await createKnowledgeBase(client, item, { content_columns: ["title", "content"] });
    await insertRows(client, item, [
      { id: "it's.md", title: "Hints", content: "Read this.", topic: "help" },
      { id: "b2", content: "Second" },
      { id: "b10", content: "Tenth" },
    ]);
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) page.onClosed();
    await closeAllEditors();
    await deleteKnowledgeBase(client, item).catch(() => undefined);
  });

  type Saved = ConstructorParameters<typeof DocumentsPage>[1];
  const open = async (saved?: Saved, of = item) => {
    const page = new DocumentsPage(of, saved, { ...server.pageOptions, writers });
    pages.push(page);
    const shown = () => page.state.current;
    await until("the list or a notice", () => !shown().isLoading);
    const read = (view: number, from: number, count: number) =>
      page.handlers.readRows(view, from, count) as Promise<DocumentRow[] | undefined>;
    const rows = () => read(shown().list?.view ?? NaN, 0, 100);
    const ids = async () => (await rows())?.map(({ id }) => id);
    return { page, shown, read, rows, ids };
  };
  const openedText = () => until("the text", () => vscode.window.activeTextEditor?.document);
  const stored = async () => (await listDocuments(client, item)).map(({ id }) => id).sort();
  /** Has the server answer such statements of the page in another way. */
  const answer = (statement: RegExp, post: Client["post"]): void => {
    server.over = answering(client, statement, post);
  };

  it("lists all documents, filters and sorts them, and reads no rows of a list that is no longer shown", async () => {
    const { page, shown, read, rows, ids } = await open();
    const { view = NaN, ...numbers } = shown().list ?? {};
    assert.deepEqual(numbers, { documents: 3, chunks: 4, shown: 3 });
    assert.deepEqual(await rows(), [
      { id: "b2", content: "Second", metadata: "", chunks: 1 },
      { id: "b10", content: "Tenth", metadata: "", chunks: 1 },
      { id: "it's.md", content: "Hints", metadata: "topic: help", chunks: 2 },
    ]);
    assert.deepEqual((await read(view, 1, 1))?.[0]?.id, "b10");
    await page.handlers.setView("B", { column: "id", descending: true });
    assert.equal(shown().list?.shown, 2);
    assert.deepEqual(await ids(), ["b10", "b2"]);
    assert.equal(await read(view, 0, 3), undefined);
    await page.handlers.setView("", { column: "chunks", descending: true });
    assert.deepEqual(await ids(), ["it's.md", "b2", "b10"]);
  });

  describe("with a secret in a document", () => {
    const secret = "made-up-document-secret";

    beforeEach(async () => {
      client.secrets.add(secret);
      const content = `The password is ${secret}.`;
      const metadata = { token: "a word", login: secret };
      await insertRows(client, item, [{ id: "secret", content, ...metadata }]);
    });

    it("hides it in rows, and nothing else of them", async () => {
      const { page, rows } = await open();
      await page.handlers.setView("secret", byId);
      const [row] = (await rows()) ?? [];
      assert.match(row?.content ?? "", /^The password is \*+\.$/);
      assert.match(row?.metadata ?? "", /^token: a word, login: \*+$/);
    });

    it("hides it in the opened document, and in its text", async () => {
      const { page, shown } = await open();
      await page.handlers.open("secret");
      const { chunks, metadata } = shown().opened ?? {};
      assert.match(chunks?.[0]?.content ?? "", /^The password is \*+\.$/);
      assert.equal(metadata?.[0]?.join(), "token,a word");
      assert.match(metadata[1]?.join() ?? "", /^login,\*+$/);
      await page.handlers.openAsText();
      const text = (await openedText()).getText();
      assert.match(text, /^The password is \*+\.$/);
    });
  });

  it("asks before it deletes a document, and keeps it without consent", async () => {
    const { page, shown } = await open();
    server.answer = false;
    await page.handlers.delete("it's.md");
    assert.deepEqual(
      asked.map(({ deletes, button }) => [deletes, button]),
      [["it's.md", "Delete"]],
    );
    assert.equal(
      asked[0]?.what,
      "Delete the document it's.md from the knowledge base notes in mindsdb",
    );
    assert.equal((await stored()).length, 3);
    assert.equal(shown().problem, undefined);
  });

  it("deletes this document only, closes it, and shows the others", async () => {
    const { page, shown, ids } = await open();
    await page.handlers.open("it's.md");
    await page.handlers.delete("it's.md");
    assert.deepEqual(await stored(), ["b10", "b2"]);
    await eventually(() => assert.equal(shown().list?.documents, 2));
    assert.deepEqual(await ids(), ["b2", "b10"]);
    assert.equal(shown().opened, undefined);
    assert.equal(shown().problem, undefined);
  });

  it("says that the server did not delete a document, and tells no other page that it did", async () => {
    const { page, shown } = await open();
    answer(/DELETE FROM/, () => Promise.resolve({ type: "ok" }));
    const { view } = shown().list!;
    await page.handlers.delete("b2");
    assert.equal(shown().problem, "The server did not delete the document b2.");
    assert.equal(shown().list?.view, view);
    await page.handlers.refresh();
    assert.equal(shown().problem, undefined);
  });

  it("deletes nothing while something else changes the knowledge base", async () => {
    const { page, shown } = await open();
    await writers.run(item, () => Promise.resolve(page.handlers.delete("b2")));
    assert.match(shown().problem ?? "", /^notes is being changed in this window\./);
    assert.equal((await stored()).length, 3);
  });

  it("opens a document with its metadata and all its chunks", async () => {
    const { page, shown } = await open();
    const opening = page.handlers.open("it's.md");
    assert.equal(shown().opening, "it's.md");
    await opening;
    assert.equal(shown().opening, undefined);
    assert.deepEqual(shown().opened, {
      id: "it's.md",
      metadata: [["topic", "help"]],
      chunks: [
        { column: undefined, content: "Hints" },
        { column: undefined, content: "Read this." },
      ],
      total: 2,
      isCut: false,
    });
  });

  it("cuts off a long chunk, and opens the whole document as text", async () => {
    const content = `${"x".repeat(10_000)}yz`;
    await insertRows(client, item, [{ id: "long", content, about: content }]);
    const { page, shown } = await open();
    await page.handlers.open("long");
    const { chunks, metadata, isCut } = shown().opened ?? {};
    assert.equal(isCut, true);
    assert.ok(chunks![0]!.content.length <= 10_001);
    assert.ok(metadata![0]![1].length <= 10_001);
    await page.handlers.openAsText();
    const document = await openedText();
    assert.equal(document.getText(), content);
    assert.equal(document.languageId, "plaintext");
  });

  it("shows the first hundred chunks of a document, and how many there are", async () => {
    const columns = Array.from({ length: 101 }, (_, n) => `c${n}`);
    const name = "many";
    const many = { ...item, name };
    await createKnowledgeBase(client, many, { content_columns: columns });
    await insertRows(client, many, [
      { id: "one", ...Object.fromEntries(columns.map((column) => [column, column])) },
    ]);
    const { page } = await open(undefined, many);
    await page.handlers.open("one");
    const { opened } = page.state.current;
    assert.deepEqual([opened?.chunks.length, opened?.total], [100, 101]);
    await page.handlers.openAsText();
    const text = (await openedText()).getText();
    assert.equal(text.split("\n").length, 101);
    await deleteKnowledgeBase(client, many);
  });

  it("opens a Markdown document as Markdown, and no text if no document is open", async () => {
    const { page } = await open();
    await page.handlers.openAsText();
    assert.equal(tabs().length, 0);
    await page.handlers.open("it's.md");
    await page.handlers.openAsText();
    const document = await openedText();
    assert.deepEqual([document.languageId, document.getText()], ["markdown", "Hints\nRead this."]);
  });

  it("says that a document is gone, in place of the one that was open", async () => {
    const { page, shown } = await open();
    await page.handlers.open("b10");
    await deleteDocuments(client, item, ["b2"]);
    await page.handlers.open("b2");
    assert.equal(shown().openFailure, "b2 is no longer in notes.");
    assert.deepEqual([shown().opened, shown().opening], [undefined, undefined]);
    await page.handlers.openAsText();
    assert.equal(tabs().length, 0);
    await page.handlers.open("b10");
    assert.deepEqual([shown().opened?.id, shown().openFailure], ["b10", undefined]);
  });

  it("says why a document could not be read", async () => {
    const { page, shown } = await open();
    const error_message = "no such luck";
    answer(/SELECT \*/, () => Promise.resolve({ type: "error", error_message }));
    await page.handlers.open("b2");
    assert.match(shown().openFailure ?? "", /no such luck/);
    assert.equal(shown().opening, undefined);
  });

  it("is restored with its view and its open document", async () => {
    const sort = { column: "id", descending: true } as const;
    const { shown, ids } = await open({ filter: "b", sort, opened: "b2" });
    await until("the document", () => shown().opened?.id === "b2");
    assert.deepEqual(await ids(), ["b10", "b2"]);
    assert.equal(shown().filter, "b");
  });

  it("does not wait for an open document that was deleted meanwhile", async () => {
    const { page, shown } = await open({ filter: "", sort: byId, opened: "gone" });
    assert.deepEqual([shown().opened, shown().opening], [undefined, undefined]);
    await page.handlers.open("b2");
    await deleteDocuments(client, item, ["b2"]);
    await page.handlers.refresh();
    assert.equal(shown().opened, undefined);
    assert.equal(shown().list?.documents, 2);
  });

  it("lists documents whose contents cannot be read, and says why", async () => {
    const { page, shown, rows } = await open();
    await page.handlers.setView("b2", byId);
    const error_message = "no such luck";
    answer(/SELECT \*/, () => Promise.resolve({ type: "error", error_message }));
    assert.deepEqual(await rows(), [{ id: "b2", metadata: "", chunks: 1 }]);
    assert.match(shown().problem ?? "", /no such luck/);
  });

  it("reads the rows that were asked for last first, and one part at a time", async () => {
    const { shown, read } = await open();
    const sent: string[] = [];
    let letGo: (() => void) | undefined;
    answer(/SELECT \*/, async (...request) => {
      const { params } = request[1] as { params: object };
      sent.push(Object.values(params).join());
      if (sent.length === 1) await new Promise<void>((resolve) => (letGo = resolve));
      return client.post(...request);
    });
    const { view } = shown().list!;
    const parts = [0, 1, 2].map((from) => read(view, from, 1));
    (await until("a request", () => letGo))();
    const ids = (await Promise.all(parts)).map((rows) => rows?.[0]?.id);
    assert.deepEqual(ids, ["b2", "b10", "it's.md"]);
    assert.deepEqual(sent, ["b2", "it's.md", "b10"]);
  });

  it("reads no more rows of a list once another is shown, or once it is closed", async () => {
    for (const end of ["view", "close"] as const) {
      const { page, shown, read } = await open();
      let count = 0;
      let letGo: (() => void) | undefined;
      answer(/SELECT \*/, async (...request) => {
        count++;
        if (count === 1) await new Promise<void>((resolve) => (letGo = resolve));
        return client.post(...request);
      });
      const { view } = shown().list!;
      const parts = [0, 1].map((from) => read(view, from, 1));
      const release = await until("a request", () => letGo);
      if (end === "view") await page.handlers.setView("i", byId);
      else page.onClosed();
      release();
      assert.deepEqual(await Promise.all(parts), [undefined, undefined], end);
      assert.equal(count, 1, end);
      assert.equal(shown().problem, undefined, end);
    }
  });

  it("says that the knowledge base was deleted", async () => {
    const { page, shown } = await open();
    await deleteKnowledgeBase(client, item);
    await eventually(() => assert.equal(page.isGone, true));
    assert.equal(shown().notice?.text, "notes is no longer in mindsdb. It may have been deleted.");
  });

  it("sends no statement to an agent with the knowledge base's name, which would be billed", async () => {
    await createAgent(client, item.project, { name: item.name });
    let statements = 0;
    answer(/SELECT/, (...request) => {
      statements++;
      return client.post(...request);
    });
    const { shown } = await open();
    await deleteAgent(client, item.project, item.name);
    assert.match(shown().notice?.text ?? "", /^An agent in mindsdb is also named notes\./);
    assert.equal(statements, 0);
    assert.equal(shown().list, undefined);
  });
});
