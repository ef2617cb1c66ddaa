// Commands on the tree: find, open, pick and reveal items. Imported with the first use.
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { commands, views } from "../../ids.ts";
import type { AgentRef, ItemRef, KnowledgeBaseRef, TableRef } from "../../mindsdb/references.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import type { Log } from "../../shared/host/log.ts";
import { isUsing } from "../agentsUsing.ts";
import { copiedName } from "../copiedName.ts";
import { getDeleteCommand } from "../deleteCommand.ts";
import {
  isParent,
  itemRef,
  tableRef,
  type ConnectionNode,
  type ExplorerNode,
  type NamedNode,
} from "../node.ts";
import { getGroup } from "../openedGroups.ts";
import type { OpenedKind, OpenedNames } from "../openedNames.ts";
import { pickNode, type PickOptions } from "./findPicker.ts";
import { askForName } from "./openByName.ts";
import type { OpenedNamesStore } from "./openedNamesStore.ts";
import { JobActions } from "./jobActions.ts";
import { ProjectActions } from "./projectActions.ts";
import type { ExplorerTreeDataProvider } from "./treeDataProvider.ts";
import { showStatus } from "../../shared/host/notifications.ts";

interface ExplorerActionOptions {
  access: ServerAccess;
  provider: ExplorerTreeDataProvider;
  view: vscode.TreeView<ExplorerNode>;
  names: OpenedNamesStore;
  opened: OpenedNames;
  log: Log;
}

type RevealOptions = Pick<
  NonNullable<Parameters<vscode.TreeView<ExplorerNode>["reveal"]>[1]>,
  "focus" | "expand"
>;

/** The command that a click on an item runs. */
const openCommand = {
  agent: commands.agentAsk,
  knowledgeBase: commands.knowledgeBaseShow,
  model: commands.modelShow,
} as const;

export type ProjectList = "views" | "jobs" | "triggers";
export type ServerList = "data" | "mlEngines";

export class ExplorerActions {
  readonly jobs: JobActions;
  readonly projects: ProjectActions;
  readonly #access: ServerAccess;
  readonly #provider: ExplorerTreeDataProvider;
  readonly #view: vscode.TreeView<ExplorerNode>;
  readonly #names: OpenedNamesStore;
  readonly #opened: OpenedNames;
  readonly #log: Log;

  constructor({ access, provider, view, names, opened, log }: ExplorerActionOptions) {
    this.#access = access;
    this.#provider = provider;
    this.#view = view;
    this.#names = names;
    this.#opened = opened;
    this.#log = log;
    this.jobs = new JobActions(access, log);
    this.projects = new ProjectActions(access, log);
  }

