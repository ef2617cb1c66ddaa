// The tree view, its commands, and revealing items in it.
import * as vscode from "vscode";
import { contextKeys, views } from "../../ids.ts";
import type { ServerAccess, ServerChanges } from "../../shared/connection.ts";
import type { DescriptionCache } from "../../models/descriptionCache.ts";
import type { AgentRef, ItemRef, KnowledgeBaseRef, TableRef } from "../../mindsdb/references.ts";
import type { Log } from "../../shared/host/log.ts";
import { isParent, getParentNode, type ExplorerNode } from "../node.ts";
import { loadRoots } from "../loadRoots.ts";
import type { OpenedNames } from "../openedNames.ts";
import { registerExplorerCommands } from "./commands.ts";
import type { ExplorerActions, ProjectList, ServerList } from "./explorerActions.ts";
import type { OpenedNamesStore } from "./openedNamesStore.ts";
import { ExplorerTreeDataProvider, type TreeAccess } from "./treeDataProvider.ts";
import { plainLabel } from "../../shared/oneLine.ts";

/** Looks for a server on this machine; undefined if none answers. */
type LocalProbe = () => Promise<{ version?: string } | undefined>;

/** Interval at which the empty view looks for a local server. Servers are often started after VS Code. */
const probeIntervalMs = 3_000;

export class Explorer implements vscode.Disposable {
  readonly #access: ServerAccess;
  readonly #provider: ExplorerTreeDataProvider;
  readonly #view: vscode.TreeView<ExplorerNode>;
  readonly #probe: LocalProbe;
  readonly #names: OpenedNamesStore;
  readonly #log: Log;
  readonly #opened: OpenedNames = (connectionId) => this.#names.of(connectionId);
  readonly #subscriptions: vscode.Disposable[];
  #nextProbe: NodeJS.Timeout | undefined;

