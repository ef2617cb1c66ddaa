// The page's side of VS Code's webview.
import type { FromPage } from "../pageProtocol.ts";

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

export function save(change: Record<string, unknown>): void {
  vscode.setState({ ...savedState(), ...change });
}
