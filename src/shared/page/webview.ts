// The page's side of VS Code's webview.
import type { FromPage } from "../pageProtocol.ts";
import { omitStoredSecrets } from "../typedSecrets.ts";

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: unknown): void;
};

const vscode = acquireVsCodeApi();

export function post(message: FromPage): void {
  vscode.postMessage(message);
}

/** The saved state of the page, which survives hiding and a reload of the window. */
export function savedState(): Record<string, unknown> {
  return (vscode.getState() ?? {}) as Record<string, unknown>;
}

/** Saves a part of the state, without secrets: VS Code stores it on disk. */
export function save(change: Record<string, unknown>): void {
  vscode.setState({ ...savedState(), ...omitStoredSecrets(change) });
}
