// The output channel. Clients redact the secrets of their connection; the log also masks whatever looks like a secret.
import * as vscode from "vscode";
import { AppError } from "../../mindsdb/errors.ts";

export class Log implements vscode.Disposable {
  readonly #channel: vscode.LogOutputChannel;
  #closed = false;
  /** Settled when the last message is written. The first waits for the end of the activation: it imports what hides secrets. */
  #written = new Promise<void>((resolve) => void setImmediate(resolve));

  constructor() {
    this.#channel = vscode.window.createOutputChannel("Workbench for MindsDB", { log: true });
  }

  info(text: string): void {
    this.#write("info", text);
  }

  /** Logs a failure with all details: the server's messages and tracebacks. */
  error(what: string, error: unknown): void {
    this.#write("error", [what, ...details(error)].join("\n"));
  }

  #write(level: "info" | "error", text: string): void {
    const write = async (): Promise<void> => {
      const { redactUnknown } = await import("../../mindsdb/redact/redact.ts");
      if (!this.#closed) this.#channel[level](redactUnknown(text));
    };
    // After an update, the file to import is gone until the window reloads.
    this.#written = this.#written.then(write).catch(() => undefined);
  }

  show(): void {
    this.#channel.show(true);
  }

  /** Later messages of running requests are dropped. VS Code 1.139 has one channel for all logs of its name: it closes, too. */
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
