// Reads a few rows of an agent's data for suggested questions.
import type { CallOptions, Client } from "../../mindsdb/http/client.ts";
import { ownColumns } from "../../mindsdb/searchKnowledgeBase.ts";
import {
  formatEntry,
  isPattern,
  matches,
  findOwner,
  splitEntry,
  type Parts,
} from "../../mindsdb/dataPatterns.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import type { ConnectedData } from "../suggestions/suggestQuestions.ts";

/** The most tables, and the most knowledge bases, that are read. */
const maxItems = 2;
/** The most entries that are looked at: each with a wildcard has the server list its tables. */
const maxEntries = 20;

const maxTableRows = 20;
const maxKnowledgeBaseRows = 5;
const maxSubjectLength = 40;

/** Reads the agent, then a few rows of its data. What cannot be read is left out or has no rows. */
export async function readConnectedData(
  client: Client,
  { project, name }: AgentRef,
  signal: AbortSignal,
): Promise<ConnectedData> {
  // A database behind the server may be slow; then nothing is suggested.
  const options: CallOptions = { signal, timeoutMs: 15_000 };
  const { getAgent } = await import("../../mindsdb/agents.ts");
  const agent = await getAgent(client, project, name, options);
  const { listTables } = await import("../../mindsdb/dataSources.ts");
  const { listKnowledgeBases } = await import("../../mindsdb/knowledgeBases.ts");
  const tables = await resolve(agent.tables, async (source) =>
    (await listTables(client, source, options)).map((table) =>
      table.schema === undefined ? [source, table.name] : [source, table.schema, table.name],
    ),
  );
  const bases = await resolve(agent.knowledgeBases, async (owner) =>
    (await listKnowledgeBases(client, owner, options)).map((base) => [owner, base.name]),
  );
  return {
    tables: await Promise.all(tables.map((parts) => readTable(client, parts, options))),
    knowledgeBases: await Promise.all(
      bases.map((parts) =>
        readKnowledgeBase(client, parts.length > 1 ? parts : [project, ...parts], options),
      ),
    ),
  };
}

/** Resolves patterns to the items of their owner; other entries are returned as they are. */
async function resolve(
  entries: string[],
  list: (owner: string) => Promise<Parts[]>,
): Promise<Parts[]> {
  const found = new Map<string, Parts>();
  for (const entry of entries.slice(0, maxEntries)) {
    if (found.size >= maxItems) break;
    const owner = findOwner(entry);
    const all =
      isPattern(entry) && owner !== undefined
        ? (await list(owner).catch(() => [])).filter((parts) => matches(entry, parts))
        : [splitEntry(entry)];
    for (const parts of all) found.set(formatEntry(parts), parts);
  }
  return [...found.values()].slice(0, maxItems);
}

async function readTable(
  client: Client,
  parts: Parts,
  options: CallOptions,
): Promise<ConnectedData["tables"][number]> {
  const { columns, rows } = await readRows(client, parts, maxTableRows, options);
  return { name: parts.at(-1) ?? "", columns, rows };
}

async function readKnowledgeBase(
  client: Client,
  parts: Parts,
  options: CallOptions,
): Promise<ConnectedData["knowledgeBases"][number]> {
  const { columns, rows } = await readRows(client, parts, maxKnowledgeBaseRows, options);
  return { name: parts.at(-1) ?? "", subjects: findSubjects(columns, rows) };
}

/**
 * Returns short values of a metadata column, preferably of a title. Sorted by column, because real servers return the
 * columns in another order after each start.
 */
function findSubjects(columns: string[], rows: unknown[][]): string[] {
  const isTitle = (column: string): boolean => /title|name|subject|topic/i.test(column);
  const found = columns
    .map((column, at) => ({ column, texts: rows.map((row) => row[at]).filter(isSubject) }))
    .filter(({ column, texts }) => !ownColumns.includes(column) && texts.length > 0)
    .sort((a, b) => Number(isTitle(b.column)) - Number(isTitle(a.column)) || byCode(a, b));
  return [...new Set(found[0]?.texts)];
}

function isSubject(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= maxSubjectLength;
}

function byCode(a: { column: string }, b: { column: string }): number {
  return a.column < b.column ? -1 : 1;
}

async function readRows(
  client: Client,
  parts: Parts,
  limit: number,
  options: CallOptions,
): Promise<{ columns: string[]; rows: unknown[][] }> {
  try {
    const { readFirstRows } = await import("../../mindsdb/tables.ts");
    return await readFirstRows(client, parts, limit, options);
  } catch {
    return { columns: [], rows: [] };
  }
}
