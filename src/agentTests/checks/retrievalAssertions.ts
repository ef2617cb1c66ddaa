// The assertions about a search's ranking: functions of the provider file, which are computed here without running it.
import * as l10n from "@vscode/l10n";
import { tryParseJson } from "../../mindsdb/json.ts";
import { AssertionError, type Finding } from "../files/finding.ts";
import { findProviderFunction } from "../promptfoo/providerFile.ts";
import { hitAtK, reciprocalRank } from "./searchMetrics.ts";
import type { Assertion } from "../files/testFile.ts";

/** Computes the score of such an assertion. As in promptfoo, without a threshold any score over 0 passes. */
export function evaluateRetrieval(
  { value, retrieval, threshold }: Assertion,
  output: string,
): Finding {
  const name = findProviderFunction(value);
  if (!name || !retrieval) {
    throw new AssertionError(l10n.t("Not supported here: {0}.", "javascript"));
  }
  const ids = parseIds(output);
  const { expected, k = Infinity } = retrieval;
  const score = name === "hitAtK" ? hitAtK(ids, expected, k) : reciprocalRank(ids, expected);
  return {
    isTrue: threshold === undefined ? score > 0 : score >= threshold,
    score,
    reason: describeRanks(ids, expected),
    actual: ids.map((id, at) => `${at + 1}. ${id}`).join("\n"),
  };
}

function parseIds(output: string): string[] {
  const ids = tryParseJson(output);
  if (Array.isArray(ids)) return ids.map(String);
  // An agent's answer.
  throw new AssertionError(l10n.t("Only for a provider mindsdb-search:PROJECT/NAME."));
}

/** The documents that any assertion of a test expects. */
export function listExpected(assertions: readonly Assertion[]): string[] {
  const all = assertions.flatMap(({ retrieval, members = [] }) => [
    ...(retrieval?.expected ?? []),
    ...listExpected(members),
  ]);
  return [...new Set(all)];
}

/** Such an assertion in a few words: "hit@3 pets, deposit". */
export function describeRetrieval({ value, retrieval, threshold }: Assertion): string {
  const name = findProviderFunction(value);
  const { expected = [], k } = retrieval ?? {};
  const title = name === "hitAtK" ? `hit@${k ?? "k"}` : "reciprocal rank";
  const limit = threshold === undefined ? "" : ` ≥ ${threshold}`;
  return `${title}${limit} ${expected.join(", ")}`;
}

function describeRanks(ids: readonly string[], expected: readonly string[]): string {
  const ranks = new Map(ids.map((id, at) => [id, at + 1] as const).toReversed());
  return expected
    .map((id) => {
      const rank = ranks.get(id);
      return rank === undefined
        ? l10n.t("{0} was not found.", id)
        : l10n.t("{0} has rank {1}.", id, rank);
    })
    .join(" ");
}
