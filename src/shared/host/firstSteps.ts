// Has VS Code tick off the first steps that were taken before their page was opened.
import * as vscode from "vscode";
import { contextKeys } from "../../ids.ts";

/** How long VS Code may take to read the steps once it opens the first of its own pages, in ms. */
const patienceMs = 1_000;

/**
 * Sets a context key while VS Code shows a page of its own, which the first steps are. VS Code never ticks off a step
 * whose condition holds when it reads the steps, and it reads them when their page is opened: so each condition
 * includes this key, which is set after that.
 */
export function watchFirstSteps(): vscode.Disposable {
  const { tabGroups } = vscode.window;
  let later: NodeJS.Timeout | undefined;
  let isSet = false;
  const set = (value: boolean): void => {
    isSet = value;
    void vscode.commands.executeCommand("setContext", contextKeys.firstStepsShown, value);
  };
  const look = (): void => {
    // Pages of VS Code's own have no input that extensions know.
    const isShown = tabGroups.all.some(({ activeTab }) => activeTab && !activeTab.input);
    if (!isShown) {
      clearTimeout(later);
      later = undefined;
      if (isSet) set(false);
    } else if (!isSet) {
      later ??= setTimeout(() => {
        later = undefined;
        set(true);
      }, patienceMs);
    }
  };
  look();
  return vscode.Disposable.from(
    tabGroups.onDidChangeTabs(look),
    tabGroups.onDidChangeTabGroups(look),
    { dispose: () => clearTimeout(later) },
  );
}
