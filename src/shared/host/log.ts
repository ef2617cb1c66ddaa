// The output channel. Clients redact the secrets of their connection; the log also masks whatever looks like a secret.
import * as vscode from "vscode";
import { AppError } from "../../mindsdb/errors.ts";
import { redactUnknown } from "../../mindsdb/redact/redact.ts";

export class Log implements vscode.Disposable {
  readonly #channel: vscode.LogOutputChannel;
  #closed = false;

  constructor() {
    this.#channel = vscode.window.createOutputChannel("Workbench for MindsDB", { log: true });
  }

  info(text: string): void {
    if (!this.#closed) this.#channel.info(redactUnknown(text));
  }

  /** Logs a failure with all details: the server's messages and tracebacks. */
  error(what: string, error: unknown): void {
    if (this.#closed) return;
    this.#channel.error(redactUnknown([what, ...details(error)].join("\n")));
  }

  show(): void {
    this.#channel.show(true);
  }

  /** Later messages of running requests are dropped. */
  dispose(): void {
    this.#closed = true;
    this.#channel.dispose();
  }
}

function details(error: unknown): string[] {
  if (error instanceof AppError) {
    const status = error.status === undefined ? "" : ` (HTTP ${error.status})`;
    return [`${error.kind}${status}: ${error.message}`, ...(error.detail ? [error.detail] : [])];
  }
  if (error instanceof Error) return [error.stack ?? `${error.name}: ${error.message}`];
  return [String(error)];
}
