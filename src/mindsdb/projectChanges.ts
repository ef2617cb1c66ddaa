// Creating and deleting projects, and what a project holds. Seen on 26.1.0 and 25.14.1.
import * as v from "valibot";
import { decodeList } from "./decode.ts";
import { apiPath, type Client } from "./http/client.ts";
import { quoteName, runSql } from "./sql/runSql.ts";

export interface ProjectEntry {
  name: string;
  /** As the server calls it: `model`, `view`, `knowledge_base`, `agent`, `job`, … */
  type: string;
}

const branchRow = v.looseObject({ name: v.string(), type: v.fallback(v.string(), "") });

/** Creates a project. Throws AppError "sql" if the name is taken. */
export async function createProject(client: Client, name: string): Promise<void> {
  await runSql(client, `CREATE PROJECT ${quoteName(name)}`);
}

/** Everything that a project holds, its jobs too. One request. */
export async function listProjectEntries(client: Client, project: string): Promise<ProjectEntry[]> {
  const answer = await client.get(apiPath`/api/tree/${project}`);
  return decodeList(branchRow, answer, client.secrets)
    .filter(({ name, type }) => !(name === "models" && type === "table"))
    .map(({ name, type }) => ({ name, type }));
}

/**
 * Deletes an empty project: the server refuses others, but for jobs, which it leaves behind without a project, where they
 * break the list of all jobs. So delete them before. By HTTP, because SQL does not find every name in capitals.
 */
export async function deleteProject(client: Client, project: string): Promise<void> {
  await client.delete(apiPath`/api/databases/${project}`);
}
