// Has VS Code tick off the first steps that were taken before their page was opened.
import * as vscode from "vscode";
import { contextKeys } from "../../ids.ts";

/** So often steps that were taken are ticked off while their page is shown, in ms. */
const everyMs = 1_000;

/**
 * Sets a context key for a moment, again and again, while VS Code shows a page of its own, which the first steps are.
 * VS Code never ticks off a step whose condition holds when it reads the steps, and it reads them some time after
 * their page was opened: so each condition includes this key, which is not set then, and is soon after.
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
    // Pages of VS Code's own have no input that extensions know.
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
