// What commands do with data sources. Imported with the first use.
import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { installDriver, listHandlers, type Handler } from "../../mindsdb/handlers.ts";
import { attempt } from "../../shared/host/attempt.ts";
import type { Log } from "../../shared/host/log.ts";
import { pickConnection } from "../../shared/host/newItemTarget.ts";
import { showErrorMessage, showStatus } from "../../shared/host/notifications.ts";
import { askChoice, back } from "../../shared/host/quickInput.ts";
import { withCancelButton } from "../../shared/host/withCancelButton.ts";
import { commonEngines } from "../engineHints.ts";
import { findMissingDriver } from "../serverErrors.ts";
import type { DataSourceForms } from "./dataSourceForms.ts";
import { loadKnown } from "./loadKnown.ts";

/** A kind of data source on a server. */
export interface EngineRef {
  connectionId: string;
  engine: string;
}

export interface DataSourceActionOptions {
  servers: ServerAccess;
  log: Log;
  loadForms: () => Promise<DataSourceForms>;
}

/** Asks what to connect to, and opens its form. */
export async function connectInForm(
  options: DataSourceActionOptions,
  given: { connectionId: string } | undefined,
): Promise<void> {
  const { servers, loadForms } = options;
  const title = vscode.l10n.t("Connect a Data Source");
  const connection = await pickConnection(servers, given, {
    title,
    offer: vscode.l10n.t("Data sources need a MindsDB server, and none is connected yet."),
  });
  if (!connection) return;
  const { id } = connection;
  await attempt(options, "Connecting a data source", id, async () => {
    const handlers = await readHandlers(servers, id);
    if (!handlers) return;
    const picked = await pickHandler(title, handlers);
    if (!picked) return;
    const handler = picked.isReady ? picked : await installAndRead(options, id, picked);
    if (!handler) return;
    const known = await loadKnown(servers, id, { engine: handler.name, handler });
    (await loadForms()).create(id, handler, known);
  });
}

/** Installs the driver of an engine, if the connection and the user allow it. */
export async function installDriverOf(
  options: DataSourceActionOptions,
  { connectionId, engine }: EngineRef,
): Promise<void> {
  await attempt(options, "Installing a driver", connectionId, async () => {
    const handlers = await readHandlers(options.servers, connectionId);
    const handler = handlers?.find(({ name }) => name === engine);
    if (!handler) return;
    const installed = await installAndRead(options, connectionId, handler);
    if (installed) (await options.loadForms()).reload(connectionId);
  });
}

/** Reading takes a while: the server imports all handlers first. Undefined if the user cancels. */
export async function readHandlers(
  servers: ServerAccess,
  connectionId: string,
): Promise<Handler[] | undefined> {
  const client = await servers.client(connectionId);
  const title = vscode.l10n.t("Reading the available types of data sources…");
  return withCancelButton(title, async (signal) => {
    try {
      return await listHandlers(client, { signal });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
}

async function pickHandler(
  title: string,
  handlers: readonly Handler[],
): Promise<Handler | undefined> {
  const placeOf = ({ name }: Handler): number => {
    const place = commonEngines.indexOf(name);
    return place < 0 ? commonEngines.length : place;
  };
  const sorted = [...handlers].sort((a, b) => placeOf(a) - placeOf(b));
  const picked = await askChoice({
    title,
    placeholder: vscode.l10n.t("What do you want to connect to?"),
    items: sorted.map((handler) => ({
      label: handler.title,
      description: handler.title === handler.name ? "" : handler.name,
      detail: describeHandler(handler),
      handler,
    })),
  });
  return picked === back ? undefined : picked?.handler;
}

function describeHandler(handler: Handler): string {
  const { description = "", isReady, importError = "" } = handler;
  if (isReady) return description;
  const driver = findMissingDriver(importError);
  const missing = driver
    ? vscode.l10n.t("Needs a driver: {0}", driver)
    : vscode.l10n.t("Needs a driver");
  return [missing, description].filter(Boolean).join(" · ");
}

/** Returns the handler with its driver; undefined if it could not be installed, which was said. */
async function installAndRead(
  { servers, log }: DataSourceActionOptions,
  connectionId: string,
  { name, title, importError = "" }: Handler,
): Promise<Handler | undefined> {
  const driver = findMissingDriver(importError);
  const isAllowed = await servers.allowWrite(connectionId, {
    what: vscode.l10n.t("Install the driver of {0}", title),
    button: vscode.l10n.t("Install"),
    detail: [
      driver
        ? vscode.l10n.t("The server has no module {0}.", driver)
        : vscode.l10n.t("Server message: {0}", importError),
      vscode.l10n.t("MindsDB runs pip on its machine, which downloads packages for everyone."),
    ],
    isAlwaysAsked: true,
  });
  if (!isAllowed) return undefined;
  const client = await servers.client(connectionId);
  const progress = vscode.l10n.t("Installing the driver of {0}…", title);
  const found = await withCancelButton(progress, async (signal) => {
    try {
      await installDriver(client, name, { signal });
      return (await listHandlers(client, { signal })).find((one) => one.name === name);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
  if (found?.isReady) {
    showStatus(vscode.l10n.t("Installed the driver of {0}", title));
    return found;
  }
  if (found) {
    const reason = client.secrets.redact(found.importError ?? "");
    log.info(`The driver of ${name} was installed, but cannot be imported: ${reason}`);
    void showErrorMessage(
      vscode.l10n.t("The server still can't use {0}: {1}", title, reason.slice(0, 300)),
    );
  }
  return undefined;
}
