// Choosing and deleting ML engines, and copying them as SQL. Imported with the first use.
import * as vscode from "vscode";
import {
  deleteMlEngine,
  engineInUse,
  getMlEngine,
  listMlEngines,
  listModelsOfHandler,
} from "../../mindsdb/mlEngines.ts";
import type { ItemPlace } from "../../mindsdb/references.ts";
import { attempt } from "../../shared/host/attempt.ts";
import { showInformation, showStatus } from "../../shared/host/notifications.ts";
import { askChoice, back } from "../../shared/host/quickInput.ts";
import { joinNames } from "../../shared/joinNames.ts";
import { copyableEngineStatement } from "../createEngineStatement.ts";
import { chooseOnServer, type ChooseOptions } from "./chooseOnServer.ts";
import { readHandlers, type DataSourceActionOptions } from "./dataSourceActions.ts";
import type { DataSourceRef } from "./dataSourceFormPage.ts";
import { copyStatement, unknownHandler } from "./editDataSource.ts";

/** A kind of ML engine on a server. */
export interface EngineKind {
  connectionId: string;
  handler: string;
}

/** Deletes an ML engine, after a question that says which models may use it. */
export async function confirmAndDelete(
  options: ChooseOptions,
  given?: DataSourceRef,
): Promise<void> {
  const engine = await chooseEngine(options, vscode.l10n.t("Delete an ML Engine"), given);
  if (!engine) return;
  const { servers } = options;
  const { connectionId, name } = engine;
  await attempt(options, "Deleting an ML engine", connectionId, async () => {
    const client = await servers.client(connectionId);
    const { handler } = await getMlEngine(client, name);
    const others = (await listMlEngines(client)).filter((one) => one.handler === handler);
    const models = await listModelsOfHandler(client, handler).catch(() => undefined);
    // Servers tell only the kind of a model's engine, so this one is sure if there is no other.
    if (models && models.length > 0 && others.length === 1) {
      throw engineInUse(name, formatNames(models));
    }
    const isAllowed = await servers.allowWrite(connectionId, {
      what: vscode.l10n.t("Delete the ML engine {0}", name),
      button: vscode.l10n.t("Delete"),
      detail: [
        vscode.l10n.t("The server also deletes its parameters, including keys."),
        ...describeModels(handler, models),
      ],
      deletes: name,
    });
    if (!isAllowed) return;
    await deleteMlEngine(client, name);
    showStatus(vscode.l10n.t("Deleted {0}", name));
  });
}

function describeModels(handler: string, models: readonly ItemPlace[] | undefined): string[] {
  if (!models) return [vscode.l10n.t("The models that use it could not be checked.")];
  if (models.length === 0) return [];
  return [
    vscode.l10n.t(
      "Models of all {0} engines: {1}. The server refuses if one of them uses this engine.",
      handler,
      formatNames(models),
    ),
  ];
}

function formatNames(models: readonly ItemPlace[]): string {
  return joinNames(models.map(({ project, name }) => `${project}.${name}`));
}

/** Copies the statement that creates an ML engine, without its secrets. */
export async function copyEngineAsSql(
  options: DataSourceActionOptions,
  given?: DataSourceRef,
): Promise<void> {
  const engine = await chooseEngine(options, vscode.l10n.t("Copy an ML Engine as SQL"), given);
  if (!engine) return;
  const { servers } = options;
  const { connectionId, name } = engine;
  await attempt(options, "Copying an ML engine", connectionId, async () => {
    const stored = await getMlEngine(await servers.client(connectionId), name);
    const handlers = await readHandlers(servers, connectionId, "ml");
    if (!handlers) return;
    const handler =
      handlers.find((one) => one.name === stored.handler) ?? unknownHandler("ml", stored.handler);
    await copyStatement(name, copyableEngineStatement(handler, stored));
  });
}

/** The given ML engine, one of a kind (models name only the kind of theirs), or one that the user picks. */
export async function engineToShow(
  options: ChooseOptions,
  given?: DataSourceRef | EngineKind,
): Promise<DataSourceRef | undefined> {
  const title = vscode.l10n.t("Show an ML Engine");
  if (!given || !("handler" in given)) return chooseEngine(options, title, given);
  const { connectionId, handler } = given;
  let engine: DataSourceRef | undefined;
  await attempt(options, "Opening an ML engine", connectionId, async () => {
    const all = await listMlEngines(await options.servers.client(connectionId));
    const ofKind = all.filter((one) => one.handler === handler);
    if (ofKind.length === 0) {
      void showInformation(vscode.l10n.t("This server has no ML engine of the kind {0}.", handler));
      return;
    }
    const [first, second] = ofKind;
    if (first && !second) engine = { connectionId, name: first.name };
    const items = ofKind.map(({ name }) => ({ label: name, name }));
    const placeholder = vscode.l10n.t("Which ML engine?");
    const picked = engine ? undefined : await askChoice({ title, placeholder, items });
    if (picked && picked !== back) engine = { connectionId, name: picked.name };
  });
  return engine;
}

/** The given ML engine, or one that the user picks. */
function chooseEngine(
  options: ChooseOptions,
  title: string,
  given: DataSourceRef | undefined,
): Promise<DataSourceRef | undefined> {
  return chooseOnServer(options, given, {
    title,
    placeholder: vscode.l10n.t("Which ML engine?"),
    none: vscode.l10n.t("This server has no ML engines."),
    task: "Listing ML engines",
    list: async (client) => {
      const engines = await listMlEngines(client);
      return engines.map(({ name, handler }) => ({ name, description: handler }));
    },
  });
}
