// Registers the connection commands. Their code is imported when the first one runs.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import { onDidChangeActiveConnection } from "../../shared/host/activeConnection.ts";
import { registerCommands, type TableOf } from "../../shared/host/commands.ts";
import { lazy } from "../../shared/lazy.ts";
import type { ConnectionCommandOptions } from "./addConnection.ts";
import type { ConnectionArgument, ConnectionCommands } from "./connectionCommands.ts";

declare module "../../shared/host/commands.ts" {
  interface CommandTable extends TableOf<ReturnType<typeof registerConnectionCommands>> {}
}

/** Registers the commands, and the status bar's item of the active connection. */
export function registerConnectionCommands(options: ConnectionCommandOptions) {
  const run = (name: keyof ConnectionCommands) => async (given?: ConnectionArgument) => {
    const { connectionCommands } = await import("./connectionCommands.ts");
    await connectionCommands(options)[name](given);
  };
  const showStatusBar = lazy(async () => {
    const { ConnectionStatusBar } = await import("./connectionStatusBar.ts");
    return new ConnectionStatusBar(options.connections);
  });
  return registerCommands(
    {
      [commands.connectionAdd]: run("add"),
      [commands.connectionConnectLocal]: run("connectLocal"),
      [commands.connectionSignIn]: run("signIn"),
      [commands.connectionSignOut]: run("signOut"),
      [commands.connectionEdit]: run("edit"),
      [commands.connectionRename]: run("rename"),
      [commands.connectionCopyAddress]: run("copyAddress"),
      [commands.connectionSetProtection]: run("setProtection"),
      [commands.connectionShowMenu]: run("showMenu"),
      [commands.connectionDiagnose]: run("diagnose"),
      [commands.connectionRemove]: run("remove"),
    },
    onDidChangeActiveConnection(() => void showStatusBar()),
    new vscode.Disposable(() => void showStatusBar.loaded?.then((loaded) => loaded.dispose())),
  );
}
