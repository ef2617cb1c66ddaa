import { randomUUID } from "node:crypto";
import type { AgentRef } from "../../mindsdb/references.ts";
import { askOnce, type OneRun } from "../askOnce.ts";
import { toChatAgent } from "./chatAgents.ts";
import type { ChatPanelsOptions } from "./chatPanels.ts";

/** Asks one question outside of any conversation; nothing of it is stored. */
export function askOneQuestion(
  { access, log, timeLimit }: Pick<ChatPanelsOptions, "access" | "log" | "timeLimit">,
  agent: AgentRef,
  question: string,
  signal: AbortSignal,
): Promise<OneRun> {
  return askOnce({
    chatId: randomUUID(),
    agent: toChatAgent(agent, access),
    question,
    access,
    timeLimit,
    signal,
    onError: (what, error) => log.error(what, error),
  });
}
