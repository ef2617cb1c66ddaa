import type * as vscode from "vscode";

/** How a row of the tree looks. */
export interface RowAppearance {
  label: string;
  icon: vscode.ThemeIcon;
  /** Accessible label for rows whose parent does not make their kind obvious. */
  spokenKind?: string;
  description?: string | undefined;
  command?: vscode.Command;
}
