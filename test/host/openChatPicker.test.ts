import assert from "node:assert/strict";
import * as vscode from "vscode";
import { pickConversation } from "../../src/chat/host/openChatPicker.ts";
import { until, withWindow } from "./workbench.ts";

describe("The list of conversations", () => {
  it("shows what was found for the text that is typed, not for one before", async () => {
    const pick = vscode.window.createQuickPick();
    let type: (value: string) => void = () => undefined;
    const onDidChangeValue = (listen: typeof type) => (
      (type = listen),
      new vscode.Disposable(() => undefined)
    );
    const typeText = (value: string) => {
      pick.value = value;
      type(value);
    };
    const answers: Record<string, (found: Map<string, string>) => void> = {};
    const find = (value: string) =>
      new Promise<Map<string, string>>((resolve) => (answers[value] = resolve));
    const agent = { connectionId: "c", project: "mindsdb", name: "a" };
    const chat = { chatId: "1", agent, question: "Why?", changed: 0 };
    const options = {
      title: "Open",
      list: () => Promise.resolve([chat]),
      search: { find },
      connectionName: () => "c",
      activity: () => undefined,
    };
    const details = () => pick.items.map(({ detail = "" }) => detail).join();
    let close: () => void = () => undefined;
    const onDidHide = (listen: typeof close) => (
      (close = listen),
      new vscode.Disposable(() => undefined)
    );
    // Not on screen, where VS Code closes it when something else takes the focus.
    const show = () => undefined;
    const createQuickPick = () => Object.assign(pick, { onDidChangeValue, onDidHide, show });
    await withWindow({ createQuickPick }, async () => {
      const picked = pickConversation(options as never);
      await until("the list", () => pick.items.length > 0);
      typeText("old");
      typeText("new");
      answers["new"]!(new Map([["1", "found new"]]));
      await until("the excerpt", () => details().includes("found new"));
      answers["old"]!(new Map([["1", "found old"]]));
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.match(details(), /found new/);
      close();
      assert.equal(await picked, undefined);
    });
  });
});
