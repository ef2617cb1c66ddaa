// Data patterns: the entries for tables and knowledge bases in an agent's data.
import { isSameName } from "./nameOrder.ts";
import { globWildcards, matchesWildcards } from "./matchWildcards.ts";

/** A table (data source, schema if any, name) or a knowledge base (project, name) by its parts. */
export type Parts = readonly string[];

/** The parts as an entry; parts with a dot are quoted with backticks. */
export function formatEntry(parts: Parts): string {
  return parts.map((part) => (part.includes(".") ? `\`${part}\`` : part)).join(".");
}

/** An entry's parts, split the way the server does: at dots outside of backticks. */
export function splitEntry(entry: string): string[] {
  return (entry.match(/`[^`]+`|[^.`]+/g) ?? []).map((part) => part.replaceAll("`", "").trim());
}

/** The entry for everything in a data source or project. */
export function formatEverythingIn(owner: string): string {
  return formatEntry([owner, "*"]);
}

/** True for an entry with wildcards, like `files.*` or `files.sales_*`. */
export function isPattern(entry: string): boolean {
  return /[*?]/.test(entry);
}

/** The data source or project of an entry; undefined if it has none. */
export function findOwner(entry: string): string | undefined {
  const parts = splitEntry(entry);
  return parts.length > 1 ? parts[0] : undefined;
}

/**
 * True if an entry matches a table or knowledge base. As on the server: case is ignored, `*` matches any characters of
 * the last part, and a schema may be omitted.
 */
export function matches(entry: string, parts: Parts): boolean {
  const [owner, ...rest] = splitEntry(entry);
  const [itsOwner, ...its] = parts;
  if (rest.length === 0 || !isSameName(owner, itsOwner)) return false;
  const pattern = rest.at(-1) ?? "";
  const schemaFits = rest.length === 1 || (its.length === 2 && isSameName(rest[0], its[0]));
  if (rest.length > 2 || !schemaFits) return false;
  const name = its.at(-1) ?? "";
  return matchesWildcards(name.toLowerCase(), pattern.toLowerCase(), globWildcards);
}

/** A knowledge base without a project is one of the default project (seen on 26.1.0 and 25.14.1). */
export function withOwner(entry: string, defaultOwner: string): string {
  return findOwner(entry) === undefined ? formatEntry([defaultOwner, entry]) : entry;
}
