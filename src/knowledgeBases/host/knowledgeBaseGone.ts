import { isAppError } from "../../mindsdb/errors.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import { isItemNotFound } from "../../shared/host/itemPage.ts";
import { describeGone } from "../../shared/itemGone.ts";

/** Returns what to say if a 404 is about this knowledge base or its project, and not about the server's API. */
export function explainKnowledgeBaseGone(
  error: unknown,
  item: KnowledgeBaseRef,
): string | undefined {
  const isGone =
    isItemNotFound(error, item) ||
    (isAppError(error, "notFound") && /knowledge.?base/i.test(error.message));
  return isGone ? describeGone(item) : undefined;
}
