// The predict notebook in VS Code: its file, its kernels (one for each connection) and its commands. What they do is imported
// with the first use.
import * as vscode from "vscode";
import type { Connection, ServerAccess, ServerChanges } from "../../connections/connection.ts";
import type { EmptyList } from "../../explorer/sqlTemplates.ts";
import { commands, notebooks } from "../../ids.ts";
import type { ModelRef } from "../../mindsdb/references.ts";
import type { DescriptionCache } from "../../models/descriptionCache.ts";
import type { Log } from "../../shared/host/log.ts";
import type { CellController } from "./cellController.ts";

export interface PredictOptions {
  servers: ServerAccess & ServerChanges & { onDidChange: vscode.Event<string | undefined> };
  /** What is known of models already. */
  descriptions: DescriptionCache;
  /** Where results are stored. */
  folder: string;
  /** Tells untitled notebooks of this workspace from those of the same name in others. */
  untitledScope: string;
  /** Keeps which connection was chosen last. */
  state: vscode.Memento;
  log: Log;
  /** Asks the user which model, of one connection if it is given; the title says what for. */
  pickModel: (title: string, connectionId?: string) => Promise<ModelRef | undefined>;
}

const lastChoiceKey = "predict.connection";
/** The kernel while there is no connection; a connection's has `notebooks.type` in front of its id. */
const connectKernel = "mindsdbWorkbench.connect";
const extension = "mindsdb-workbench-community.mindsdb-workbench";

export class PredictNotebooks implements vscode.Disposable {
  readonly #options: PredictOptions;
  readonly #controllers = new Map<string, vscode.NotebookController>();
  /** There while there is no connection: without any kernel, Run All would open VS Code's list of extensions. */
  #connectController: vscode.NotebookController | undefined;
  /** Notebooks that have a kernel; VS Code tells, also for a choice that it remembers. */
  readonly #chosen = new WeakMap<vscode.NotebookDocument, string>();
  /** Fires when a notebook has another kernel. */
  readonly #connected = new vscode.EventEmitter<void>();
  readonly #messaging = vscode.notebooks.createRendererMessaging(notebooks.renderer);
  readonly #subscriptions: vscode.Disposable[];
  #hasCellSupport = false;
  #runs: Promise<CellController> | undefined;

