// The activated extension under test, and what its `activate` returns.
import assert from "node:assert/strict";
import fs from "node:fs";
import * as vscode from "vscode";
import type { Workbench } from "../../src/extension.ts";

export const extensionId = "mindsdb-workbench-community.mindsdb-workbench";

/** Activates the extension (once) and returns its internal objects. */
export async function workbench(): Promise<Workbench> {
  return installedExtension().activate();
}

/** Where the files of the extension's pages are. */
export function extensionFolder(): vscode.Uri {
  return installedExtension().extensionUri;
}

function installedExtension(): vscode.Extension<Workbench> {
  const extension = vscode.extensions.getExtension<Workbench>(extensionId);
  assert.ok(extension, "the extension is not installed");
  return extension;
}

/** In ms. A busy machine is ten times slower than a developer's. */
const patience = 60_000;

/** Waits until `condition` returns something; throws with `what` after a minute. */
export async function until<T>(
  what: string,
  condition: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const end = Date.now() + patience;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    assert.ok(Date.now() < end, `waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until no assertion fails; throws the last failure after a minute. */
export async function eventually(assertions: () => unknown): Promise<void> {
  let failure: unknown;
  const hold = async (): Promise<boolean> => {
    try {
      await assertions();
      return true;
    } catch (error) {
      failure = error;
      return false;
    }
  };
  await until("an assertion", hold).catch((error: unknown) => {
    throw failure ?? error;
  });
}

/**
 * Acts until `condition` returns something, again after `everyMs`: VS Code may still be doing something else, and lose an
 * action.
 */
export async function actUntil<T>(
  what: string,
  act: () => unknown,
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  everyMs = 2_000,
): Promise<T> {
  let next = 0;
  return until(what, async () => {
    if (Date.now() >= next) {
      await act();
      next = Date.now() + everyMs;
    }
    return condition();
  });
}

/** Waits until `read` returns the same for as long as `quietMs`, and returns it. */
export async function untilQuiet<T>(what: string, quietMs: number, read: () => T): Promise<T> {
  return until(what, async () => {
    const before = read();
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    return read() === before && before;
  });
}

export const tabs = (): vscode.Tab[] => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);

/** Closes all editors. VS Code does not save them in a test. */
export async function closeAllEditors(): Promise<void> {
  await actUntil(
    "all tabs to close",
    () => vscode.commands.executeCommand("workbench.action.closeAllEditors"),
    () => tabs().length === 0,
  );
}

/** Waits until the clipboard holds such a text, and returns it. */
export async function copied(expected: RegExp | string): Promise<string> {
  return until(`a copy of ${String(expected)}`, async () => {
    const text = await vscode.env.clipboard.readText();
    return (typeof expected === "string" ? text === expected : expected.test(text)) && text;
  });
}

/** Runs `work` while functions of `vscode.window` are replaced. */
export async function withWindow<T>(
  changes: Partial<Record<keyof typeof vscode.window, unknown>>,
  work: () => Promise<T>,
): Promise<T> {
  const names = Object.keys(changes) as (keyof typeof vscode.window)[];
  const before = Object.fromEntries(names.map((name) => [name, vscode.window[name]]));
  Object.assign(vscode.window, changes);
  try {
    return await work();
  } finally {
    Object.assign(vscode.window, before);
  }
}

/** Runs `work` in a workspace that is not trusted. */
export async function withoutTrust<T>(work: () => T | Promise<T>): Promise<T> {
  const trust = Object.getOwnPropertyDescriptor(vscode.workspace, "isTrusted");
  assert.ok(trust);
  Object.defineProperty(vscode.workspace, "isTrusted", { ...trust, get: () => false });
  try {
    return await work();
  } finally {
    Object.defineProperty(vscode.workspace, "isTrusted", trust);
  }
}

/** Runs `work` while the user has this setting. */
export async function withSetting<T>(
  section: string,
  name: string,
  value: unknown,
  work: () => Promise<T>,
): Promise<T> {
  const configuration = vscode.workspace.getConfiguration(section);
  await configuration.update(name, value, vscode.ConfigurationTarget.Global);
  try {
    return await work();
  } finally {
    await configuration.update(name, undefined, vscode.ConfigurationTarget.Global);
  }
}

/** A memento in memory, empty at first. */
export function memory(): vscode.Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string, otherwise?: unknown) => values.get(key) ?? otherwise,
    update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
  } as vscode.Memento;
}

/** In place of a function that shows a message: adds it to `messages`, and answers. */
export const noteIn =
  (messages: string[], answer?: string) =>
  (message: string): Promise<string | undefined> => {
    messages.push(message);
    return Promise.resolve(answer);
  };

/** The address of a file in the workspace. */
export function inWorkspace(name: string): vscode.Uri {
  const workspace = vscode.workspace.workspaceFolders?.[0];
  assert.ok(workspace);
  return vscode.Uri.joinPath(workspace.uri, name);
}

/** Makes a folder in the workspace, so that VS Code does not ask about its files. */
export function makeWorkspaceFolder(prefix: string): string {
  return fs.mkdtempSync(inWorkspace(prefix).fsPath);
}

/**
 * In place of `createInputBox`: an input that is accepted with the next value, or as it is. `shown` gets the title, the
 * value at first, and whether it is hidden.
 */
export function inputBoxes(
  values: string[],
  shown: [title: string, value: string, isSecret: boolean][] = [],
) {
  return () => {
    let accept: (() => void) | undefined;
    const box = {
      title: "",
      value: "",
      password: false,
      onDidAccept: (listener: typeof accept) => (accept = listener),
      onDidChangeValue: () => undefined,
      onDidTriggerButton: () => undefined,
      onDidHide: () => undefined,
      show: () => {
        shown.push([box.title, box.value, box.password]);
        box.value = values.shift() ?? box.value;
        accept?.();
      },
      hide: () => undefined,
      dispose: () => undefined,
    };
    return box;
  };
}

/**
 * For `createQuickPick`: a list that is not on screen, where VS Code closes it when something else takes the focus. What
 * a user does, the test calls.
 */
export function hiddenPick<Item extends vscode.QuickPickItem = vscode.QuickPickItem>() {
  const pick = vscode.window.createQuickPick<Item>();
  const listeners: Record<string, ((given: unknown) => void) | undefined> = {};
  const events = [
    "onDidAccept",
    "onDidChangeValue",
    "onDidHide",
    "onDidTriggerButton",
    "onDidTriggerItemButton",
  ].map((event) => {
    const listen = (listener: (given: unknown) => void) => {
      listeners[event] = listener;
      return new vscode.Disposable(() => undefined);
    };
    return [event, listen] as const;
  });
  const close = () => listeners["onDidHide"]?.(undefined);
  Object.assign(pick, Object.fromEntries(events), { show: () => undefined, hide: close });
  return {
    pick,
    close,
    type: (value: string) => {
      pick.value = value;
      listeners["onDidChangeValue"]?.(value);
    },
    /** Presses Enter with these items selected. */
    accept: (...items: Item[]) => {
      pick.selectedItems = items;
      listeners["onDidAccept"]?.(undefined);
    },
    press: (button: vscode.QuickInputButton) => listeners["onDidTriggerButton"]?.(button),
    pressOn: (item: Item, button: vscode.QuickInputButton | undefined) =>
      listeners["onDidTriggerItemButton"]?.({ item, button }),
  };
}

/** The sample server as a connection while the tests of a suite run; afterwards all editors are closed. */
export function useSampleServer(): void {
  before(async () => {
    await (await workbench()).sampleServer.start();
  });
  after(async () => {
    await closeAllEditors();
    const { sampleServer, connections } = await workbench();
    await sampleServer.stop();
    await connections.remove("sample");
  });
}

/** The item of a node of a tree whose rows have been asked for before. */
export function drawnItem<Node>(
  tree: { getTreeItem(node: Node): vscode.TreeItem | Promise<vscode.TreeItem> },
  node: Node,
): vscode.TreeItem {
  const item = tree.getTreeItem(node);
  assert.ok(!(item instanceof Promise));
  return item;
}
