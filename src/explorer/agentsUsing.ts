// Finds the agents that have access to a knowledge base.
import { matches, withOwner } from "../mindsdb/dataPatterns.ts";
import type { KnowledgeBaseRef } from "../mindsdb/references.ts";
import type { AgentNode } from "./node.ts";

/** Whether the agent can read the knowledge base. An entry without a project matches any project. */
export function isUsing(
  { connectionId, item }: Pick<AgentNode, "connectionId" | "item">,
  base: KnowledgeBaseRef,
): boolean {
  if (connectionId !== base.connectionId) return false;
  return item.knowledgeBases.some((entry) =>
    matches(withOwner(entry, base.project), [base.project, base.name]),
  );
}
