// Which agents read a knowledge base.
import { matches, withOwner } from "../mindsdb/dataPatterns.ts";
import type { KnowledgeBaseRef } from "../mindsdb/references.ts";
import type { AgentNode } from "./node.ts";

/** True if the agent names the knowledge base, or a pattern that it matches. An entry without a project fits any. */
export function isUsing(
  { connectionId, item }: Pick<AgentNode, "connectionId" | "item">,
  base: KnowledgeBaseRef,
): boolean {
  if (connectionId !== base.connectionId) return false;
  return item.knowledgeBases.some((entry) =>
    matches(withOwner(entry, base.project), [base.project, base.name]),
  );
}
