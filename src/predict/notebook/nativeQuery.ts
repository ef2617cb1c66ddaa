// A query whose SQL MindsDB's parser refuses, as the text that it hands on to the data source: `SELECT * FROM source (…)`.
import * as l10n from "@vscode/l10n";
import { filesSource } from "../../mindsdb/filesSource.ts";
import type { LexedToken } from "../../mindsdb/sql/parser/lexSql.ts";
import { defaultProjectName } from "../../mindsdb/projects.ts";
import type { TextChange } from "./recipeEdits.ts";
import type { SqlFix } from "./sqlMisreading.ts";

/** The fix, if the query names tables of one data source only. */
export function fixByNativeQuery(sql: string, tokens: readonly LexedToken[]): SqlFix | undefined {
  const textAt = (at: number): string => {
    const token = tokens[at];
    return token ? sql.slice(token.start, token.end) : "";
  };
  const [first] = tokens;
  const last = tokens.findLast(({ kind }) => kind !== ";");
  const source = findOnlySource(tokens, textAt);
  if (!first || !last || source === undefined || !/^(SELECT|WITH)$/i.test(textAt(0))) {
    return undefined;
  }
  const opening = `SELECT * FROM ${source} (`;
  const changes: TextChange[] = [{ start: first.start, end: first.start, text: opening }];
  for (const [at, { start, end }] of tokens.entries()) {
    const text = textAt(at);
    const isSource = text.toLowerCase() === source.toLowerCase() && textAt(at - 1) !== ".";
    if (isSource && textAt(at + 1) === ".") {
      changes.push({ start, end: tokens[at + 2]?.start ?? end, text: "" });
    } else if (text.startsWith("`")) {
      changes.push({ start, end, text: text.replaceAll("`", '"') });
    }
  }
  changes.push({ start: last.end, end: last.end, text: ")" });
  return { title: l10n.t("Change to {0}", `${opening}…)`), changes };
}

/** The data source of all tables after FROM and JOIN; undefined if there are several, or none. */
function findOnlySource(
  tokens: readonly LexedToken[],
  textAt: (at: number) => string,
): string | undefined {
  const sources = new Map<string, string>();
  for (const at of tokens.keys()) {
    if (!/^(FROM|JOIN)$/i.test(textAt(at)) || textAt(at + 2) !== ".") continue;
    const name = textAt(at + 1);
    const key = name.toLowerCase();
    sources.set(key, sources.get(key) ?? name);
  }
  const [[key, source] = ["", undefined], ...others] = sources;
  const isOwn = [filesSource, defaultProjectName, "information_schema"].includes(key);
  return others.length > 0 || isOwn ? undefined : source;
}
