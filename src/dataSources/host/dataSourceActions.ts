// Commands that connect data sources and create ML engines. Imported with the first use.
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import {
  installDriver,
  listHandlers,
  type Handler,
  type HandlerKind,
} from "../../mindsdb/handlers.ts";
import { isSameName } from "../../mindsdb/nameOrder.ts";
import { attempt } from "../../shared/host/attempt.ts";
import type { Log } from "../../shared/host/log.ts";
import { pickConnection } from "../../shared/host/newItemTarget.ts";
import { showErrorMessage, showStatus } from "../../shared/host/notifications.ts";
import { askChoice, back } from "../../shared/host/quickInput.ts";
import { withCancelButton } from "../../shared/host/withCancelButton.ts";
import { commonEngines } from "../engineHints.ts";
import { commonMlEngines } from "../mlEngineHints.ts";
import { findMissingDriver } from "../serverErrors.ts";
import { toPlainSourceName, type Known } from "../validation.ts";
import type { DataSourceForms } from "./dataSourceForms.ts";
import { loadKnown } from "./loadKnown.ts";

/** A kind of data source or ML engine on a server. */
export interface EngineRef {
  connectionId: string;
  engine: string;
  kind: HandlerKind;
}

/** An ML engine that is wanted, if a name is known: one that something failed without. */
export interface WantedEngine {
  connectionId: string;
  name?: string;
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
  const texts = {
    title: vscode.l10n.t("Connect a Data Source"),
    offer: vscode.l10n.t("Data sources need a MindsDB server, and none is connected yet."),
    task: "Connecting a data source",
  };
  const place = given && { connectionId: given.connectionId };
  await openForm(options, place, "data", texts, (forms, id, known) =>
    forms.create(id, known.handler, known),
  );
}

/** Asks which kind of ML engine to create, unless a wanted engine is called like one, and opens its form. */
export async function createEngineInForm(
  options: DataSourceActionOptions,
  given: WantedEngine | undefined,
): Promise<void> {
  const texts = {
    title: vscode.l10n.t("Create an ML Engine"),
    offer: vscode.l10n.t("ML engines need a MindsDB server, and none is connected yet."),
    task: "Creating an ML engine",
  };
  await openForm(options, given, "ml", texts, (forms, id, known) => {
    const { handler, taken } = known;
    // Models name the engine; most servers have one of each kind, called like it.
    const name = toPlainSourceName(given?.name ?? handler.name, "ml");
    const isTaken = taken?.some((one) => isSameName(one.name, name));
    forms.createEngine(id, handler, { known, name: isTaken ? "" : name });
  });
}

/** Asks for the server and the handler, unless they are given, and for its driver if it is missing. */
async function openForm(
  options: DataSourceActionOptions,
  given: WantedEngine | undefined,
  kind: HandlerKind,
  { title, offer, task }: { title: string; offer: string; task: string },
  open: (forms: DataSourceForms, connectionId: string, known: Known) => void,
): Promise<void> {
  const { servers, loadForms } = options;
  const connection = await pickConnection(servers, given, { title, offer });
  if (!connection) return;
  const { id } = connection;
  await attempt(options, task, id, async () => {
    const handlers = await readHandlers(servers, id, kind);
    if (!handlers) return;
    const picked =
      handlers.find(({ name }) => name === given?.name) ??
      (await pickHandler(title, handlers, kind));
    if (!picked) return;
    const handler = picked.isReady ? picked : await installAndRead(options, id, picked);
    if (!handler) return;
    const known = await loadKnown(servers, id, { kind, engine: handler.name, handler });
    open(await loadForms(), id, known);
  });
}

/** Installs the driver of an engine, if the connection and the user allow it. */
export async function installDriverOf(
  options: DataSourceActionOptions,
  { connectionId, engine, kind }: EngineRef,
): Promise<void> {
  await attempt(options, "Installing a driver", connectionId, async () => {
    const handlers = await readHandlers(options.servers, connectionId, kind);
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
  kind: HandlerKind,
): Promise<Handler[] | undefined> {
  const client = await servers.client(connectionId);
  const title =
    kind === "ml"
      ? vscode.l10n.t("Loading the kinds of ML engines…")
      : vscode.l10n.t("Loading the kinds of data sources…");
  return withCancelButton(title, async (signal) => {
    try {
      return await listHandlers(client, { kind, signal });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
}

async function pickHandler(
  title: string,
  handlers: readonly Handler[],
  kind: HandlerKind,
): Promise<Handler | undefined> {
  const common = kind === "ml" ? commonMlEngines : commonEngines;
  const placeOf = ({ name }: Handler): number => {
    const place = common.indexOf(name);
    return place < 0 ? common.length : place;
  };
  const sorted = [...handlers].sort((a, b) => placeOf(a) - placeOf(b));
  const picked = await askChoice({
    title,
    placeholder:
      kind === "ml"
        ? vscode.l10n.t("Which kind of engine?")
        : vscode.l10n.t("What do you want to connect to?"),
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
  { kind, name, title, importError = "" }: Handler,
): Promise<Handler | undefined> {
  const driver = findMissingDriver(importError);
  const isAllowed = await servers.allowWrite(connectionId, {
    what: vscode.l10n.t("Install the driver for {0}", title),
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
  const progress = vscode.l10n.t("Installing the driver for {0}…", title);
  const found = await withCancelButton(progress, async (signal) => {
    try {
      await installDriver(client, name, { signal });
      return (await listHandlers(client, { kind, signal })).find((one) => one.name === name);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
  if (found?.isReady) {
    showStatus(vscode.l10n.t("Installed the driver for {0}", title));
    return found;
  }
  if (found) {
    const reason = found.importError ?? "";
    log.info(`The driver of ${name} was installed, but cannot be imported: ${reason}`);
    void showErrorMessage(
      vscode.l10n.t("The server still can't use {0}: {1}", title, reason.slice(0, 300)),
    );
  }
  return undefined;
}
