import * as vscode from "vscode";
import type { Connection } from "../../shared/connection.ts";
import { notebooks, panels, sqlLanguage } from "../../ids.ts";
import { setActiveConnection } from "../../shared/host/activeConnection.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import { addressWithMarks } from "../../shared/guardMarks.ts";
import { lazy } from "../../shared/lazy.ts";
import { registerPredictCommands } from "./commands.ts";
import type { NotebookLanguage } from "./notebookLanguage.ts";
import type { PredictOptions } from "./predictOptions.ts";
import { plainLabel } from "../../shared/oneLine.ts";

const lastChoiceKey = "predict.connection";
/** The id of the kernel while there is no connection. The ids of the others begin with `notebooks.type`. */
const connectKernel = "mindsdbWorkbench.connect";
const extension = "mindsdb-workbench-community.mindsdb-workbench";

/**
 * The predict notebook in VS Code: its file, a kernel for each connection, and its commands. Imports the rest on first
 * use.
 */
export class PredictNotebooks implements vscode.Disposable {
  /** The one cell controller; created with the first call. */
  readonly load = lazy(async () => {
    const { CellController } = await import("./cellController.ts");
    return new CellController({
      ...this.#options,
      messaging: this.#messaging,
      ownTexts: await this.#loadOwnTexts(),
      whatIf: async (row) => (await this.#loadWhatIf()).openRow(row),
    });
  });
  readonly #loadOwnTexts = lazy(async () => new (await import("./ownTexts.ts")).OwnTexts());
  readonly #loadWhatIf = lazy(async () => {
    const { WhatIfPages } = await import("./whatIfPages.ts");
    return new WhatIfPages(this.#options);
  });
  readonly #options: PredictOptions;
  readonly #controllers = new Map<string, vscode.NotebookController>();
  /** Exists while there is no connection: without any kernel, Run All would open VS Code's list of extensions. */
  #connectController: vscode.NotebookController | undefined;
  /** The connection of each notebook with a kernel. VS Code also reports the selections that it remembers. */
  readonly #selected = new WeakMap<vscode.NotebookDocument, string>();
  /** Notebooks whose connection comes with their model: none is preselected. */
  readonly #withChosenConnection = new WeakSet<vscode.NotebookDocument>();
  /** Settles when the last kernel is selected. VS Code may finish two selections in any order. */
  #selecting: Promise<unknown> = Promise.resolve();
  /** Fires when a notebook gets another kernel. */
  readonly #kernelChanged = new vscode.EventEmitter<void>();
  readonly #messaging = vscode.notebooks.createRendererMessaging(notebooks.renderer);
  readonly #subscriptions: vscode.Disposable[];
  /** The language features of cells; registered with the first notebook, because that takes VS Code a while. */
  #cellLanguage: Promise<NotebookLanguage> | undefined;

  constructor(options: PredictOptions) {
    this.#options = options;
    this.#subscriptions = [
      this.#kernelChanged,
      ...this.#registerListeners(),
      registerPredictCommands(options, {
        loadController: this.load,
        loadWhatIf: this.#loadWhatIf,
        connectionOf: (notebook) => this.#selected.get(notebook),
        show: (notebook, connectionId) => this.#show(notebook, connectionId),
      }),
      restorePanels(panels.predictWhatIf, this.#loadWhatIf),
    ];
    for (const notebook of vscode.workspace.notebookDocuments) this.#supportCells(notebook);
    this.#updateControllers();
    void this.#preselect(vscode.window.activeNotebookEditor);
  }

  /** Where results are stored. */
  get folder(): string {
    return this.#options.folder;
  }

  /** The connection of the notebook that has a cell. */
  connectionOf(document: vscode.TextDocument): string | undefined {
    const notebook = vscode.workspace.notebookDocuments.find((one) =>
      one.getCells().some((cell) => cell.document === document),
    );
    return notebook && this.#selected.get(notebook);
  }

  /** Opens the page of what a name in a SQL cell refers to. Returns false if there is none. */
  async openPage(document: vscode.TextDocument, position: vscode.Position): Promise<boolean> {
    return (await this.#cellLanguage)?.sqlMeanings.openPage(document, position) ?? false;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    void this.load.loaded?.then((controller) => controller.dispose());
    void this.#loadOwnTexts.loaded?.then((texts) => texts.dispose());
    for (const controller of this.#controllers.values()) controller.dispose();
    this.#connectController?.dispose();
  }

  #registerListeners(): vscode.Disposable[] {
    return [
      vscode.workspace.registerNotebookSerializer(
        notebooks.type,
        {
          deserializeNotebook: async (bytes) => {
            const { deserialize } = await import("./serializer.ts");
            const data = await deserialize(bytes, this.#options);
            (await this.#loadOwnTexts()).noteFromFile(data.cells);
            return data;
          },
          serializeNotebook: async (data) => (await import("./serializer.ts")).serialize(data),
        },
        { transientOutputs: true },
      ),
      this.#options.servers.onDidChange((connectionId) => {
        if (connectionId === undefined) this.#updateControllers();
      }),
      vscode.window.onDidChangeActiveNotebookEditor((editor) => {
        this.#reportActive();
        void this.#preselect(editor);
      }),
      this.#messaging.onDidReceiveMessage(async ({ editor, message }) => {
        // VS Code uses the renderer in every notebook with our type of output.
        if (editor.notebook.notebookType !== notebooks.type) return;
        await (await this.load()).handleMessage(message, editor);
      }),
      vscode.workspace.onDidCloseNotebookDocument(async (notebook) => {
        await (await this.load.loaded)?.closeNotebook(notebook);
      }),
      vscode.workspace.onDidOpenNotebookDocument((notebook) => this.#supportCells(notebook)),
      vscode.workspace.onWillRenameFiles((event) => {
        // Names without an extension may be those of folders.
        const isOurs = ({ path }: vscode.Uri) =>
          path.endsWith(notebooks.ending) || !path.slice(path.lastIndexOf("/")).includes(".");
        if (!event.files.some(({ oldUri }) => isOurs(oldUri))) return;
        event.waitUntil(this.load().then((controller) => controller.moveResults(event.files)));
      }),
    ];
  }