  constructor(options: PredictOptions) {
    this.#options = options;
    const { servers, descriptions, pickModel } = options;
    const from = { servers, descriptions, pickModel };
    const register = vscode.commands.registerCommand;
    const create = () => import("./newNotebook.ts");
    this.#subscriptions = [
      this.#connected,
      vscode.workspace.registerNotebookSerializer(
        notebooks.type,
        {
          deserializeNotebook: async (bytes) =>
            (await import("./serializer.ts")).deserialize(bytes, this.#options),
          serializeNotebook: async (data) => (await import("./serializer.ts")).serialize(data),
        },
        { transientOutputs: true },
      ),
      servers.onDidChange((connectionId) => {
        if (connectionId === undefined) this.#updateControllers();
      }),
      vscode.window.onDidChangeActiveNotebookEditor((editor) => void this.#preselect(editor)),
      this.#messaging.onDidReceiveMessage(async ({ editor, message }) => {
        await (await this.load()).receive(message, editor);
      }),
      vscode.workspace.onDidCloseNotebookDocument(async (notebook) => {
        await (await this.#runs)?.closed(notebook);
      }),
      vscode.workspace.onDidOpenNotebookDocument((notebook) => this.#supportCells(notebook)),
      vscode.workspace.onWillRenameFiles((event) => {
        // A name without an ending may be a folder's.
        const isOurs = ({ path }: vscode.Uri) =>
          path.endsWith(notebooks.ending) || !path.slice(path.lastIndexOf("/")).includes(".");
        if (!event.files.some(({ oldUri }) => isOurs(oldUri))) return;
        event.waitUntil(this.load().then((runs) => runs.renamed(event.files)));
      }),
      register(commands.predictNew, async () =>
        (await create()).newNotebook(from, (made) => this.#useFor(made)),
      ),
      register(commands.predictFromFile, async (file?: vscode.Uri) =>
        (await create()).fromFile(file, pickModel, (made) => this.#useFor(made)),
      ),
      register(commands.explorerShowStatement, async (list: EmptyList) =>
        (await create()).fromSqlTemplate(list, (made) => this.#useFor(made)),
      ),
      register(commands.modelPredict, async (given?: ModelRef) =>
        (await create()).fromModel(given, from, (made) => this.#useFor(made)),
      ),
      register(
        commands.predictChangeModel,
        async (cell: vscode.NotebookCell | undefined = activeCell()) => {
          if (!cell) return;
          const connectionId = this.#chosen.get(cell.notebook);
          const pick = (title: string) => pickModel(title, connectionId);
          await (await import("./recipeCommands.ts")).changeModel(cell, pick);
        },
      ),
      register(
        commands.predictChooseRows,
        async (cell: vscode.NotebookCell | undefined = activeCell()) => {
          if (cell) await (await import("./recipeCommands.ts")).chooseRowsFile(cell);
        },
      ),
      register(
        commands.predictOpenRows,
        async (cell: vscode.NotebookCell | undefined = activeCell()) => {
          if (cell) await openRows(cell);
        },
      ),
    ];
    for (const notebook of vscode.workspace.notebookDocuments) this.#supportCells(notebook);
    this.#updateControllers();
    void this.#preselect(vscode.window.activeNotebookEditor);
  }

  /** Where results are stored. */
  get folder(): string {
    return this.#options.folder;
  }

  /** All runs; the same ones every time. */
  load(): Promise<CellController> {
    this.#runs ??= import("./cellController.ts").then(
      ({ CellController }) => new CellController({ ...this.#options, messaging: this.#messaging }),
    );
    return this.#runs;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    void this.#runs?.then((runs) => runs.dispose());
    for (const controller of this.#controllers.values()) controller.dispose();
    this.#connectController?.dispose();
  }

  /** VS Code takes a while to register language features, so they come with the first notebook. */
  #supportCells({ notebookType }: vscode.NotebookDocument): void {
    if (notebookType !== notebooks.type || this.#hasCellSupport) return;
    this.#hasCellSupport = true;
    void import("./notebookLanguage.ts").then(({ registerNotebookLanguage }) => {
      const { servers } = this.#options;
      this.#subscriptions.push(
        ...registerNotebookLanguage(
          servers,
          (notebook) => this.#chosen.get(notebook),
          this.#connected.event,
        ),
      );
    });
  }

  #updateControllers(): void {
    const connections = new Map(this.#options.servers.list().map((one) => [one.id, one]));
    for (const [id, controller] of this.#controllers) {
      if (connections.has(id)) continue;
      this.#controllers.delete(id);
      void this.#runs?.then((runs) => runs.stopAll(id));
      controller.dispose();
    }
    for (const connection of connections.values()) {
      const controller = this.#controllers.get(connection.id) ?? this.#create(connection);
      controller.label = connection.name;
      controller.description = connection.address;
    }
    if (connections.size === 0) {
      this.#connectController ??= this.#createConnectController();
    } else {
      this.#connectController?.dispose();
      this.#connectController = undefined;
    }
    void this.#preselect(vscode.window.activeNotebookEditor);
  }

  /** Running a cell with it runs nothing: which server a cell is for is the user's to say. */
  #createConnectController(): vscode.NotebookController {
    const controller = vscode.notebooks.createNotebookController(
      connectKernel,
      notebooks.type,
      vscode.l10n.t("Connect to MindsDB…"),
    );
    controller.description = vscode.l10n.t("No MindsDB server is connected yet");
    controller.supportedLanguages = ["json", "sql"];
    controller.executeHandler = async () => {
      const { offerConnection } = await import("../../shared/host/offerConnection.ts");
      // Not awaited: cells wait for the handler's end, and a notification may stay for long.
      void offerConnection(this.#options.servers);
    };
    return controller;
  }

  #create({ id, name }: Connection): vscode.NotebookController {
    const controller = vscode.notebooks.createNotebookController(
      `${notebooks.type}.${id}`,
      notebooks.type,
      name,
    );
    controller.supportedLanguages = ["json", "sql"];
    controller.supportsExecutionOrder = true;
    controller.executeHandler = async (cells) => {
      const runs = await this.load();
      await runs.execute(cells, controller, id);
    };
    controller.onDidChangeSelectedNotebooks(({ notebook, selected }) => {
      if (selected) {
        this.#chosen.set(notebook, id);
        void this.#options.state.update(lastChoiceKey, id);
      } else if (this.#chosen.get(notebook) === id) {
        this.#chosen.delete(notebook);
      }
      this.#connected.fire();
    });
    this.#controllers.set(id, controller);
    return controller;
  }

  /** Nobody has to choose a kernel: the connection chosen last, else the first one, is there already. */
  async #preselect(editor: vscode.NotebookEditor | undefined): Promise<void> {
    const isOurs = editor?.notebook.notebookType === notebooks.type;
    // Whoever opens a notebook will run it; and what a crash left on disk is deleted then.
    if (isOurs) void this.load();
    if (!isOurs || this.#chosen.has(editor.notebook)) return;
    const last = this.#options.state.get<string>(lastChoiceKey);
    const [first] = this.#controllers.keys();
    const id = last !== undefined && this.#controllers.has(last) ? last : first;
    const kernel = id === undefined ? connectKernel : `${notebooks.type}.${id}`;
    await this.#selectKernel(editor, kernel);
  }

  async #selectKernel(notebookEditor: vscode.NotebookEditor, id: string): Promise<void> {
    await vscode.commands.executeCommand("notebook.selectKernel", {
      id,
      extension,
      notebookEditor,
    });
  }

  /** Gives a new notebook the connection that its model is at. */
  async #useFor(made: { editor: vscode.NotebookEditor; connectionId: string }): Promise<void> {
    await this.#selectKernel(made.editor, `${notebooks.type}.${made.connectionId}`);
  }
}

/** The cell that the cursor is in, for the commands from the palette. */
function activeCell(): vscode.NotebookCell | undefined {
  const editor = vscode.window.activeNotebookEditor;
  if (editor?.notebook.notebookType !== notebooks.type || editor.notebook.cellCount === 0) return;
  return editor.notebook.cellAt(editor.selection.start);
}

async function openRows(cell: vscode.NotebookCell): Promise<void> {
  try {
    await (await import("./languageFeatures.ts")).openRowsFile(cell);
  } catch (error) {
    const { showError } = await import("../../shared/host/errorMessages.ts");
    await showError(error);
  }
}
