// Finds what reads from a data source and fails without it: views, agents, knowledge bases, jobs and triggers.
import { listAgents } from "../mindsdb/agents.ts";
import { splitEntry } from "../mindsdb/dataPatterns.ts";
import type { Client } from "../mindsdb/http/client.ts";
import { inParallel } from "../mindsdb/http/inParallel.ts";
import { listJobs } from "../mindsdb/jobs.ts";
import { listKnowledgeBases } from "../mindsdb/knowledgeBases.ts";
import { isSameName } from "../mindsdb/nameOrder.ts";
import { listProjects } from "../mindsdb/projects.ts";
import { isMark, isName, tokenizeSql, unquoted } from "../mindsdb/sql/sqlTokens.ts";
import { listViews } from "../mindsdb/sql/views.ts";
import { listTriggers } from "../mindsdb/triggers.ts";

export interface Dependent {
  kind: "view" | "agent" | "knowledgeBase" | "job" | "trigger";
  project: string;
  name: string;
}

interface Dependents {
  found: Dependent[];
  /** Some lists could not be read. */
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
    const isUsed = (entry: string): boolean => isSameName(splitEntry(entry)[0], source);
    const of = (kind: Dependent["kind"], items: { name: string }[]): Dependent[] =>
      items.map(({ name }) => ({ kind, project, name }));
    return [
      ...of(
        "view",
        views.filter(({ query }) => readsFrom(query, source)),
      ),
      ...of(
        "agent",
        agents.filter(({ tables }) => tables.some(isUsed)),
      ),
      ...of(
        "knowledgeBase",
        bases.filter(({ storage = "" }) => isUsed(storage)),
      ),
      ...of(
        "job",
        jobs.filter(({ query }) => readsFrom(query, source)),
      ),
      ...of(
        "trigger",
        triggers.filter((one) => isSameName(one.source, source) || readsFrom(one.query, source)),
      ),
    ];
  });
  return { found: lists.flat(), isPartial };
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
