// Creating and deleting projects. Seen on 26.1.0 and 25.14.1.
import * as l10n from "@vscode/l10n";
import { listDatabases } from "./dataSources.ts";
import { deleteItem } from "./deleteItem.ts";
import { AppError } from "./errors.ts";
import { apiPath, type Client } from "./http/client.ts";
import type { ProjectItem } from "./listItems.ts";
import { listProjectItems } from "./projectItems.ts";
import { quoteName, runSql } from "./sql/runSql.ts";
import { listTriggers } from "./triggers.ts";

/** Creates a project. Throws AppError "sql" if the name is taken. */
export async function createProject(client: Client, name: string): Promise<void> {
  await runSql(client, `CREATE PROJECT ${quoteName(name)}`);
}

/** Everything that must be deleted before a project, its jobs and triggers too. */
export async function listProjectEntries(client: Client, project: string): Promise<ProjectItem[]> {
  const [items, triggers] = await Promise.all([
    listProjectItems(client, project),
    listTriggers(client, project),
  ]);
  return [
    ...items.filter(({ name, type }) => !(name === "models" && type === "table")),
    ...triggers.map(({ name }) => ({ name, type: "trigger" })),
  ];
}

/**
 * Deletes an empty project: the server refuses others, but for jobs and triggers, which it leaves behind without a project,
 * where they break the lists of all jobs and triggers. So delete them before. By HTTP, because SQL does not find every name in capitals. Throws
 * AppError "notFound" or "refused" as `checkIsProject` does.
 */
export async function deleteProject(client: Client, project: string): Promise<void> {
  client.checkWritable();
  await checkIsProject(client, project);
  await deleteItem(client, apiPath`/api/databases/${project}`, "PROJECT", project);
}

/**
 * Throws AppError "notFound" or "refused" unless a project has this name, and no data source. The server has one deletion
 * for both: it deletes the data source where both have the name, which a renamed project may get.
 */
export async function checkIsProject(client: Client, project: string): Promise<void> {
  const kinds = (await listDatabases(client))
    .filter(({ name }) => name === project)
    .map(({ kind }) => kind);
  if (kinds.length === 1 && kinds[0] === "project") return;
  // The tree that offered it is out of date.
  client.observe({ kind: "changed", list: "projects" });
  if (kinds.length === 0) {
    throw new AppError("notFound", l10n.t("The project {0} no longer exists.", project));
  }
  const message = kinds.includes("project")
    ? l10n.t(
        "A data source is also named {0}, and MindsDB would delete it instead. Nothing was deleted.",
        project,
      )
    : l10n.t("{0} is a data source now, not a project. Nothing was deleted.", project);
  throw new AppError("refused", message);
}
