// Registers the connection commands. Their code is imported when the first one runs.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import { onDidChangeActiveConnection } from "../../shared/host/activeConnection.ts";
import type { ConnectionCommandOptions } from "./addConnection.ts";
import type { ConnectionCommands } from "./connectionCommands.ts";

/** Registers the commands until the result is disposed. */
export function registerConnectionCommands(options: ConnectionCommandOptions): vscode.Disposable {
  const run = (name: keyof ConnectionCommands) => async (argument?: string) => {
    const { connectionCommands } = await import("./connectionCommands.ts");
    await connectionCommands(options)[name](argument);
  };
  let statusBar: Promise<vscode.Disposable> | undefined;
  return vscode.Disposable.from(
    onDidChangeActiveConnection(() => {
      statusBar ??= import("./connectionStatusBar.ts").then(
        ({ ConnectionStatusBar }) => new ConnectionStatusBar(options.connections),
      );
    }),
    {
      dispose() {
        void statusBar?.then((loaded) => {
          loaded.dispose();
        });
      },
    },
    vscode.commands.registerCommand(commands.connectionAdd, run("add")),
    vscode.commands.registerCommand(commands.connectionConnectLocal, run("connectLocal")),
    vscode.commands.registerCommand(commands.connectionSignIn, run("signIn")),
    vscode.commands.registerCommand(commands.connectionSignOut, run("signOut")),
    vscode.commands.registerCommand(commands.connectionEdit, run("edit")),
    vscode.commands.registerCommand(commands.connectionRename, run("rename")),
    vscode.commands.registerCommand(commands.connectionCopyAddress, run("copyAddress")),
    vscode.commands.registerCommand(commands.connectionSetProtection, run("setProtection")),
    vscode.commands.registerCommand(commands.connectionShowMenu, run("showMenu")),
    vscode.commands.registerCommand(commands.connectionDiagnose, run("diagnose")),
    vscode.commands.registerCommand(commands.connectionRemove, run("remove")),
  );
}
