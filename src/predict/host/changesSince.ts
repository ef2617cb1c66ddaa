// What has changed since a result was made: what marks it as stale.
import path from "node:path";
import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { findVersion } from "../../mindsdb/models.ts";
import { isNetworkPath } from "../rows/localPaths.ts";
import type { ResultOrigin } from "../result/resultMetadata.ts";
import { isOtherContent } from "./notebookResults.ts";

/** A server may take this long to say which version a model has, in ms. */
const versionTimeoutMs = 10_000;

/** "From 14:02, model version 2", with the date if that is another day. */
export function formatOrigin({ startedAt, training }: ResultOrigin): string {
  const { language } = vscode.env;
  const start = new Date(startedAt);
  const isToday = start.toDateString() === new Date().toDateString();
  const time = isToday
    ? start.toLocaleTimeString(language, { timeStyle: "short" })
    : start.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
  return training
    ? vscode.l10n.t("From {0}, model version {1}", time, training.version)
    : vscode.l10n.t("From {0}", time);
}

/** That the cell says something else now. */
export function cellChange(
  cell: vscode.NotebookCell | undefined,
  origin: ResultOrigin,
): string | undefined {
  if (!cell || !isOtherContent(cell, origin)) return undefined;
  return vscode.l10n.t("The cell has changed since.");
}

/** That the file of rows is another one now. Looks at nothing on other machines. */
export async function rowsChange({ rowsFile }: ResultOrigin): Promise<string | undefined> {
  if (!rowsFile) return undefined;
  const uri = vscode.Uri.parse(rowsFile.address, true);
  if (uri.scheme === "file" && isNetworkPath(uri.fsPath)) return undefined;
  const stat = await vscode.workspace.fs.stat(uri).then(undefined, () => undefined);
  const name = path.posix.basename(uri.path);
  if (!stat) return vscode.l10n.t("{0} is no longer there.", name);
  if (stat.size === rowsFile.bytes && stat.mtime === rowsFile.modified) return undefined;
  return vscode.l10n.t("{0} has changed since.", name);
}

/** Asks servers which versions models have now. */
export class ModelChanges {
  readonly #servers: ServerAccess;
  /** Questions under way: several cells may be for the same model. */
  readonly #asked = new Map<string, ReturnType<typeof findVersion>>();

  constructor(servers: ServerAccess) {
    this.#servers = servers;
  }

  /** That the model is another one now; nothing where the server does not say. Signs nobody in. */
  async change({ connectionId, model, training }: ResultOrigin): Promise<string | undefined> {
    if (!model || !training || !this.#servers.find(connectionId)) return undefined;
    const now = await this.#versionOf(connectionId, model).catch(() => undefined);
    if (!now) return undefined;
    if (now.version !== training.version) {
      return vscode.l10n.t("The model's version is {0} now.", now.version);
    }
    if (now.createdAt === training.createdAt) return undefined;
    return vscode.l10n.t("The model has been trained again since.");
  }

  #versionOf(
    connectionId: string,
    { project, name, version }: NonNullable<ResultOrigin["model"]>,
  ): ReturnType<typeof findVersion> {
    const key = JSON.stringify([connectionId, project, name, version]);
    const asked = this.#asked.get(key);
    if (asked) return asked;
    const meant = { project, name, ...(version === undefined ? {} : { version }) };
    const found = this.#servers
      .client(connectionId)
      .then((client) => findVersion(client, meant, { timeoutMs: versionTimeoutMs }))
      .finally(() => this.#asked.delete(key));
    this.#asked.set(key, found);
    return found;
  }
}
