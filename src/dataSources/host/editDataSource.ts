// Opening the form of a data source, and copying it as SQL. Imported with the first use.
import * as vscode from "vscode";
import { getDataSource, type StoredDataSource } from "../../mindsdb/dataSourceChanges.ts";
import type { Handler, HandlerKind } from "../../mindsdb/handlers.ts";
import { attempt } from "../../shared/host/attempt.ts";
import { showStatus } from "../../shared/host/notifications.ts";
import { createDatabaseStatement, type Statement } from "../createDatabaseStatement.ts";
import { createStoredDraft, listStoredSecrets } from "../storedDraft.ts";
import { chooseSource } from "./changeDataSource.ts";
import { readHandlers, type DataSourceActionOptions } from "./dataSourceActions.ts";
import type { DataSourceRef } from "./dataSourceFormPage.ts";
import { loadKnown } from "./loadKnown.ts";

/** Opens the form of a data source, with its parameters as the server has them now. */
export async function editInForm(
  options: DataSourceActionOptions,
  given?: DataSourceRef,
): Promise<void> {
  const source = await chooseSource(options, vscode.l10n.t("Edit a Data Source"), given);
  if (!source) return;
  const { connectionId } = source;
  await attempt(options, "Editing a data source", connectionId, async () => {
    const read = await readSource(options, source);
    if (!read) return;
    const { stored, handler } = read;
    const known = await loadKnown(options.servers, connectionId, {
      kind: "data",
      engine: handler.name,
      handler,
    });
    const forms = await options.loadForms();
    forms.edit(connectionId, createStoredDraft(handler, stored), known);
  });
}

/** Copies the statement that creates a data source, without its secrets. */
export async function copyAsSql(
  options: DataSourceActionOptions,
  given?: DataSourceRef,
): Promise<void> {
  const source = await chooseSource(options, vscode.l10n.t("Copy a Data Source as SQL"), given);
  if (!source) return;
  await attempt(options, "Copying a data source", source.connectionId, async () => {
    const read = await readSource(options, source);
    if (!read) return;
    await copyStatement(source.name, createDatabaseStatement(read.handler, read.stored));
  });
}

/** Copies the statement that creates something, and says which secrets it has placeholders for. */
export async function copyStatement(name: string, { sql, placeholders }: Statement): Promise<void> {
  await vscode.env.clipboard.writeText(sql);
  showStatus(
    placeholders.length === 0
      ? vscode.l10n.t("Copied {0}", name)
      : vscode.l10n.t("Copied {0} without {1}", name, placeholders.join(", ")),
    5_000,
  );
}

/** The data source and its handler, which tells what is secret. Undefined if the user cancels. */
async function readSource(
  { servers }: DataSourceActionOptions,
  { connectionId, name }: DataSourceRef,
): Promise<{ stored: StoredDataSource; handler: Handler } | undefined> {
  const client = await servers.client(connectionId);
  const stored = await getDataSource(client, name);
  const handlers = await readHandlers(servers, connectionId, "data");
  if (!handlers) return undefined;
  const handler =
    handlers.find((one) => one.name === stored.engine) ?? unknownHandler("data", stored.engine);
  for (const secret of listStoredSecrets(handler, stored)) client.secrets.addReturned(secret);
  return { stored, handler };
}

/** The server has no such handler: parameters are names and values. */
export function unknownHandler(kind: HandlerKind, name: string): Handler {
  return {
    kind,
    name,
    title: name,
    description: undefined,
    isReady: false,
    importError: undefined,
    arguments: undefined,
  };
}
