import * as vscode from "vscode";
import { AppError } from "../../mindsdb/errors.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";

/** Lets one writer of this window at a time change a knowledge base: on 25.14.1 two writers destroy its store. */
export class KnowledgeBaseWriters {
  readonly #busy = new Set<string>();

  /** Runs `work`, unless another writer is at work. Throws AppError "conflict", and what `work` throws. */
  async run<T>(
    { connectionId, project, name }: KnowledgeBaseRef,
    work: () => Promise<T>,
  ): Promise<T> {
    const key = JSON.stringify([connectionId, project, name]);
    if (this.#busy.has(key)) {
      throw new AppError(
        "conflict",
        vscode.l10n.t("{0} is being changed from this window. Try again when that is done.", name),
      );
    }
    this.#busy.add(key);
    try {
      return await work();
    } finally {
      this.#busy.delete(key);
    }
  }
}
