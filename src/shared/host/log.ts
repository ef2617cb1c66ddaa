// The one output channel. Nothing reaches it with a secret in it.
import * as vscode from "vscode";
import { AppError } from "../../mindsdb/errors.ts";
import type { Secrets } from "../../mindsdb/redact.ts";

export class Log implements vscode.Disposable {
  readonly #channel: vscode.LogOutputChannel;
  readonly #secrets: Secrets;
  #closed = false;

  constructor(secrets: Secrets) {
    this.#channel = vscode.window.createOutputChannel("Workbench for MindsDB", { log: true });
    this.#secrets = secrets;
  }

  info(text: string): void {
    if (!this.#closed) this.#channel.info(this.#secrets.redact(text));
  }

  /** What failed, with everything that is known of why: the server's own words, tracebacks included. */
  error(what: string, error: unknown): void {
    if (this.#closed) return;
    this.#channel.error(this.#secrets.redact([what, ...details(error)].join("\n")));
  }

  show(): void {
    this.#channel.show(true);
  }

  /** Requests that are still on their way when VS Code ends may have something to say: it is dropped. */
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
