// The commands of the sample server. What they do is imported with the first use.
import * as vscode from "vscode";
import { sampleConnectionId as connectionId } from "../../connections/connection.ts";
import { commands } from "../../ids.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import type { SampleServer } from "./sampleServer.ts";
import type { SampleServerActions, SampleTree } from "./sampleServerActions.ts";

/** Registers the commands that try, start, stop and reset the sample server. `ask` opens a chat with an agent. */
export function registerSampleServerCommands(
  server: SampleServer,
  tree: SampleTree,
  ask: (agent: AgentRef) => void,
): vscode.Disposable {
  const register = (id: string, work: (actions: SampleServerActions) => Promise<void>) =>
    vscode.commands.registerCommand(id, async () => {
      const { SampleServerActions } = await import("./sampleServerActions.ts");
      const actions = new SampleServerActions(server, tree, ask);
      await actions.attempt(() => work(actions));
    });
  return vscode.Disposable.from(
    server.onDidStop(() => tree.refreshConnection(connectionId)),
    register(commands.sampleServerTry, (actions) => actions.tryOut()),
    register(commands.sampleServerStart, (actions) => actions.start()),
    register(commands.sampleServerStop, (actions) => actions.stop()),
    register(commands.sampleServerReset, (actions) => actions.reset()),
  );
}
