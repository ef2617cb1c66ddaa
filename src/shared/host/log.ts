// The one output channel. What is about a connection comes without that connection's secrets (errors of its client do); here
// is masked what looks like a secret, whoever wrote it.
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

  /** What failed, with everything that is known of why: the server's own words, tracebacks included. */
  error(what: string, error: unknown): void {
    if (this.#closed) return;
    this.#channel.error(redactUnknown([what, ...details(error)].join("\n")));
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
