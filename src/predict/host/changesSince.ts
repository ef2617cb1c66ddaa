import path from "node:path";
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { findVersion } from "../../mindsdb/models.ts";
import { formatModelName } from "../notebook/modelName.ts";
import { isNetworkPath } from "../../shared/files/localPaths.ts";
import type { RunOrigin } from "../result/resultMetadata.ts";
import { hasOtherContent } from "./cellText.ts";

/** Milliseconds that a request for a model's version may take. */
const versionTimeoutMs = 10_000;

/**
 * "From 14:02, model version 2", with the table if rows were on the server; with the date if the result is not from
 * today.
 */
export function formatOrigin(origin: RunOrigin): string {
  const { startedAt, model, training, comparedWith, serverRows } = origin;
  const { language } = vscode.env;
  const start = new Date(startedAt);
  const isToday = start.toDateString() === new Date().toDateString();
  const time = isToday
    ? start.toLocaleTimeString(language, { timeStyle: "short" })
    : start.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
  if (model && comparedWith) {
    const [first, second] = [{ model, training }, comparedWith].map(formatTraining);
    return vscode.l10n.t("From {0}, {1}, and {2}", time, first ?? "", second ?? "");
  }
  if (serverRows) {
    // Rows of a server are not watched: the time says how old they may be.
    const rows = serverRows.table ?? vscode.l10n.t("the query");
    return training
      ? vscode.l10n.t("Rows of {0} from {1}, model version {2}", rows, time, training.version)
      : vscode.l10n.t("Rows of {0} from {1}", rows, time);
  }
  return training
    ? vscode.l10n.t("From {0}, model version {1}", time, training.version)
    : vscode.l10n.t("From {0}", time);
}

/** "mindsdb.rent version 2" */
export function formatTraining({
  model,
  training,
}: NonNullable<RunOrigin["comparedWith"]>): string {
  const { project, name } = model;
  const text = formatModelName({ project, name });
  return training ? vscode.l10n.t("{0} version {1}", text, training.version) : text;
}

/** A sentence if the cell has changed since the result was made. */
export function describeCellChange(
  cell: vscode.NotebookCell | undefined,
  origin: RunOrigin,
): string | undefined {
  if (!cell || !hasOtherContent(cell, origin)) return undefined;
  return vscode.l10n.t("The cell has changed since this run.");
}

/** A sentence if the rows file has changed since. Does not access files on other machines. */
export async function describeRowsChange({ rowsFile }: RunOrigin): Promise<string | undefined> {
  if (!rowsFile) return undefined;
  const uri = vscode.Uri.parse(rowsFile.address, true);
  if (uri.scheme === "file" && isNetworkPath(uri.fsPath)) return undefined;
  const stat = await vscode.workspace.fs.stat(uri).then(undefined, () => undefined);
  const name = path.posix.basename(uri.path);
  if (!stat) return vscode.l10n.t("{0} no longer exists.", name);
  if (stat.size === rowsFile.bytes && stat.mtime === rowsFile.modified) return undefined;
  return vscode.l10n.t("{0} has changed since this run.", name);
}

/** Detects models whose version or training has changed. */
export class ModelChanges {
  readonly #servers: ServerAccess;
  /** Requests in flight: several cells may use the same model. */
  readonly #requests = new Map<string, ReturnType<typeof findVersion>>();

  constructor(servers: ServerAccess) {
    this.#servers = servers;
  }

  /** A sentence if the model has changed since; undefined if the server cannot tell. Never shows a sign-in dialog. */
  async describeChange(origin: RunOrigin): Promise<string | undefined> {
    const { connectionId, model, training, comparedWith } = origin;
    if (!model || !this.#servers.find(connectionId)) return undefined;
    const change = await this.#describeModel(connectionId, { model, training });
    if (!comparedWith) return change;
    const other = await this.#describeModel(connectionId, comparedWith);
    const sentences = [
      change && `${formatModelName(model)}: ${change}`,
      other && `${formatModelName(comparedWith.model)}: ${other}`,
    ];
    return sentences.filter(Boolean).join(" ") || undefined;
  }

  async #describeModel(
    connectionId: string,
    { model, training }: NonNullable<RunOrigin["comparedWith"]>,
  ): Promise<string | undefined> {
    if (!training) return undefined;
    const current = await this.#requestVersion(connectionId, model).catch(() => undefined);
    if (!current) return undefined;
    if (current.version !== training.version) {
      return vscode.l10n.t("The model's version is now {0}.", current.version);
    }
    if (current.createdAt === training.createdAt) return undefined;
    return vscode.l10n.t("The model has been retrained since this run.");
  }

  #requestVersion(
    connectionId: string,
    { project, name, version }: NonNullable<RunOrigin["model"]>,
  ): ReturnType<typeof findVersion> {
    const key = JSON.stringify([connectionId, project, name, version]);
    const pending = this.#requests.get(key);
    if (pending) return pending;
    const request = this.#servers
      .client(connectionId)
      .then((client) =>
        findVersion(client, { project, name, version }, { timeoutMs: versionTimeoutMs }),
      )
      .finally(() => this.#requests.delete(key));
    this.#requests.set(key, request);
    return request;
  }
}
