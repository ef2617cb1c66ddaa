import * as vscode from "vscode";
import { escapeLinks } from "../escapeLinks.ts";
import { withAbortSignal } from "./withAbortSignal.ts";

/** What has been done so far, shown in the notification. `increment` is in percent. */
type Report = (progress: { message?: string; increment?: number }) => void;

/**
 * Runs `work` behind a notification with a Cancel button, which aborts the signal. The title may contain foreign names:
 * nothing in it becomes a link.
 */
export async function withCancelButton<T>(
  title: string,
  work: (signal: AbortSignal, report: Report) => Promise<T>,
): Promise<T> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress(
    { location, title: escapeLinks(title), cancellable: true },
    (progress, token) =>
      withAbortSignal(token, (signal) => work(signal, (shown) => progress.report(shown))),
  );
}
