// The commands of the sample server. What they do is imported with the first use.
import { sampleConnectionId as connectionId } from "../../shared/connection.ts";
import { commands } from "../../ids.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import { registerCommands, type TableOf } from "../../shared/host/commands.ts";
import type { SampleServer } from "./sampleServer.ts";
import type { SampleServerActions, SampleTree } from "./sampleServerActions.ts";

declare module "../../shared/host/commands.ts" {
  interface CommandTable extends TableOf<ReturnType<typeof registerSampleServerCommands>> {}
}

/** Registers the commands that try, start, stop and reset the sample server. `ask` opens a chat with an agent. */
export function registerSampleServerCommands(
  server: SampleServer,
  tree: SampleTree,
  ask: (agent: AgentRef) => void,
) {
  const act = (work: (actions: SampleServerActions) => Promise<void>) => async () => {
    const { SampleServerActions } = await import("./sampleServerActions.ts");
    const actions = new SampleServerActions(server, tree, ask);
    await actions.attempt(() => work(actions));
  };
  return registerCommands(
    {
      [commands.sampleServerTry]: act((actions) => actions.tryOut()),
      [commands.sampleServerStart]: act((actions) => actions.start()),
      [commands.sampleServerStop]: act((actions) => actions.stop()),
      [commands.sampleServerReset]: act((actions) => actions.reset()),
    },
    server.onDidStop(() => tree.refreshConnection(connectionId)),
  );
}
