// Registering and running our commands. Each feature's `host/commands.ts` has a table of them, and adds the table's type to
// `CommandTable`.
import * as vscode from "vscode";

/** The handlers of all commands by their ids. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- each feature adds its commands
export interface CommandTable {}

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
    vscode.commands.registerCommand(id, handler),
  );
  const all = vscode.Disposable.from(...registered, ...parts);
  return { table, dispose: () => void all.dispose() };
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
