// What an agent is connected to, with a few rows of it, for the questions that are suggested.
import type { CallOptions, Client } from "../../mindsdb/http/client.ts";
import { ownColumns } from "../../mindsdb/searchKnowledgeBase.ts";
import {
  entryOf,
  isPattern,
  matches,
  ownerOf,
  partsOf,
  type Parts,
} from "../../mindsdb/dataPatterns.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import type { ConnectedData } from "../suggestions/suggestQuestions.ts";

/** So many tables and knowledge bases are looked at. */
const most = 2;

const rowsOfTable = 20;
const rowsOfBase = 5;
const maxSubjectLength = 40;

/** Reads the agent, then a few rows of each thing. What cannot be read is left out or comes without rows. */
export async function readConnectedData(
  client: Client,
  { project, name }: AgentRef,
  signal: AbortSignal,
): Promise<ConnectedData> {
  // A database behind the server may take its time; in the end there is nothing to suggest.
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
        readBase(client, parts.length > 1 ? parts : [project, ...parts], options),
      ),
    ),
  };
}

/** What the entries stand for: patterns by what their owner holds, others as they are. */
async function resolve(
  entries: string[],
  list: (owner: string) => Promise<Parts[]>,
): Promise<Parts[]> {
  const found = new Map<string, Parts>();
  for (const entry of entries) {
    if (found.size >= most) break;
    const owner = ownerOf(entry);
    const all =
      isPattern(entry) && owner !== undefined
        ? (await list(owner).catch(() => [])).filter((parts) => matches(entry, parts))
        : [partsOf(entry)];
    for (const parts of all) found.set(entryOf(parts), parts);
  }
  return [...found.values()].slice(0, most);
}

async function readTable(
  client: Client,
  parts: Parts,
  options: CallOptions,
): Promise<ConnectedData["tables"][number]> {
  const { columns, rows } = await readRows(client, parts, rowsOfTable, options);
  return { name: parts.at(-1) ?? "", columns, rows };
}

async function readBase(
  client: Client,
  parts: Parts,
  options: CallOptions,
): Promise<ConnectedData["knowledgeBases"][number]> {
  const { columns, rows } = await readRows(client, parts, rowsOfBase, options);
  return { name: parts.at(-1) ?? "", subjects: subjectsIn(columns, rows) };
}

/**
 * What texts are about: the short words in a metadata column, a title's if there is one. Real servers put these columns
 * into another order each time they start.
 */
function subjectsIn(columns: string[], rows: unknown[][]): string[] {
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
    const { quoteTable, runSql } = await import("../../mindsdb/sql/runSql.ts");
    const from = parts.map(quoteTable).join(".");
    return await runSql(client, `SELECT * FROM ${from} LIMIT ${String(limit)}`, options);
  } catch {
    return { columns: [], rows: [] };
  }
}
