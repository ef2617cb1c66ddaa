// The activated extension under test, and what its `activate` returns.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Workbench } from "../../src/extension.ts";

export const extensionId = "mindsdb-workbench-community.mindsdb-workbench";

/** Activates the extension (once) and returns its internal objects. */
export async function workbench(): Promise<Workbench> {
  const extension = vscode.extensions.getExtension<Workbench>(extensionId);
  assert.ok(extension, "the extension is not installed");
  return extension.activate();
}

/** Waits until `condition` returns something; throws with `what` after half a minute. */
export async function until<T>(
  what: string,
  condition: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const end = Date.now() + 30_000;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    assert.ok(Date.now() < end, `waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
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

/** The sample server as a connection while the tests of a suite run; afterwards all editors are closed. */
export function useSampleServer(): void {
  before(async () => {
    await (await workbench()).sampleServer.start();
  });
  after(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
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
