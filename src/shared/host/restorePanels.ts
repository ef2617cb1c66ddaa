// What VS Code needs at activation to bring panels back: the feature behind them is imported when there is one.
import * as vscode from "vscode";
import type { PanelRestorer } from "./panels.ts";

/** Registers for the panels of one type; needs `onWebviewPanel:<viewType>` among the activation events. */
export function restorePanels(
  viewType: string,
  load: () => Promise<PanelRestorer>,
): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(viewType, {
    async deserializeWebviewPanel(panel, state) {
      await (await load()).restore(panel, state);
    },
  });
}
