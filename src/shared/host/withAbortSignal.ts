import type * as vscode from "vscode";

/** Runs `work` with a signal that aborts when the token is cancelled before `work` ends. */
export async function withAbortSignal<T>(
  token: vscode.CancellationToken,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const subscription = token.onCancellationRequested(() => controller.abort());
  try {
    return await work(controller.signal);
  } finally {
    subscription.dispose();
  }
}
