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

/** The command that a click on a row runs. */
export function clickCommand(command: string, title: string, ...given: unknown[]): vscode.Command {
  return { command, title, arguments: given };
}