  /** These reload the list of an item and select the item. They do not take the focus. */
  readonly revealAgent = this.#lazily((actions, agent: AgentRef) =>
    actions.revealItem("agent", agent),
  );
  readonly revealKnowledgeBase = this.#lazily((actions, knowledgeBase: KnowledgeBaseRef) =>
    actions.revealItem("knowledgeBase", knowledgeBase),
  );
  readonly revealOfServer = this.#lazily(
    (actions, list: ServerList, item: { connectionId: string; name: string }) =>
      actions.revealOfServer(list, item),
  );
  readonly revealOfProject = this.#lazily((actions, list: ProjectList, item: ItemRef) =>
    actions.revealOfProject(list, item),
  );
  readonly revealTable = this.#lazily((actions, table: TableRef) => actions.revealTable(table));

  /** These ask the user for an item, of one connection if it is given. */
  readonly pickAgent = this.#lazily((actions, title: string) => actions.pick("agent", title));
  readonly pickKnowledgeBase = this.#lazily((actions, title: string, connectionId?: string) =>
    actions.pick("knowledgeBase", title, connectionId),
  );
  readonly pickModel = this.#lazily((actions, title: string, connectionId?: string) =>
    actions.pick("model", title, connectionId),
  );

  /** Asks for an agent of the knowledge base's connection; agents with access to it come first. */
  readonly pickReader = this.#lazily((actions, base: KnowledgeBaseRef) => actions.pickReader(base));

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
    this.#probe = probe;
    this.#provider = new ExplorerTreeDataProvider(access, state, log, this.#opened);
    this.#view = vscode.window.createTreeView(views.explorer, {
      treeDataProvider: this.#provider,
      showCollapseAll: true,
      dragAndDropController: {
        dragMimeTypes: [],
        dropMimeTypes: ["text/uri-list"],
        handleDrop: async (target, data) =>
          (await import("./dropFiles.ts")).dropFiles(target, data),
      },
    });
    this.#subscriptions = [
      this.#view,
      this.#provider,
      access.onDidChange((connectionId) => {
        if (connectionId === undefined) this.#provider.refresh();
        else this.#provider.refreshConnection(connectionId);
        // The tree asks by itself only where it is visible.
        void this.#provider.learnSignedIn();
        this.#listChanged();
      }),
      this.#view.onDidExpandElement(({ element }) => this.#provider.setExpanded(element, true)),
      this.#view.onDidCollapseElement(({ element }) => this.#provider.setExpanded(element, false)),
      access.onDidChangeServer((change) => void this.#provider.handleServerChange(change)),
      this.#view.onDidChangeVisibility(({ visible }) => {
        this.#lookForLocalServer();
        void this.#provider.setVisible(visible);
      }),
      this.#view.onDidChangeSelection(() => void this.#provider.attend()),
      vscode.window.onDidChangeWindowState(
        ({ focused }) => void this.#provider.setFocused(focused),
      ),
      registerExplorerCommands(
        (node) => {
          descriptions.forget(node && { connectionId: node.connectionId });
          // Retry on an error reloads the list that contains it.
          this.#provider.refresh(node && !isParent(node) ? getParentNode(node) : node);
        },
        () => this.#loadActions(),
      ),
    ];
    void this.#provider.setFocused(vscode.window.state.focused);
    this.#listChanged();
  }

  refreshConnection(connectionId: string): void {
    this.#provider.refreshConnection(connectionId);
  }

  /** Reveals a connection in the tree and expands it. */
  async revealConnection(connectionId: string): Promise<void> {
    const node = loadRoots(this.#access).find((root) => root.connectionId === connectionId);
    if (node) await (await this.#loadActions()).reveal(node);
  }

  /** Reveals a connection with the lists of its first project expanded. Does not take the focus. */
  async openConnection(connectionId: string): Promise<void> {
    const root = loadRoots(this.#access).find((node) => node.connectionId === connectionId);
    if (!root) return;
    const [project] = await this.#provider.loadChildren(root);
    // VS Code reads the expanded state only when a row is first drawn.
    for (const node of project ? [project, ...(await this.#provider.loadChildren(project))] : []) {
      this.#provider.setExpanded(node, true);
    }
    await this.#view.reveal(root, { select: true, focus: false, expand: true });
  }

  dispose(): void {
    clearTimeout(this.#nextProbe);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** A function that imports the actions when it is called. */
  #lazily<Given extends unknown[], Result>(
    work: (actions: ExplorerActions, ...given: Given) => Promise<Result>,
  ): (...given: Given) => Promise<Result> {
    return async (...given) => work(await this.#loadActions(), ...given);
  }

  async #loadActions(): Promise<ExplorerActions> {
    const { ExplorerActions } = await import("./explorerActions.ts");
    return new ExplorerActions({
      access: this.#access,
      provider: this.#provider,
      view: this.#view,
      names: this.#names,
      opened: this.#opened,
      log: this.#log,
    });
  }

  #listChanged(): void {
    const hasConnections = this.#access.list().length > 0;
    void vscode.commands.executeCommand("setContext", contextKeys.hasConnections, hasConnections);
    void vscode.commands.executeCommand("setContext", contextKeys.noConnections, !hasConnections);
    if (hasConnections) this.#showFoundServer(undefined);
    this.#lookForLocalServer();
  }

  /** Uses the title: a view that is alone in its container shows no description, and welcome texts have no variables. */
  #showFoundServer(version: string | undefined): void {
    this.#view.title = version
      ? plainLabel(vscode.l10n.t("{0} found", version), 40)
      : vscode.l10n.t("Connections");
  }

  /** Shows "26.1 found" in the title of the empty view while a server on this machine answers. */
  #lookForLocalServer(): void {
    clearTimeout(this.#nextProbe);
    const isWanted = (): boolean => this.#view.visible && this.#access.list().length === 0;
    if (!isWanted()) return;
    void this.#probe().then((server) => {
      if (!isWanted()) return;
      const version = server?.version?.split(".").slice(0, 2).join(".");
      this.#showFoundServer(version);
      void vscode.commands.executeCommand("setContext", contextKeys.localServer, version);
      clearTimeout(this.#nextProbe);
      this.#nextProbe = setTimeout(() => this.#lookForLocalServer(), probeIntervalMs);
    });
  }
}