  #supportCells({ notebookType }: vscode.NotebookDocument): void {
    if (notebookType !== notebooks.type) return;
    this.#cellLanguage ??= this.#registerCellLanguage();
  }

  async #registerCellLanguage(): Promise<NotebookLanguage> {
    const { registerNotebookLanguage } = await import("./notebookLanguage.ts");
    const language = registerNotebookLanguage(
      this.#options,
      (notebook) => this.#selected.get(notebook),
      this.#kernelChanged.event,
    );
    this.#subscriptions.push(language.registration);
    return language;
  }

  #updateControllers(): void {
    const connections = new Map(this.#options.servers.list().map((one) => [one.id, one]));
    for (const [id, controller] of this.#controllers) {
      if (connections.has(id)) continue;
      this.#controllers.delete(id);
      void this.load.loaded?.then((controller) => controller.stopAll(id));
      controller.dispose();
    }
    for (const connection of connections.values()) {
      const controller = this.#controllers.get(connection.id) ?? this.#create(connection);
      controller.label = connection.name;
      controller.description = addressWithMarks(connection);
    }
    if (connections.size === 0) {
      this.#connectController ??= this.#createConnectController();
    } else {
      this.#connectController?.dispose();
      this.#connectController = undefined;
    }
    void this.#preselect(vscode.window.activeNotebookEditor);
  }

  /** Cells do not run with this kernel: it offers to add a connection. */
  #createConnectController(): vscode.NotebookController {
    const controller = vscode.notebooks.createNotebookController(
      connectKernel,
      notebooks.type,
      vscode.l10n.t("Connect to MindsDB…"),
    );
    controller.description = vscode.l10n.t("No MindsDB server is connected yet");
    controller.supportedLanguages = ["json", sqlLanguage];
    controller.executeHandler = async () => {
      const { offerConnection } = await import("../../shared/host/offerConnection.ts");
      // Not awaited: cells wait for the handler, and the user may leave the notification open.
      void offerConnection(this.#options.servers);
    };
    return controller;
  }

  #create({ id, name }: Connection): vscode.NotebookController {
    const controller = vscode.notebooks.createNotebookController(
      `${notebooks.type}.${id}`,
      notebooks.type,
      plainLabel(name),
    );
    controller.supportedLanguages = ["json", sqlLanguage];
    controller.supportsExecutionOrder = true;
    controller.executeHandler = async (cells) => {
      const cellController = await this.load();
      await cellController.execute(cells, controller, id);
    };
    controller.onDidChangeSelectedNotebooks(({ notebook, selected }) => {
      if (selected) {
        this.#selected.set(notebook, id);
        void this.#options.state.update(lastChoiceKey, id);
      } else if (this.#selected.get(notebook) === id) {
        this.#selected.delete(notebook);
      }
      this.#reportActive();
      this.#kernelChanged.fire();
    });
    this.#controllers.set(id, controller);
    return controller;
  }

  #reportActive(): void {
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    setActiveConnection(this, notebook && this.#selected.get(notebook));
  }

  /** Selects the connection that was selected last, or the first one, so that users need not select a kernel. */
  async #preselect(editor: vscode.NotebookEditor | undefined): Promise<void> {
    const isOurs = editor?.notebook.notebookType === notebooks.type;
    // Whoever opens a notebook will probably run it. Loading also deletes what a crash left on disk.
    if (isOurs) void this.load();
    if (!isOurs || this.#selected.has(editor.notebook)) return;
    const last = this.#options.state.get<string>(lastChoiceKey);
    const [first] = this.#controllers.keys();
    const id = last !== undefined && this.#controllers.has(last) ? last : first;
    const kernel = id === undefined ? connectKernel : `${notebooks.type}.${id}`;
    const { notebook } = editor;
    // The user may have chosen one meanwhile.
    const isWanted = () =>
      !this.#withChosenConnection.has(notebook) && !this.#selected.has(notebook);
    await this.#selectKernel(editor, kernel, isWanted);
  }

  /** Selects one kernel after the other, in the order of the calls; none if `isWanted` returns false by then. */
  #selectKernel(
    notebookEditor: vscode.NotebookEditor,
    id: string,
    isWanted: () => boolean,
  ): Promise<void> {
    const selected = this.#selecting.then(async () => {
      if (!isWanted()) return;
      const kernel = { id, extension, notebookEditor };
      await vscode.commands.executeCommand("notebook.selectKernel", kernel);
    });
    this.#selecting = selected.catch(() => undefined);
    return selected;
  }

  /** Shows a new notebook with the connection of its model, and preselects no other meanwhile. */
  async #show(notebook: vscode.NotebookDocument, connectionId: string): Promise<void> {
    this.#withChosenConnection.add(notebook);
    const editor = await vscode.window.showNotebookDocument(notebook);
    await this.#selectKernel(editor, `${notebooks.type}.${connectionId}`, () => true);
  }
}
