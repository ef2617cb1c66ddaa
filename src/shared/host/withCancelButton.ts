// Progress while work runs. Its texts may contain foreign names: nothing in them becomes a link or an icon.
import * as vscode from "vscode";
import { plainLabel } from "../oneLine.ts";
import { withAbortSignal } from "./withAbortSignal.ts";

/** Reports progress. `increment` is in percent. */
type Report = (progress: { message?: string; increment?: number }) => void;

/** Runs `work` while a notification shows a Cancel button, which aborts the signal. */
export function withCancelButton<T>(
  title: string,
  work: (signal: AbortSignal, report: Report) => Promise<T>,
): Promise<T> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: plainLabel(title),
    cancellable: true,
  };
  return withPlainProgress(options, (report, token) =>
    withAbortSignal(token, (signal) => work(signal, report)),
  );
}

/** Runs `work` while the status bar shows the title, and what is reported. */
export function withStatusBar<T>(title: string, work: (report: Report) => Promise<T>): Promise<T> {
  const options = { location: vscode.ProgressLocation.Window, title: plainLabel(title) };
  return withPlainProgress(options, work);
}

async function withPlainProgress<T>(
  options: vscode.ProgressOptions,
  work: (report: Report, token: vscode.CancellationToken) => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress(options, (progress, token) =>
    work(({ message, ...rest }) => {
      progress.report({ ...rest, ...(message !== undefined && { message: plainLabel(message) }) });
    }, token),
  );
}