  /** Copies the name of a node, or of one that the user picks. */
  async copyName(node?: NamedNode): Promise<void> {
    const named = node ?? (await this.#find(vscode.l10n.t("Copy a Name")));
    if (!named) return;
    const name = copiedName(named);
    await vscode.env.clipboard.writeText(name);
    showStatus(vscode.l10n.t("Copied {0}", name), 3_000);
  }

  /** Shows what the user picks, in the tree and as a click on it would. */
  async findAndOpen(): Promise<void> {
    const node = await this.#find(vscode.l10n.t("Find in MindsDB"));
    if (!node) return;
    await this.reveal(node);
    const { kind } = node;
    if (kind === "table" || kind === "view") {
      await executeCommand(commands.tablePreview, tableRef(node));
    }
    if (kind === "trigger") {
      await executeCommand(commands.triggerShow, itemRef(node));
    }
    if (kind === "mlEngine") {
      const { connectionId, name } = node;
      await executeCommand(commands.mlEngineShow, { connectionId, name });
    }
    if (kind === "job") await executeCommand(commands.jobShow, itemRef(node));
    if (kind !== "agent" && kind !== "knowledgeBase" && kind !== "model") return;
    await executeCommand(openCommand[kind], itemRef(node));
  }

  /** Opens an item by its name, and adds it to the tree where the server has no list. */
  async openByName(node?: ExplorerNode): Promise<void> {
    const named = await askForName(this.#access, this.#opened, node);
    if (!named) return;
    const { connectionId, kind, project, name } = named;
    await this.#names.add(connectionId, { kind, project, name });
    this.#provider.refreshConnection(connectionId);
    await executeCommand(openCommand[kind], { connectionId, project, name });
    const group = await this.#provider.findGroup({ connectionId, project }, getGroup(kind));
    const nodes = group ? await this.#provider.loadChildren(group) : [];
    const found = nodes.find((child) => child.kind === kind && child.name === name);
    if (found && this.#view.visible) await this.#select(found);
  }

  /** Removes an item from the tree that was opened by its name. */
  async forgetName(node: NamedNode): Promise<void> {
    if (node.kind !== "agent" && node.kind !== "knowledgeBase" && node.kind !== "model") return;
    const { connectionId, kind, project, name } = node;
    await this.#names.remove(connectionId, { kind, project, name });
    this.#provider.refreshConnection(connectionId);
  }

  /** Runs the Delete command of the selected row's menu. VS Code passes a key's command no row. */
  async deleteSelected(): Promise<void> {
    const [node] = this.#view.selection;
    const command = node && getDeleteCommand(node);
    if (command !== undefined) await vscode.commands.executeCommand(command, node);
  }

  /** Asks the user for an item, of one connection if it is given. */
  async pick(
    kind: OpenedKind,
    title: string,
    connectionId?: string,
    first?: PickOptions["first"],
  ): Promise<ItemRef | undefined> {
    const placeholder = {
      agent: vscode.l10n.t("Which agent?"),
      knowledgeBase: vscode.l10n.t("Which knowledge base?"),
      model: vscode.l10n.t("Which model?"),
    }[kind];
    const wanted = (node: NamedNode) => node.kind === kind;
    const options = { title, placeholder, connectionId, first, wanted };
    const node = await pickNode(this.#access, options, this.#opened);
    return node?.kind === kind ? itemRef(node) : undefined;
  }

  /** Asks for an agent of the knowledge base's connection; agents with access to it come first. */
  async pickReader(base: KnowledgeBaseRef): Promise<AgentRef | undefined> {
    const title = vscode.l10n.t("Ask an Agent About {0}", base.name);
    return this.pick("agent", title, base.connectionId, {
      holds: (node) => node.kind === "agent" && isUsing(node, base),
      others: vscode.l10n.t("Agents without access to {0}", base.name),
    });
  }

  /** Reloads the tables of a data source and selects this one. Does not take the focus. */
  async revealTable({ connectionId, project, name }: TableRef): Promise<void> {
    const table = await this.#provider.reloadTable(connectionId, project, name);
    if (table) await this.#select(table);
  }

  /** Reloads a list of a project and selects this item. Does not take the focus. */
  async revealOfProject(list: ProjectList, wanted: ItemRef): Promise<void> {
    const group = await this.#provider.findGroup(wanted, list);
    if (!group) return;
    this.#provider.refresh(group);
    const nodes = await this.#provider.loadChildren(group);
    const found = nodes.find(
      (node) =>
        (node.kind === "view" || node.kind === "job" || node.kind === "trigger") &&
        node.item.name === wanted.name,
    );
    if (found) await this.#select(found);
  }

  /** Reloads a list of a connection and selects this item. Does not take the focus. */
  async revealOfServer(
    list: ServerList,
    { connectionId, name }: { connectionId: string; name: string },
  ): Promise<void> {
    const item = await this.#provider.reloadOfServer(connectionId, list, name);
    if (item) await this.#select(item);
  }

  /** Reloads the list of an item and selects the item. Does not take the focus. */
  async revealItem(kind: OpenedKind, item: ItemRef): Promise<void> {
    const { connectionId, project, name } = item;
    const group = await this.#provider.findGroup(item, getGroup(kind));
    if (group) this.#provider.refresh(group);
    const items = group ? await this.#provider.loadChildren(group) : [];
    const node = items.find((child) => child.kind === kind && child.name === name);
    if (node) {
      await this.#select(node);
    } else if (!group || items.some((child) => child.kind === "unlisted")) {
      await this.#names.add(connectionId, { kind, project, name });
      this.#provider.refreshConnection(connectionId);
    }
  }

  /** Selects a node, expands it and takes the focus. */
  async reveal(node: ConnectionNode | NamedNode): Promise<void> {
    await vscode.commands.executeCommand(`${views.explorer}.focus`);
    await this.#select(node, { focus: true, expand: isParent(node) });
  }

  async #select(node: ExplorerNode, how: RevealOptions = { focus: false }): Promise<void> {
    try {
      await this.#view.reveal(node, { select: true, ...how });
    } catch (error) {
      // The item can be gone again by now.
      this.#log.info(`An item could not be shown in the tree: ${String(error)}`);
    }
  }

  async #find(title: string): Promise<NamedNode | undefined> {
    return pickNode(
      this.#access,
      {
        title,
        placeholder: vscode.l10n.t("Enter part of a name"),
        data: { tables: this.#provider.loadedTables() },
      },
      this.#opened,
    );
  }
}
