// Finds what reads from a data source and fails without it: views, agents, knowledge bases, jobs and triggers, also those that
// read it through views or knowledge bases.
import { listAgents } from "../mindsdb/agents.ts";
import { formatEntry, isPattern, matches, splitEntry, withOwner } from "../mindsdb/dataPatterns.ts";
import type { Client } from "../mindsdb/http/client.ts";
import { inParallel } from "../mindsdb/http/inParallel.ts";
import { listJobs } from "../mindsdb/jobs.ts";
import { listKnowledgeBases } from "../mindsdb/knowledgeBases.ts";
import { isSameName } from "../mindsdb/nameOrder.ts";
import { defaultProjectName, listProjects } from "../mindsdb/projects.ts";
import { findTables } from "../mindsdb/sql/statementKind.ts";
import { isMark, isName, tokenizeSql, unquoted } from "../mindsdb/sql/sqlTokens.ts";
import { listViews } from "../mindsdb/sql/views.ts";
import { listTriggers } from "../mindsdb/triggers.ts";
import { readInSlices } from "../mindsdb/readInSlices.ts";
import { maxShownText } from "../mindsdb/redact/secrets.ts";

export interface Dependent {
  kind: "view" | "agent" | "knowledgeBase" | "job" | "trigger";
  project: string;
  name: string;
}

interface Dependents {
  found: Dependent[];
  /** Some lists could not be read, or have SQL that is too long to be. */
  isPartial: boolean;
}

export async function findDependents(client: Client, source: string): Promise<Dependents> {
  let isPartial = false;
  const orNone = async <Item>(list: Promise<Item[]>): Promise<Item[]> =>
    list.catch(() => {
      isPartial = true;
      return [];
    });
  const lists = await inParallel(await orNone(listProjects(client)), async ({ name: project }) => {
    const [views, agents, bases, jobs, triggers] = await Promise.all([
      orNone(listViews(client, project)),
      orNone(listAgents(client, project)),
      orNone(listKnowledgeBases(client, project)),
      orNone(listJobs(client, project)),
      orNone(listTriggers(client, project)),
    ]);
    const itemOf = (kind: Dependent["kind"], name: string, entries: string[], sql = ""): Item => {
      // Lists hold at most as much of an item, and may have cut it. Reading that takes 50 ms.
      const isLong = sql.length >= maxShownText;
      if (isLong) isPartial = true;
      const read = isLong ? "" : sql;
      return {
        dependent: { kind, project, name },
        isDirect:
          entries.some((entry) => isSameName(splitEntry(entry)[0], source)) ||
          readsFrom(read, source),
        entries,
        paths: listPaths(read, project),
      };
    };
    // Many megabytes of SQL take seconds to read.
    return (
      await Promise.all([
        readInSlices(views, ({ name, query }) => itemOf("view", name, [], query)),
        readInSlices(bases, ({ name, storage = "" }) => itemOf("knowledgeBase", name, [storage])),
        readInSlices(agents, ({ name, tables, knowledgeBases }) =>
          itemOf("agent", name, [
            ...tables,
            ...knowledgeBases.map((entry) => withOwner(entry, defaultProjectName)),
          ]),
        ),
        readInSlices(jobs, ({ name, query, condition = "" }) =>
          itemOf("job", name, [], `${query}\n;\n${condition}`),
        ),
        readInSlices(triggers, ({ name, source: owner, table, query }) =>
          itemOf("trigger", name, owner === undefined ? [] : [formatEntry([owner, table])], query),
        ),
      ])
    ).flat();
  });
  const { found, isAll } = findAll(lists.flat());
  return { found, isPartial: isPartial || !isAll };
}

interface Item {
  dependent: Dependent;
  /** Whether it names the data source itself. */
  isDirect: boolean;
  /** Tables and knowledge bases, as in an agent's data. */
  entries: readonly string[];
  /** The tables that its SQL reads. */
  paths: readonly string[];
}

/** Characters of agents' wildcards that are compared with names: half a second. */
const maxCompared = 4_000_000;

/** The items that read the data source, themselves or through others. Takes linear time but for agents' wildcards. */
function findAll(items: readonly Item[]): { found: Dependent[]; isAll: boolean } {
  const readers = new Map<string, Item[]>();
  const withPatterns: { item: Item; patterns: string[] }[] = [];
  let left = maxCompared;
  for (const item of items) {
    const { entries, paths } = item;
    const patterns = entries.filter(isPattern);
    if (patterns.length > 0) withPatterns.push({ item, patterns });
    for (const path of [...paths, ...entries.map((entry) => pathOf(splitEntry(entry)))]) {
      const others = readers.get(path) ?? [];
      others.push(item);
      readers.set(path, others);
    }
  }
  const found = new Set(items.filter(({ isDirect }) => isDirect));
  // A set yields what is added to it on the way.
  for (const { dependent } of found) {
    const { kind, project, name } = dependent;
    if (kind !== "view" && kind !== "knowledgeBase") continue;
    for (const item of readers.get(pathOf([project, name])) ?? []) found.add(item);
    for (const { item, patterns } of withPatterns) {
      if (left < 0 || found.has(item)) continue;
      const fits = (entry: string): boolean => {
        left -= entry.length;
        return left >= 0 && matches(entry, [project, name]);
      };
      if (patterns.some(fits)) found.add(item);
    }
  }
  const all = items.filter((item) => found.has(item)).map(({ dependent }) => dependent);
  return { found: all, isAll: left >= 0 };
}

function pathOf(parts: readonly string[]): string {
  return JSON.stringify(parts).toLowerCase();
}

/** Where the tables that SQL reads may be; those without a project are in the default one, or in that of the SQL. */
function listPaths(sql: string, project: string): string[] {
  const paths = findTables(sql).tables.flatMap(({ readings }) =>
    readings.flatMap((parts) =>
      parts.length === 1
        ? [pathOf([project, ...parts]), pathOf([defaultProjectName, ...parts])]
        : [pathOf(parts)],
    ),
  );
  return [...new Set(paths)];
}

/** Whether SQL names the data source before a dot or a native query. Takes linear time. */
function readsFrom(sql: string, source: string): boolean {
  return tokenizeSql(sql).statements.some(({ tokens }) =>
    tokens.some((token, at) => {
      const next = tokens[at + 1];
      const isOwner = isMark(next, ".") || isMark(next, "(");
      return isOwner && isName(token) && isSameName(unquoted(token), source);
    }),
  );
}
