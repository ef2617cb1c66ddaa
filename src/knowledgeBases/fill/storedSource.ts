import { redactStatement } from "../../mindsdb/redact/redactStatement.ts";
import type { SourceRef } from "./sourceRef.ts";

/**
 * The source as the page's state has it, which is stored; undefined for a statement with secrets: without them it cannot be
 * read again, so the page is closed after a reload. `redact` is the connection's.
 */
export function storedSource(
  source: SourceRef,
  redact: (text: string) => string,
): SourceRef | undefined {
  if (source.kind !== "select") return source;
  const { query } = source;
  return redactStatement(redact(query)) === query ? source : undefined;
}
