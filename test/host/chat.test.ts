import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { ChatPanel } from "../../src/chat/host/chatPanel.ts";
import { startTestServer } from "../sampleServer/server.ts";
import { startFaultProxy, type FaultProxy } from "../proxy/faultProxy.ts";
import { until, workbench } from "./workbench.ts";
import type { Workbench } from "../../src/extension.ts";

type Sample = Awaited<ReturnType<typeof startTestServer>>;

describe("Chats", () => {
  let parts: Workbench;
  let server: Sample;
  let proxy: FaultProxy;
  let id: string;

  before(async () => {
    parts = await workbench();
    server = await startTestServer({ stepDelay: 0, unguarded: true });
    proxy = await startFaultProxy({ target: server.url });
    ({ id } = await parts.connections.save({ name: "chat", address: proxy.url }));
  });
  after(async () => {
    await parts.connections.remove(id);
    await proxy.stop();
    await server.stop();
  });

  const open = async (draft: string): Promise<ChatPanel> => {
    const chats = await parts.chats.load();
    chats.open({ connectionId: id, project: "mindsdb", name: "rental_agent" }, { draft });
    const chat = await until("the chat", () => chats.active);
    const isTaken = () => chat.snapshot().every(({ type }) => type !== "draft");
    await until("the page to take the draft", isTaken);
    return chat;
  };

  it("continue without a panel until stopped, and then leave no connection open", async () => {
    proxy.set({ on: /\/completions\/stream$/, hangAfter: 70 });
    const chat = await open("How many?");
    chat.conversation.ask("How many?");
    await until("the first step", () => chat.conversation.transcript.runs[0]?.steps.length);
    // Later messages follow the step, so the page has shown the step and is waiting.
    await open("And then?");
    await new Promise((resolve) => setTimeout(resolve, 200));
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    const asked = proxy.requests.find(({ path }) => path.endsWith("/completions/stream"));
    const chats = await parts.chats.load();
    await until("the panel to close", () => !chats.active);
    assert.equal(chat.conversation.running, true);
    assert.notEqual(asked?.state, "aborted");
    // The agent's row reopens the chat.
    const again = await open("And now?");
    assert.equal(again.conversation, chat.conversation);
    again.conversation.stop();
    await until("the connection to close", () => asked?.state === "aborted");
    assert.equal(chat.conversation.transcript.runs[0]?.state, "stopped");
  });

  it("open a run's raw events read-only, with their trace ids", async () => {
    proxy.set();
    const chat = await open("How many homes are there?");
    chat.conversation.ask("How many homes are there?");
    await until("the end", () => !chat.conversation.running);
    await vscode.commands.executeCommand("mindsdbWorkbench.chat.showRawEvents");
    const document = await until("the document", () => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document.uri.scheme === "mindsdb-workbench-chat" ? editor.document : undefined;
    });
    const events = document.getText().trim().split("\n\n");
    assert.ok(events.length > 3);
    assert.ok(events.every((event) => /^: .*\ndata: \{/.test(event)));
    assert.match(document.getText(), /"trace_id"/);
    assert.ok(events.at(-1)?.endsWith('\ndata: {"type": "end"}'));
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });
});
