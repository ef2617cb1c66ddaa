// The tree view, its commands, and revealing items in it.
import * as vscode from "vscode";
import { commands, contextKeys, views } from "../../ids.ts";
import type { ServerAccess, ServerChanges } from "../../connections/connection.ts";
import type { DescriptionCache } from "../../models/descriptionCache.ts";
import type {
  AgentRef,
  ItemRef,
  KnowledgeBaseRef,
  ModelRef,
  TableRef,
} from "../../mindsdb/references.ts";
import type { Log } from "../../shared/host/log.ts";
import {
  isParent,
  itemRef,
  getParentNode,
  type ConnectionNode,
  type ExplorerNode,
  type NamedNode,
  type ProjectNode,
} from "../node.ts";
import { loadRoots } from "../loadRoots.ts";
import { getGroup, type OpenedKind, type OpenedNames } from "../openedNames.ts";
import type { PickOptions } from "./findPicker.ts";
import type { NamedThing } from "./openByName.ts";
import type { OpenedNamesStore } from "./openedNamesStore.ts";
import type { ProjectActions } from "./projectActions.ts";
import { ExplorerTreeDataProvider, type TreeAccess } from "./treeDataProvider.ts";

/** Looks for a server on this machine; undefined if none answers. */
export type LocalProbe = () => Promise<{ version?: string } | undefined>;

/** How often the empty view looks for a local server, in ms. Servers are often started after VS Code. */
const probeEvery = 3_000;

/** The command that a click on an item runs. */
const openCommand: Record<OpenedKind, string> = {
  agent: commands.agentAsk,
  knowledgeBase: commands.knowledgeBaseShow,
  model: commands.modelShow,
};

export class Explorer implements vscode.Disposable {
  readonly #access: ServerAccess;
  readonly #descriptions: DescriptionCache;
  readonly #provider: ExplorerTreeDataProvider;
  readonly #view: vscode.TreeView<ExplorerNode>;
  readonly #probe: LocalProbe;
  readonly #names: OpenedNamesStore;
  readonly #log: Log;
  readonly #opened: OpenedNames = (connectionId) => this.#names.of(connectionId);
  readonly #subscriptions: vscode.Disposable[];
  #nextProbe: NodeJS.Timeout | undefined;

