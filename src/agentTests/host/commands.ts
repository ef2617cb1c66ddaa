// Agent tests. Nothing is imported before the workspace has a test file.
import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import { ignoredFolders, isTestFile, testFileGlob } from "../testFileNames.ts";
import type { ResultPages } from "./resultPages.ts";
import type { AgentTestController, AgentTestOptions } from "./testController.ts";

/** VS Code reports nothing that is written before its file watcher runs: what appeared meanwhile is found after this. */
const secondSearchMs = 10_000;

export class AgentTestCommands implements vscode.Disposable {
  readonly #options: AgentTestOptions;
  readonly #subscriptions: vscode.Disposable[];
  #controller: Promise<AgentTestController> | undefined;
  #pages: Promise<ResultPages> | undefined;

  constructor(options: AgentTestOptions) {
    this.#options = options;
    const watcher = vscode.workspace.createFileSystemWatcher(testFileGlob, false, true, true);
    const open = ({ uri }: { uri: vscode.Uri }): void => {
      if (isTestFile(uri.path)) void this.load();
    };
    this.#subscriptions = [
      watcher,
      watcher.onDidCreate(() => void this.load()),
      vscode.workspace.onDidOpenTextDocument(open),
      vscode.commands.registerCommand(commands.agentTestOpenRun, async (given?: unknown) =>
        (await this.load()).openRun(given),
      ),
      vscode.commands.registerCommand(commands.agentTestSave, async () => {
        const transcript = await options.activeTranscript();
        if (transcript) await (await import("./saveAsTest.ts")).saveAsTest(transcript);
      }),
      vscode.commands.registerCommand(commands.agentTestAddProvider, async (given?: unknown) =>
        (await import("./addProvider.ts")).addProvider(given, options),
      ),
      restorePanels(panels.agentResults, () => this.#loadPages()),
      vscode.commands.registerCommand(commands.agentCompare, (given?: unknown) =>
        this.#compare(given),
      ),
      vscode.commands.registerCommand(commands.agentTestExport, async () =>
        (await this.load()).exportResults(),
      ),
    ];
    vscode.workspace.textDocuments.forEach(open);
    void this.#loadIfFound();
    const secondSearch = setTimeout(() => void this.#searchAgain(), secondSearchMs);
    this.#subscriptions.push({ dispose: () => clearTimeout(secondSearch) });
  }

  /** The controller; the same object each time. */
  load(): Promise<AgentTestController> {
    this.#controller ??= import("./testController.ts").then(
      ({ AgentTestController }) =>
        new AgentTestController({ ...this.#options, resultPages: () => this.#loadPages() }),
    );
    return this.#controller;
  }

  async #loadIfFound(): Promise<void> {
    const [file] = await vscode.workspace.findFiles(testFileGlob, ignoredFolders, 1);
    if (file) await this.load();
  }

  async #searchAgain(): Promise<void> {
    if (this.#controller) await (await this.#controller).files.findMissed();
    else await this.#loadIfFound();
  }

  #loadPages(): Promise<ResultPages> {
    this.#pages ??= import("./resultPages.ts").then(
      ({ ResultPages }) => new ResultPages(this.#options),
    );
    return this.#pages;
  }

  async #compare(given: unknown): Promise<void> {
    const { chooseComparison } = await import("./compareAgents.ts");
    const choice = await chooseComparison(this.#options.servers, given);
    if (choice) (await this.#loadPages()).compare(choice);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    void this.#controller?.then((controller) => controller.dispose());
  }
}
