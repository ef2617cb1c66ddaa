// Agent tests. Nothing is imported before the workspace has a test file.
import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import { registerCommands, type TableOf } from "../../shared/host/commands.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import { lazy } from "../../shared/lazy.ts";
import { ignoredFolders, isTestFile, testFileGlob } from "../files/testFileNames.ts";
import type { AgentTestOptions } from "./testController.ts";

declare module "../../shared/host/commands.ts" {
  interface CommandTable extends TableOf<ReturnType<typeof registerAgentTests>> {}
}

/** VS Code reports nothing that is written before its file watcher runs: what appeared meanwhile is found after this. */
const secondSearchMs = 10_000;

/** Registers the commands of agent tests, and finds the tests of the workspace. */
export function registerAgentTests(options: AgentTestOptions) {
  const loadPages = lazy(async () => {
    const { ResultPages } = await import("./resultPages.ts");
    return new ResultPages(options);
  });
  const load = lazy(async () => {
    const { AgentTestController } = await import("./testController.ts");
    return new AgentTestController({ ...options, resultPages: loadPages });
  });
  const loadIfFound = async (): Promise<void> => {
    const [file] = await vscode.workspace.findFiles(testFileGlob, ignoredFolders, 1);
    if (file) await load();
  };
  const searchAgain = async (): Promise<void> => {
    if (load.loaded) await (await load()).files.findMissed();
    else await loadIfFound();
  };
  const open = ({ uri }: { uri: vscode.Uri }): void => {
    if (isTestFile(uri.path)) void load();
  };
  const watcher = vscode.workspace.createFileSystemWatcher(testFileGlob, false, true, true);
  vscode.workspace.textDocuments.forEach(open);
  void loadIfFound();
  const secondSearch = setTimeout(() => void searchAgain(), secondSearchMs);
  const registration = registerCommands(
    {
      [commands.agentTestOpenRun]: async (given?: unknown) => (await load()).openRun(given),
      [commands.agentTestSave]: async () => {
        const transcript = await options.activeTranscript();
        if (transcript) await (await import("./files/saveAsTest.ts")).saveAsTest(transcript);
      },
      [commands.agentTestNew]: async (given?: AgentRef) =>
        (await import("./files/newTestFile.ts")).createTestFile(options.servers, given),
      [commands.agentTestAddProvider]: async (given?: unknown) =>
        (await import("./addProvider.ts")).addProvider(given, options),
      [commands.agentCompare]: async (given?: unknown) => {
        const { chooseComparison } = await import("./compareAgents.ts");
        const choice = await chooseComparison(options.servers, given);
        if (choice) (await loadPages()).compare(choice);
      },
      [commands.agentTestExport]: async () => (await load()).exportResults(),
    },
    watcher,
    watcher.onDidCreate(() => void load()),
    vscode.workspace.onDidOpenTextDocument(open),
    restorePanels(panels.agentResults, loadPages),
    new vscode.Disposable(() => {
      clearTimeout(secondSearch);
      void load.loaded?.then((controller) => controller.dispose());
    }),
  );
  return { ...registration, load };
}
