// Registers panels for restoring at activation; the feature is imported when there is one.
import * as vscode from "vscode";

/** Restores one panel after a reload of the window, or closes it. */
export interface PanelRestorer {
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

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