  constructor(
    access: TreeAccess & ServerChanges & { onDidChange: vscode.Event<string | undefined> },
    state: vscode.Memento,
    log: Log,
    probe: LocalProbe,
    descriptions: DescriptionCache,
    names: OpenedNamesStore,
  ) {
    this.#access = access;
    this.#names = names;
    this.#log = log;
    this.#descriptions = descriptions;
    this.#probe = probe;
    this.#provider = new ExplorerTreeDataProvider(access, state, log, this.#opened);
    this.#view = vscode.window.createTreeView(views.explorer, {
      treeDataProvider: this.#provider,
      showCollapseAll: true,
    });
    this.#subscriptions = [
      this.#view,
      this.#provider,
      access.onDidChange((connectionId) => {
        if (connectionId === undefined) this.#provider.refresh();
        else this.#provider.refreshConnection(connectionId);
        this.#listChanged();
      }),
      this.#view.onDidExpandElement(({ element }) => this.#provider.setExpanded(element, true)),
      this.#view.onDidCollapseElement(({ element }) => this.#provider.setExpanded(element, false)),
      access.onDidLearn((change) => void this.#provider.learn(change)),
      this.#view.onDidChangeVisibility(({ visible }) => {
        this.#lookForLocalServer();
        void this.#provider.setVisible(visible);
      }),
      ...this.#registerCommands(),
    ];
    this.#listChanged();
  }

  refreshConnection(connectionId: string): void {
    this.#provider.refreshConnection(connectionId);
  }

  /** Reveals a connection in the tree and expands it. */
  async revealConnection(connectionId: string): Promise<void> {
    const node = loadRoots(this.#access).find((root) => root.connectionId === connectionId);
    if (node) await this.#reveal(node);
  }

  /** Reveals a connection with the lists of its first project expanded. Does not take the focus. */
  async openConnection(connectionId: string): Promise<void> {
    const root = loadRoots(this.#access).find((node) => node.connectionId === connectionId);
    if (!root) return;
    const [project] = await this.#provider.getChildren(root);
    // VS Code reads the expanded state only when a row is first drawn.
    for (const node of project ? [project, ...(await this.#provider.getChildren(project))] : []) {
      this.#provider.setExpanded(node, true);
    }
    await this.#view.reveal(root, { select: true, focus: false, expand: true });
  }

  /** Reloads the agents of a project and selects this one. Does not take the focus. */
  revealAgent(agent: AgentRef): Promise<void> {
    return this.#revealItem("agent", agent);
  }

  /** Reloads the knowledge bases of a project and selects this one. Does not take the focus. */
  revealKnowledgeBase(knowledgeBase: KnowledgeBaseRef): Promise<void> {
    return this.#revealItem("knowledgeBase", knowledgeBase);
  }

  /** Reloads the tables of a data source and selects this one. Does not take the focus. */
  async revealTable({ connectionId, project, name }: TableRef): Promise<void> {
    const table = await this.#provider.findTable(connectionId, project, name);
    if (table) await this.#view.reveal(table, { select: true, focus: false });
  }

  /** Asks the user for an agent of any connection. */
  async pickAgent(title: string): Promise<AgentRef | undefined> {
    return this.#pick("agent", { title, placeholder: vscode.l10n.t("Which agent?") });
  }

  /** Asks for an agent of the knowledge base's connection; agents with access to it come first. */
  async pickReader(base: KnowledgeBaseRef): Promise<AgentRef | undefined> {
    const { isUsing } = await import("../agentsUsing.ts");
    return this.#pick("agent", {
      title: vscode.l10n.t("Ask an Agent About {0}", base.name),
      connectionId: base.connectionId,
      placeholder: vscode.l10n.t("Which agent?"),
      first: {
        holds: (node) => node.kind === "agent" && isUsing(node, base),
        others: vscode.l10n.t("Agents without access to {0}", base.name),
      },
    });
  }

  /** Asks the user for a knowledge base, of one connection if it is given. */
  async pickKnowledgeBase(
    title: string,
    connectionId?: string,
  ): Promise<KnowledgeBaseRef | undefined> {
    const placeholder = vscode.l10n.t("Which knowledge base?");
    return this.#pick("knowledgeBase", { title, placeholder, connectionId });
  }

  /** Asks the user for a model, of one connection if it is given. */
  async pickModel(title: string, connectionId?: string): Promise<ModelRef | undefined> {
    const placeholder = vscode.l10n.t("Which model?");
    return this.#pick("model", { title, placeholder, connectionId });
  }

  dispose(): void {
    clearTimeout(this.#nextProbe);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #registerCommands(): vscode.Disposable[] {
    const register = vscode.commands.registerCommand;
    return [
      register(commands.explorerRefresh, (node?: ExplorerNode) => {
        this.#descriptions.forget(node && { connectionId: node.connectionId });
        // Retry on an error reloads the list that contains it.
        this.#provider.refresh(node && !isParent(node) ? getParentNode(node) : node);
      }),
      register(commands.explorerCopyName, async (node?: NamedNode) => {
        const named = node ?? (await this.#find(vscode.l10n.t("Copy a Name")));
        if (!named) return;
        const { copiedName } = await import("../copiedName.ts");
        const name = copiedName(named);
        await vscode.env.clipboard.writeText(name);
        vscode.window.setStatusBarMessage(vscode.l10n.t("Copied {0}", name), 3_000);
      }),
      register(commands.explorerFind, async () => {
        const node = await this.#find(vscode.l10n.t("Find in MindsDB"));
        if (!node) return;
        await this.#reveal(node);
        const { kind } = node;
        if (kind === "table") {
          await vscode.commands.executeCommand(commands.tablePreview, itemRef(node));
        }
        if (kind !== "agent" && kind !== "knowledgeBase" && kind !== "model") return;
        await vscode.commands.executeCommand(openCommand[kind], itemRef(node));
      }),
      register(commands.explorerOpenByName, async (node?: ExplorerNode) => {
        const { askForName } = await import("./openByName.ts");
        const named = await askForName(this.#access, this.#opened, node);
        if (named) await this.#openByName(named);
      }),
      register(commands.projectCreate, async (given?: ConnectionNode) =>
        (await this.#loadProjectActions()).create(given),
      ),
      register(commands.projectDelete, async (given?: ProjectNode) =>
        (await this.#loadProjectActions()).delete(given),
      ),
      register(commands.explorerForgetName, async (node: NamedNode) => {
        if (node.kind !== "agent" && node.kind !== "knowledgeBase" && node.kind !== "model") return;
        const { connectionId, kind, project, name } = node;
        await this.#names.remove(connectionId, { kind, project, name });
        this.#provider.refreshConnection(connectionId);
      }),
    ];
  }

  async #loadProjectActions(): Promise<ProjectActions> {
    const { ProjectActions } = await import("./projectActions.ts");
    return new ProjectActions(this.#access, this.#log);
  }

  /** Opens an item as a click on it would, and adds it to the tree where the server has no list. */
  async #openByName({ connectionId, kind, project, name }: NamedThing): Promise<void> {
    await this.#names.add(connectionId, { kind, project, name });
    this.#provider.refreshConnection(connectionId);
    await vscode.commands.executeCommand(openCommand[kind], { connectionId, project, name });
    const group = await this.#provider.findGroup({ connectionId, project }, getGroup(kind));
    const nodes = group ? await this.#provider.getChildren(group) : [];
    const node = nodes.find((child) => child.kind === kind && child.name === name);
    if (node && this.#view.visible) await this.#view.reveal(node, { select: true, focus: false });
  }

  async #revealItem(kind: OpenedKind, item: ItemRef): Promise<void> {
    const { connectionId, project, name } = item;
    const group = await this.#provider.findGroup(item, getGroup(kind));
    if (group) this.#provider.refresh(group);
    const items = group ? await this.#provider.getChildren(group) : [];
    const node = items.find((child) => child.kind === kind && child.name === name);
    if (node) {
      await this.#view.reveal(node, { select: true, focus: false });
    } else if (!group || items.some((child) => child.kind === "unlisted")) {
      await this.#names.add(connectionId, { kind, project, name });
      this.#provider.refreshConnection(connectionId);
    }
  }

  async #find(title: string): Promise<NamedNode | undefined> {
    const { pickNode } = await import("./findPicker.ts");
    return pickNode(
      this.#access,
      {
        title,
        placeholder: vscode.l10n.t("Type a part of a name"),
        data: { tables: this.#provider.loadedTables() },
      },
      this.#opened,
    );
  }

  async #pick(
    kind: OpenedKind,
    options: Omit<PickOptions, "wanted">,
  ): Promise<ItemRef | undefined> {
    const { pickNode } = await import("./findPicker.ts");
    const wanted = (node: NamedNode) => node.kind === kind;
    const node = await pickNode(this.#access, { ...options, wanted }, this.#opened);
    return node?.kind === kind ? itemRef(node) : undefined;
  }

  async #reveal(node: ConnectionNode | NamedNode): Promise<void> {
    await vscode.commands.executeCommand(`${views.explorer}.focus`);
    await this.#view.reveal(node, { select: true, focus: true, expand: isParent(node) });
  }

  #listChanged(): void {
    const hasConnections = this.#access.list().length > 0;
    void vscode.commands.executeCommand("setContext", contextKeys.hasConnections, hasConnections);
    void vscode.commands.executeCommand("setContext", contextKeys.noConnections, !hasConnections);
    if (hasConnections) this.#sayFound(undefined);
    this.#lookForLocalServer();
  }

  /** Uses the title: a view that is alone in its container shows no description, and welcome texts have no variables. */
  #sayFound(version: string | undefined): void {
    this.#view.title = version ? vscode.l10n.t("{0} found", version) : vscode.l10n.t("Connections");
  }

  /** Shows "26.1 found" in the title of the empty view while a server on this machine answers. */
  #lookForLocalServer(): void {
    clearTimeout(this.#nextProbe);
    const isWanted = (): boolean => this.#view.visible && this.#access.list().length === 0;
    if (!isWanted()) return;
    void this.#probe().then((server) => {
      if (!isWanted()) return;
      const version = server?.version?.split(".").slice(0, 2).join(".");
      this.#sayFound(version);
      void vscode.commands.executeCommand("setContext", contextKeys.localServer, version);
      clearTimeout(this.#nextProbe);
      this.#nextProbe = setTimeout(() => this.#lookForLocalServer(), probeEvery);
    });
  }
}
