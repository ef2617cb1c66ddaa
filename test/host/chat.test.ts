import assert from "node:assert/strict";
import * as vscode from "vscode";
import { panels, sqlLanguage } from "../../src/ids.ts";
import type { ChatPanel } from "../../src/chat/host/chatPanel.ts";
import type { FaultProxy } from "../proxy/faultProxy.ts";
import { codeLenses } from "./providers.ts";
import { useTestConnection } from "./useTestServer.ts";
import { actUntil, closeAllEditors, noteIn, until, withWindow, workbench } from "./workbench.ts";
import type { Workbench } from "../../src/extension.ts";

describe("Chats", () => {
  const server = useTestConnection("chat", { stepDelay: 0 });
  let parts: Workbench;
  let proxy: FaultProxy;
  let id: string;

  before(async () => {
    parts = await workbench();
    ({ proxy, id } = server);
  });

  const open = async (draft: string): Promise<ChatPanel> => {
    const chats = await parts.chats.load();
    chats.open({ connectionId: id, project: "mindsdb", name: "rental_agent" }, { draft });
    const chat = await until("the chat", () => chats.active);
    await until("the page to take the draft", () => chat.state.current.draft === undefined);
    return chat;
  };

  /** Opens a chat and asks a question, to the end of the answer. */
  const ask = async (): Promise<ChatPanel> => {
    proxy.set();
    const chat = await open("How many homes are there?");
    chat.conversation.ask("How many homes are there?");
    await until("the end", () => !chat.conversation.running);
    return chat;
  };

  it("continue without a panel until stopped, and then leave no connection open", async () => {
    proxy.set({ on: /\/completions\/stream$/, hangAfter: 70 });
    const chat = await open("How many?");
    chat.conversation.ask("How many?");
    await until("the first step", () => chat.conversation.transcript.runs[0]?.steps.length);
    // Later messages follow the step, so the page has shown the step and is waiting.
    await open("And then?");
    const asked = proxy.requests.find(({ path }) => path.endsWith("/completions/stream"));
    const chats = await parts.chats.load();
    await actUntil(
      "the panel to close",
      () => vscode.commands.executeCommand("workbench.action.closeActiveEditor"),
      () => !chats.active,
    );
    assert.equal(chat.conversation.running, true);
    assert.notEqual(asked?.state, "aborted");
    // The agent's row reopens the chat.
    const again = await open("And now?");
    assert.equal(again.conversation, chat.conversation);
    again.conversation.stop();
    await until("the connection to close", () => asked?.state === "aborted");
    await until("the stop", () => chat.conversation.transcript.runs[0]?.state === "stopped");
  });

  it("open a run's raw events read-only, with their trace ids", async () => {
    await ask();
    const document = await actUntil(
      "the document",
      () => vscode.commands.executeCommand("mindsdbWorkbench.chat.showRawEvents"),
      () => {
        const editor = vscode.window.activeTextEditor;
        return editor?.document.uri.scheme === "mindsdb-workbench-chat" && editor.document;
      },
    );
    const events = document.getText().trim().split("\n\n");
    assert.ok(events.length > 3);
    assert.ok(events.every((event) => /^: .*\ndata: \{/.test(event)));
    assert.match(document.getText(), /"trace_id"/);
    assert.ok(events.at(-1)?.endsWith('\ndata: {"type": "end"}'));
    await closeAllEditors();
  });

  it("open a statement to be read, as MindsDB's SQL, with nothing to run it", async () => {
    const chat = await ask();
    const run = chat.conversation.transcript.runs.at(-1)!;
    const parts = run.steps.flatMap((step, at) =>
      step.parts.map(({ kind }, part) => ({ kind, ref: { of: "part", step: at, part } as const })),
    );
    const sql = parts.find(({ kind }) => kind === "sql") ?? assert.fail(JSON.stringify(run.steps));
    void chat.handlers.open({ ...sql.ref, run: run.id });
    const document = await until("the statement", () => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document.languageId === sqlLanguage && editor.document;
    });
    assert.match(document.getText(), /^SELECT/i);
    assert.deepEqual(await codeLenses(document.uri), []);
    await closeAllEditors();
  });

  it("fill the form of a new view with a step's SELECT, unless the connection is read-only", async () => {
    const chat = await ask();
    assert.equal(chat.state.current.canCreateViews, true);
    const run = chat.conversation.transcript.runs.at(-1)!;
    const step = run.steps.findIndex((one) => one.parts.some(({ kind }) => kind === "sql"));
    const part = run.steps[step]!.parts.findIndex(({ kind }) => kind === "sql");
    void chat.handlers.createView({ of: "part", run: run.id, step, part });
    // A form that begins with a query has unsaved changes.
    const isForm = (label?: string) => label === "● Create View" || label === "Create View";
    await until("the form", () => isForm(vscode.window.tabGroups.activeTabGroup.activeTab?.label));
    const protect = (protection: "none" | "readOnly") =>
      parts.connections.change(id, { protection });
    // The chat is behind the form.
    await protect("readOnly");
    await until("no view", () => chat.state.current.canCreateViews === false);
    await protect("none");
    await until("a view", () => chat.state.current.canCreateViews === true);
    await closeAllEditors();
    await protect("readOnly");
    const again = await open("And now?");
    assert.equal(again.state.current.canCreateViews, false);
    await protect("none");
    await closeAllEditors();
    assert.equal((await open("And again?")).state.current.canCreateViews, true);
    await closeAllEditors();
  });

  it("have a title in which a long name leaves room for the question", async () => {
    const chats = await parts.chats.load();
    chats.open({ connectionId: id, project: "mindsdb", name: "n".repeat(60) }, { draft: "" });
    const chat = await until("the chat", () => chats.active);
    chat.conversation.ask("Why is it so?");
    await until("the end", () => !chat.conversation.running);
    await until("the title", () =>
      /^n{20,23}…: Why is it/.test(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? ""),
    );
    await closeAllEditors();
  });

  it("warn that a conversation is gone only if it is no longer stored", async () => {
    const { chatId } = (await ask()).session.transcript;
    const chats = await parts.chats.load();
    const warned: string[] = [];
    await withWindow({ showWarningMessage: noteIn(warned) }, async () => {
      await chats.pin(chatId, false);
      assert.deepEqual(warned, []);
      await chats.pin("of-another-window", false);
      assert.deepEqual(warned, ["This conversation is no longer stored."]);
    });
    await closeAllEditors();
  });

  it("keep what told their tab apart when VS Code restores them", async () => {
    const chat = await ask();
    const { chatId } = chat.session.transcript;
    const chats = await parts.chats.load();
    await closeAllEditors();
    await until("the panel to close", () => !chats.active);
    const column = vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel(panels.chat, "rental_agent (chat)", column);
    await chats.restore(panel, { chatId });
    assert.equal(panel.title.startsWith("rental_agent (chat)"), true, panel.title);
    panel.dispose();
    const other = vscode.window.createWebviewPanel(panels.chat, "rental_agent", column);
    await chats.restore(other, { chatId });
    assert.equal(other.title.startsWith("rental_agent (chat)"), false, other.title);
    other.dispose();
  });

  // The last test: the server's secret hides the word from then on.
  it("suggest no question with a secret in it", async () => {
    const suggestions = async () => {
      const chat = await open("");
      return until("suggestions", () => chat.state.current.suggestions);
    };
    const [first = ""] = await suggestions();
    const [word = ""] = /\w{8,}/.exec(first) ?? [];
    (await parts.connections.client(id)).secrets.add(word);
    await closeAllEditors();
    const left = await suggestions();
    assert.ok(left.length > 0);
    for (const question of left) assert.ok(!question.includes(word) && !question.includes("*"));
    await closeAllEditors();
  });
});
