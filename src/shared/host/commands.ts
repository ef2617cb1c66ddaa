// Registering and running our commands. Each feature's `host/commands.ts` has a table of them, and adds the table's type to
// `CommandTable`.
import * as vscode from "vscode";
import { extensionId } from "../../ids.ts";
import { showWarning } from "./notifications.ts";

/** The handlers of all commands by their ids. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- each feature adds its commands
export interface CommandTable {}

/** Of package.json. */
interface Manifest {
  contributes: { menus: Record<string, { command?: string; when?: string }[] | undefined> };
}

/** The commands of a feature, registered until this is disposed. */
export interface Registration<Table> {
  readonly table: Table;
  dispose(): void;
}

/** The table that a function or a class of a feature has registered. */
export type TableOf<Registered extends Registration<unknown>> = Registered["table"];

/** Registers a feature's commands; `parts` are disposed with them. */
export function registerCommands<Table extends Record<string, (...given: never[]) => void>>(
  table: Table,
  ...parts: vscode.Disposable[]
): Registration<Table> {
  const registered = Object.entries(table).map(([id, handler]) =>
    vscode.commands.registerCommand(id, (...given: never[]) => {
      if (!isWithoutRow(id, given)) return handler(...given);
      void showWarning(vscode.l10n.t("The list was being updated. Try again."));
    }),
  );
  const all = vscode.Disposable.from(...registered, ...parts);
  return { table, dispose: () => void all.dispose() };
}

/**
 * Whether a command of rows alone was run without one: VS Code (1.139) does so where the menu of a row was used while its list
 * was drawn again.
 */
function isWithoutRow(id: string, given: readonly unknown[]): boolean {
  if (given.length === 0 || given[0] !== undefined) return false;
  const manifest = vscode.extensions.getExtension(extensionId)?.packageJSON as Manifest | undefined;
  const { menus } = manifest?.contributes ?? { menus: {} };
  const isOfRows = menus["view/item/context"]?.some(({ command }) => command === id) === true;
  const inPalette = menus["commandPalette"]?.find(({ command }) => command === id);
  return isOfRows && inPalette?.when === "false";
}

/** One of our commands with its arguments: the action of a button, a link or a row. */
export function bindCommand<Id extends keyof CommandTable>(
  command: Id,
  title: string,
  ...given: Parameters<CommandTable[Id]>
): { command: Id; title: string; arguments: unknown[] } {
  return { command, title, arguments: given };
}

/** Runs one of our commands with what its handler takes. */
export async function executeCommand<Id extends keyof CommandTable>(
  id: Id,
  ...given: Parameters<CommandTable[Id]>
): Promise<void> {
  await vscode.commands.executeCommand(id, ...given);
}
