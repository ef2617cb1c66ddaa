import assert from "node:assert/strict";
import * as vscode from "vscode";
import { pickConversation } from "../../src/chat/host/openChatPicker.ts";
import { hiddenPick, inputBoxes, until, withWindow } from "./workbench.ts";

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

  it("pins, renames and deletes the conversation of a button", async () => {
    const agent = { connectionId: "c", project: "mindsdb", name: "a" };
    const chats = [
      { chatId: "1", agent, question: "Why?", changed: 0, isPinned: true, title: "One" },
      { chatId: "2", agent, question: "How?", changed: 0 },
    ];
    const calls: unknown[] = [];
    const list = hiddenPick();
    let press: (event: object) => void = () => undefined;
    Object.assign(list.pick, {
      onDidTriggerItemButton: (listen: typeof press) => (press = listen),
    });
    const options = {
      title: "Open",
      list: () => Promise.resolve(chats),
      search: { find: () => new Promise(() => undefined) },
      connectionName: () => "c",
      activity: () => undefined,
      label: (chatId: string, label: unknown) => void calls.push([chatId, label]),
      remove: (chatId: string) => {
        calls.push(chatId);
        chats.length = 0;
      },
    };
    const window = { createQuickPick: () => list.pick, createInputBox: inputBoxes(["Two"]) };
    await withWindow(window, async () => {
      const picked = pickConversation(options as never);
      const pressOn = async (chat: number, tooltip: RegExp) => {
        const item = list.pick.items[chat]!;
        const button = item.buttons?.find((one) => tooltip.test(one.tooltip ?? ""));
        const before = calls.length;
        press({ item, button });
        await until("its work", () => calls.length > before);
      };
      await until("the list", () => list.pick.items.length > 0);
      await pressOn(0, /^Unpin/);
      await pressOn(1, /^Pin/);
      await pressOn(0, /^Rename/);
      await pressOn(1, /^Delete/);
      assert.equal(await picked, undefined, "closed with the last conversation");
    });
    assert.deepEqual(calls, [
      ["1", { title: "One", isPinned: false }],
      ["2", { title: undefined, isPinned: true }],
      ["1", { title: "Two", isPinned: true }],
      "2",
    ]);
  });
});
