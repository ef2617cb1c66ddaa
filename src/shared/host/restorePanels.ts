// Registers panels for restoring at activation; the feature is imported when there is one.
import * as vscode from "vscode";
import type { PanelRestorer } from "./panels.ts";

/** Registers the panels of one type; needs `onWebviewPanel:<viewType>` in the activation events. */
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
