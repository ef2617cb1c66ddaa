import path from "node:path";
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { AppError } from "../../mindsdb/errors.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import { WriterLock, type WriterTurn } from "../writerLock.ts";

interface Options {
  servers: ServerAccess;
  /** A folder in the storage that all windows share. */
  draftsFolder: string;
}

/** Lets one writer of all windows at a time change a knowledge base: on 25.14.1 two writers destroy its store. */
export class KnowledgeBaseWriters {
  readonly #busy = new Set<string>();
  readonly #servers: ServerAccess;
  readonly #lock: WriterLock;

  constructor({ servers, draftsFolder }: Options) {
    this.#servers = servers;
    this.#lock = new WriterLock(path.join(path.dirname(draftsFolder), "writers"));
  }

  /** Runs `work`, unless another writer is at work. Throws AppError "conflict", and what `work` throws. */
  async run<T>(
    { connectionId, project, name }: KnowledgeBaseRef,
    work: (turn: WriterTurn) => Promise<T>,
  ): Promise<T> {
    const address = this.#servers.find(connectionId)?.address ?? connectionId;
    const item = [address, project, name];
    const key = JSON.stringify(item);
    if (this.#busy.has(key)) {
      throw new AppError(
        "conflict",
        vscode.l10n.t("{0} is being changed in this window. Try again when that is done.", name),
      );
    }
    const turn = this.#lock.take(item);
    if (!turn) {
      throw new AppError(
        "conflict",
        vscode.l10n.t(
          "{0} is being changed in another VS Code window. Try again when that is done.",
          name,
        ),
      );
    }
    this.#busy.add(key);
    try {
      return await work(turn);
    } finally {
      this.#busy.delete(key);
      turn.release();
    }
  }
}
