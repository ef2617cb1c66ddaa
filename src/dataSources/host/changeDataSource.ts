// Reconnecting and disconnecting data sources. Imported with the first use.
import * as vscode from "vscode";
import { disconnectDataSource, reconnectDataSource } from "../../mindsdb/dataSourceChanges.ts";
import { listDatabases } from "../../mindsdb/dataSources.ts";
import { filesSource } from "../../mindsdb/filesSource.ts";
import { attempt } from "../../shared/host/attempt.ts";
import { joinNames } from "../../shared/joinNames.ts";
import { showStatus } from "../../shared/host/notifications.ts";
import { withCancelButton } from "../../shared/host/withCancelButton.ts";
import { findDependents, type Dependent } from "../findDependents.ts";
import { chooseOnServer, type ChooseOptions } from "./chooseOnServer.ts";
import type { DataSourceRef } from "./dataSourceFormPage.ts";

/** Has the server connect to a data source again whose connection was dropped. */
export async function reconnect(options: ChooseOptions, given?: DataSourceRef): Promise<void> {
  const source = await chooseSource(options, vscode.l10n.t("Reconnect a Data Source"), given);
  if (!source) return;
  const { servers } = options;
  const { connectionId, name } = source;
  await attempt(options, "Reconnecting a data source", connectionId, async () => {
    const isAllowed = await servers.allowWrite(connectionId, {
      what: vscode.l10n.t("Reconnect the data source {0}", name),
      button: vscode.l10n.t("Reconnect"),
    });
    if (!isAllowed) return;
    const client = await servers.client(connectionId);
    await withCancelButton(vscode.l10n.t("Reconnecting {0}…", name), async (signal) => {
      try {
        await reconnectDataSource(client, name, { signal });
        showStatus(vscode.l10n.t("Reconnected {0}", name));
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    });
    client.observe({ kind: "changed", list: "tables", project: name });
  });
}

/** Removes a data source from the server, after a question that says what depends on it. */
export async function confirmAndDisconnect(
  options: ChooseOptions,
  given?: DataSourceRef,
): Promise<void> {
  const source = await chooseSource(options, vscode.l10n.t("Disconnect a Data Source"), given);
  if (!source) return;
  const { servers } = options;
  const { connectionId, name } = source;
  await attempt(options, "Disconnecting a data source", connectionId, async () => {
    const client = await servers.client(connectionId);
    const { found, isPartial } = await findDependents(client, name);
    const isAllowed = await servers.allowWrite(connectionId, {
      what: vscode.l10n.t("Disconnect the data source {0}", name),
      button: vscode.l10n.t("Disconnect"),
      detail: [
        vscode.l10n.t("The server deletes the connection details. The data itself is not deleted."),
        ...describeDependents(found),
        ...(isPartial
          ? [vscode.l10n.t("Some items that may depend on it could not be checked.")]
          : []),
      ],
      deletes: name,
    });
    if (!isAllowed) return;
    await disconnectDataSource(client, name);
    showStatus(vscode.l10n.t("Disconnected {0}", name));
  });
}

function describeDependents(found: readonly Dependent[]): string[] {
  const names = (kind: Dependent["kind"]): string | undefined => {
    const all = found.filter((one) => one.kind === kind).map((one) => `${one.project}.${one.name}`);
    return all.length === 0 ? undefined : joinNames(all);
  };
  const [views, agents, bases, jobs, triggers] = [
    names("view"),
    names("agent"),
    names("knowledgeBase"),
    names("job"),
    names("trigger"),
  ];
  return [
    views && vscode.l10n.t("Views that will fail: {0}", views),
    agents && vscode.l10n.t("Agents that read it: {0}", agents),
    bases && vscode.l10n.t("Knowledge bases stored in it: {0}", bases),
    jobs && vscode.l10n.t("Jobs that will fail: {0}", jobs),
    triggers && vscode.l10n.t("Triggers that will stop or fail: {0}", triggers),
  ].filter((line) => line !== undefined);
}

/** The given data source, or one that the user picks. */
export function chooseSource(
  options: ChooseOptions,
  title: string,
  given: DataSourceRef | undefined,
): Promise<DataSourceRef | undefined> {
  return chooseOnServer(options, given, {
    title,
    placeholder: vscode.l10n.t("Which data source?"),
    none: vscode.l10n.t("This server has no data sources other than uploaded files."),
    task: "Listing data sources",
    list: async (client) => {
      const databases = await listDatabases(client);
      return databases
        .filter(({ kind, name }) => kind === "data" && name !== filesSource)
        .map(({ name, engine }) => ({ name, description: engine ?? "" }));
    },
  });
}
