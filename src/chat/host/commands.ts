// `MindsDB: Ask Agent…`: from the tree about that agent, from the palette about the one that the user picks.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import type { AgentRef } from "../agentAccess.ts";

export function registerChatCommands(
  chats: { open(agent: AgentRef): void },
  pickAgent: () => Promise<AgentRef | undefined>,
): vscode.Disposable {
  return vscode.commands.registerCommand(commands.agentAsk, async (given?: AgentRef) => {
    const agent = given ?? (await pickAgent());
    if (agent) chats.open(agent);
  });
}
