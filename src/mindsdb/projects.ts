// Projects, and which of them is the default one.
import * as v from "valibot";
import type { CallOptions, Client } from "./http/client.ts";
import { AppError } from "./errors.ts";
import { responseLimits } from "./http/responseBody.ts";
import { decodeList, itemName } from "./decode.ts";
import { isListAbsent } from "./isListAbsent.ts";
import { compareNames } from "./nameOrder.ts";
import type { Project } from "./listItems.ts";

/** The usual name of the default project, suggested where the server does not give one. */
export const defaultProjectName = "mindsdb";

const databaseRow = v.looseObject({
  name: itemName,
  type: v.string(),
  deletable: v.fallback(v.optional(v.boolean()), undefined),
});

const projectRow = v.looseObject({ name: itemName });

/**
 * All projects, the default one first. One request: the rows of `/api/databases/` whose type is `project`, of which
 * the default one is not deletable; passwords in these rows are remembered for redaction. Servers without such rows are
 * asked for `/api/projects/`.
 */
export async function listProjects(client: Client, options: CallOptions = {}): Promise<Project[]> {
  const { secrets } = client;
  const answer = await client
    .get("/api/databases/", { limits: responseLimits.listing, ...options })
    .catch((error: unknown) => {
      if (isListAbsent(error)) return [];
      throw error;
    });
  await secrets.learnList(answer);
  const rows = decodeList(databaseRow, answer, secrets);
  const projects = rows.filter((row) => row.type === "project");
  if (projects.length === 0) {
    const names = decodeList(
      projectRow,
      await client.get("/api/projects/", { limits: responseLimits.listing, ...options }),
      secrets,
    );
    return names.map(({ name }) => ({ name, isDefault: false }));
  }
  const items = projects
    .map(({ name, deletable }) => ({ name, isDefault: deletable === false }))
    .sort((a, b) => Number(b.isDefault) - Number(a.isDefault) || compareNames(a.name, b.name));
  client.observe({ kind: "listed", list: "projects", items });
  return items;
}

/** Projects whose items are asked for one project after the other, without anybody having asked. */
const maxAskedProjects = 500;

/** All projects, to ask for the items of each. Throws AppError "tooLarge" if these are too many requests. */
export async function listAskedProjects(
  client: Client,
  options: CallOptions = {},
): Promise<Project[]> {
  const projects = await listProjects(client, options);
  if (projects.length <= maxAskedProjects) return projects;
  throw new AppError("tooLarge", `There are more than ${maxAskedProjects} projects.`);
}
