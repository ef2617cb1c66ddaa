// Adding, editing and protecting connections, with answers typed into a stand-in for VS Code's input box.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { addConnection } from "../../src/connections/host/addConnection.ts";
import type { Connections } from "../../src/connections/host/connections.ts";
import { editConnection } from "../../src/connections/host/editConnection.ts";
import { commands } from "../../src/ids.ts";
import type { Log } from "../../src/shared/host/log.ts";
import { startTestServer } from "../sampleServer/server.ts";
import {
  actUntil,
  closeAllEditors,
  noteIn,
  until,
  withSetting,
  withWindow,
  workbench,
} from "./workbench.ts";

const log = { error: () => undefined, info: () => undefined } as unknown as Log;

/** Replaces VS Code's input boxes, which get the answers and are closed after the last, and its messages. */
function answers(typed: string[], button?: string) {
  const said: string[] = [];
  /** The titles of the boxes, as often as they were shown. */
  const asked: string[] = [];
  /** What is in the box as often as it is shown. */
  const held: string[] = [];
  const createInputBox = () => {
    const accepted = new vscode.EventEmitter<void>();
    const hidden = new vscode.EventEmitter<void>();
    const box = {
      title: "",
      value: "",
      enabled: true,
      onDidAccept: accepted.event,
      onDidChangeValue: () => undefined,
      onDidTriggerButton: () => undefined,
      onDidHide: hidden.event,
      hide: () => undefined,
      dispose: () => undefined,
      set validationMessage(text: string | undefined) {
        if (text !== undefined) said.push(text);
      },
      show: () => {
        asked.push(box.title);
        held.push(box.value);
        const next = typed.shift();
        box.value = next ?? "";
        queueMicrotask(() => (next === undefined ? hidden : accepted).fire());
      },
    };
    return box;
  };
  const note = noteIn(said, button);
  const window = { createInputBox, showWarningMessage: note, showInformationMessage: note };
  return { said, asked, held, window };
}

describe("Connections that are added and edited", () => {
  let connections: Connections;
  /** Nothing listens at this port, and the system gives it to nobody. */
  const dead = "http://127.0.0.1:1";

  before(async () => ({ connections } = await workbench()));
  afterEach(async () => {
    for (const { id, isPreset } of connections.list()) if (!isPreset) await connections.remove(id);
  });

  it("are saved with an address that does not answer, when Enter is pressed again", async () => {
    const { said, window } = answers([dead, dead]);
    const revealed: string[] = [];
    const reveal = ({ name }: { name: string }) => Promise.resolve(void revealed.push(name));
    await withWindow(window, () => addConnection({ connections, log, reveal }));
    const name = dead.replace("http://", "");
    assert.deepEqual(
      connections.list().map(({ address }) => address),
      [dead],
    );
    assert.deepEqual(revealed, [name]);
    assert.deepEqual(said, [
      `Can't reach ${dead}. Press Enter again to save ${dead} anyway.`,
      `${name} is saved, but its server can't be reached now.`,
    ]);
  });

  it("are not saved where the text is no address, however often Enter is pressed", async () => {
    const { said, held, window } = answers(["http://", "http://", "http://"]);
    await withWindow(window, () =>
      addConnection({ connections, log, reveal: () => Promise.resolve() }),
    );
    assert.deepEqual(
      said,
      Array(3).fill("“http://” is not an address. Enter one like 127.0.0.1:47334."),
    );
    // To be corrected.
    assert.deepEqual(held, ["", "http://", "http://", "http://"]);
    assert.deepEqual(connections.list(), []);
  });

  it("are saved without the path of MindsDB's own editor, which is said", async () => {
    const server = await startTestServer({ unguarded: true });
    try {
      const { said, window } = answers([`${server.url}/editor?tab=1#here`]);
      const reveal = () => Promise.resolve();
      await withWindow(window, () => addConnection({ connections, log, reveal }));
      assert.deepEqual(said, [`The server answers at ${server.url}, without /editor.`]);
      const [saved] = connections.list();
      assert.equal(saved?.address, server.url);
    } finally {
      await server.stop();
    }
  });

  it("get another name and address, keep id and protection, and have no address twice", async () => {
    const server = await startTestServer({ unguarded: true });
    try {
      const other = await connections.save({ name: "other", address: "http://127.0.0.1:9" });
      const { id } = await connections.save({ name: "old", address: dead });
      await connections.change(id, { protection: "confirm" });
      const { said, asked, window } = answers(["new", other.address, server.url]);
      await withWindow(window, () => editConnection(connections, connections.find(id)!, log));
      assert.deepEqual(said, ["other already has this address."]);
      // For no login, which this server does not want.
      assert.deepEqual([...new Set(asked)], ["Edit old"]);
      const { name, address, protection } = connections.find(id) ?? {};
      assert.deepEqual([name, address, protection], ["new", server.url, "confirm"]);
    } finally {
      await server.stop();
    }
  });

  it("from the settings open the setting at its place to be protected", async () => {
    const given = [{ name: "preset", address: dead }];
    await withSetting("mindsdbWorkbench", "connections", given, async () => {
      const preset = await until("the preset", () =>
        connections.list().find(({ isPreset }) => isPreset),
      );
      await actUntil(
        "the setting",
        () => vscode.commands.executeCommand(commands.connectionSetProtection, preset.id),
        () => {
          const { document, selection } = vscode.window.activeTextEditor ?? {};
          const line = document?.getText().split(/\r?\n/)[selection?.active.line ?? 0];
          return line?.includes("mindsdbWorkbench.connections");
        },
      );
      await closeAllEditors();
    });
  });
});
