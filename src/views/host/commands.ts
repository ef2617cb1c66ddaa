import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { commands } from "../../ids.ts";
import type { TableRef } from "../../mindsdb/references.ts";
import type { Log } from "../../shared/host/log.ts";

/** Registers the commands of views. What they do is imported with the first use. */
export function registerViewCommands(options: {
  servers: ServerAccess;
  log: Log;
}): vscode.Disposable {
  return vscode.commands.registerCommand(commands.viewDelete, async (view: TableRef) => {
    const { confirmAndDelete } = await import("./viewActions.ts");
    await confirmAndDelete(options, view);
  });
}
