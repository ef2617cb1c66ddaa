import assert from "node:assert/strict";
import { pickConversation } from "../../src/chat/host/openChatPicker.ts";
import { hiddenPick, inputBoxes, until, withWindow } from "./workbench.ts";

describe("The list of conversations", () => {
  it("shows what was found for the text that is typed, not for one before", async () => {
    const { pick, type, close } = hiddenPick();
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
    await withWindow({ createQuickPick: () => pick }, async () => {
      const picked = pickConversation(options as never);
      await until("the list", () => pick.items.length > 0);
      type("old");
      type("new");
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
        list.pressOn(item, button);
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
