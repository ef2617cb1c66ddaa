// The connection of the active editor, as panels and notebooks report it. The status bar shows it.
import * as vscode from "vscode";

const changed = new vscode.EventEmitter<void>();
let active: { editor: object; connectionId: string } | undefined;

export const onDidChangeActiveConnection = changed.event;

/** The id of the connection that the active editor belongs to; undefined for other editors. */
export function activeConnectionId(): string | undefined {
  return active?.connectionId;
}

/**
 * Reports that an editor is active, or with undefined that it is not. VS Code may report the next editor before the
 * former one, so an editor takes back only what it has reported itself.
 */
export function setActiveConnection(editor: object, connectionId: string | undefined): void {
  if (connectionId === undefined && active?.editor !== editor) return;
  const before = active?.connectionId;
  active = connectionId === undefined ? undefined : { editor, connectionId };
  if (before !== connectionId) changed.fire();
}
