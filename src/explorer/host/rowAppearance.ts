import type * as vscode from "vscode";
import type { CommandTable } from "../../shared/host/commands.ts";

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
export function clickCommand<Id extends keyof CommandTable>(
  command: Id,
  title: string,
  ...given: Parameters<CommandTable[Id]>
): vscode.Command {
  return { command, title, arguments: given };
}
