// Which agents read a knowledge base.
import { matches, withOwner } from "../agents/dataPatterns.ts";
import type { AgentNode, KnowledgeBaseNode } from "./node.ts";

/** A knowledge base of a project on a connection. */
export type KnowledgeBasePlace = Pick<KnowledgeBaseNode, "connectionId" | "project" | "name">;

/** True if the agent names the knowledge base, or a pattern that it matches. An entry without a project fits any. */
export function isUsing(
  { connectionId, item }: Pick<AgentNode, "connectionId" | "item">,
  base: KnowledgeBasePlace,
): boolean {
  if (connectionId !== base.connectionId) return false;
  return item.knowledgeBases.some((entry) =>
    matches(withOwner(entry, base.project), [base.project, base.name]),
  );
}
