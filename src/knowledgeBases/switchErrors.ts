// Errors of servers when hybrid search or reranking fails, as seen on 26.1.0 and 25.14.1, with the way out.
import * as l10n from "@vscode/l10n";
import { readProviderMessage } from "../shared/modelFailure.ts";

/** Undefined for errors of something else. */
export function explainSwitches(
  message: string,
): { part: "hybrid" | "reranking"; text: string } | undefined {
  // DuckDB downloads it with the first search by words.
  if (message.includes("required extension 'fts'")) {
    const text = l10n.t(
      "The server could not download the extension for searching by words (DuckDB's fts), which needs the internet. Turn off Hybrid Search.",
    );
    return { part: "hybrid", text };
  }
  if (message.includes("Hybrid search is enabled but the db_handler")) {
    const text = l10n.t(
      "The vector store of this knowledge base can't search by words. Turn off Hybrid Search.",
    );
    return { part: "hybrid", text };
  }
  const [, reason] = /^Error during reranking: ([^]*)$/.exec(message) ?? [];
  if (reason === undefined) return undefined;
  const text = l10n.t(
    "The reranking model failed, so nothing was found. Turn off Reranking to search without it. Server message: {0}",
    readProviderMessage(reason),
  );
  return { part: "reranking", text };
}
