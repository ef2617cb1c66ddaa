// The requests of a trigger's form.
import type { ServerAccess } from "../../shared/connection.ts";
import { formatEntry } from "../../mindsdb/dataPatterns.ts";
import { listDatabases } from "../../mindsdb/dataSources.ts";
import { inParallel } from "../../mindsdb/http/inParallel.ts";
import type { Trigger } from "../../mindsdb/listItems.ts";
import { listTriggers } from "../../mindsdb/triggers.ts";
import type { TriggerChoices } from "../triggerForm.ts";

/** The projects and their triggers, and the data sources. Throws AppError. */
export async function loadTriggerChoices(
  servers: ServerAccess,
  connectionId: string,
  signal?: AbortSignal,
): Promise<TriggerChoices> {
  const client = await servers.client(connectionId);
  const databases = await listDatabases(client, { signal });
  const projects = databases.filter(({ kind }) => kind === "project").map(({ name }) => name);
  const lists = await inParallel(projects, async (project) => {
    const triggers = await listTriggers(client, project, { signal }).catch((): Trigger[] => []);
    return triggers.map(({ name, source = "", table }) => {
      return { project, name, table: formatEntry([source, table]) };
    });
  });
  const sources = databases.filter(({ kind }) => kind === "data");
  return {
    projects,
    triggers: lists.flat(),
    sources: sources.map(({ name, engine = "" }) => ({ name, engine })),
  };
}
