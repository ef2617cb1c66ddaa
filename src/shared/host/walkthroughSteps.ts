// Makes VS Code check off walkthrough steps that were completed before the walkthrough was opened.
import * as vscode from "vscode";
import { contextKeys } from "../../ids.ts";

/** How often completed steps are checked off while the walkthrough is shown, in ms. */
const everyMs = 1_000;

/**
 * Repeatedly sets a context key for a moment while VS Code shows one of its own pages, such as the walkthrough. VS Code
 * never checks off a step whose condition already holds when it reads the steps, some time after the page was opened. So
 * each condition includes this key, which becomes true only later.
 */
export function watchWalkthroughSteps(): vscode.Disposable {
  const { tabGroups } = vscode.window;
  let timer: NodeJS.Timeout | undefined;
  const set = (value: boolean): void => {
    void vscode.commands.executeCommand("setContext", contextKeys.firstStepsShown, value);
  };
  const tickOff = (): void => {
    set(true);
    set(false);
  };
  const look = (): void => {
    // VS Code's own pages have no input that extensions can see.
    const isShown = tabGroups.all.some(({ activeTab }) => activeTab && !activeTab.input);
    if (isShown && !timer) {
      tickOff();
      timer = setInterval(tickOff, everyMs);
    } else if (!isShown) {
      clearInterval(timer);
      timer = undefined;
    }
  };
  look();
  return vscode.Disposable.from(
    tabGroups.onDidChangeTabs(look),
    tabGroups.onDidChangeTabGroups(look),
    { dispose: () => clearInterval(timer) },
  );
}
