// Creating and deleting projects.
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { toPlainName } from "../../mindsdb/sql/plainName.ts";
import { listDatabases } from "../../mindsdb/dataSources.ts";
import { dropStatement } from "../../mindsdb/deleteItem.ts";
import { AppError } from "../../mindsdb/errors.ts";
import { deleteJob } from "../../mindsdb/jobs.ts";
import { deleteTrigger } from "../../mindsdb/triggers.ts";
import {
  checkIsProject,
  createProject,
  deleteProject,
  listProjectEntries,
} from "../../mindsdb/projectChanges.ts";
import type { ProjectItem } from "../../mindsdb/listItems.ts";
import { listProjects } from "../../mindsdb/projects.ts";
import { attempt } from "../../shared/host/attempt.ts";
import { joinNames } from "../../shared/joinNames.ts";
import { pickConnection } from "../../shared/host/newItemTarget.ts";
import { showInformation, showStatus } from "../../shared/host/notifications.ts";
import { askChoice, askText, back } from "../../shared/host/quickInput.ts";
import type { Log } from "../../shared/host/log.ts";

export class ProjectActions {
  readonly #servers: ServerAccess;
  readonly #options: { servers: ServerAccess; log: Log };

  constructor(servers: ServerAccess, log: Log) {
    this.#servers = servers;
    this.#options = { servers, log };
  }

  /** Asks for a name and creates the project. */
  async create(given?: { connectionId: string }): Promise<void> {
    const title = vscode.l10n.t("Create a Project");
    const connectionId = await this.#pickConnection(title, given);
    if (connectionId === undefined) return;
    await attempt(this.#options, "Creating a project", connectionId, async () => {
      const client = await this.#servers.client(connectionId);
      const taken = (await listDatabases(client)).map(({ name }) => name.toLowerCase());
      const name = await askText({
        title,
        prompt: vscode.l10n.t(
          "Lowercase letters, digits, and underscores. Projects contain agents, knowledge bases, and models.",
        ),
        placeholder: "my_project",
        accept: (value) => Promise.resolve(findNameProblem(value, taken)),
      });
      if (name === undefined || name === back) return;
      const project = name.trim();
      const what = vscode.l10n.t("Create the project {0}", project);
      const button = vscode.l10n.t("Create");
      if (!(await this.#servers.allowWrite(connectionId, { what, button }))) return;
      await createProject(client, project);
      showStatus(vscode.l10n.t("Created {0}", project));
    });
  }

  /** Deletes an empty project, with its jobs and triggers; of another one, says what it holds. */
  async delete(given?: { connectionId: string; project: string }): Promise<void> {
    const title = vscode.l10n.t("Delete a Project");
    const connectionId = await this.#pickConnection(title, given);
    if (connectionId === undefined) return;
    await attempt(this.#options, "Deleting a project", connectionId, async () => {
      const client = await this.#servers.client(connectionId);
      const project = given?.project ?? (await this.#pickProject(title, connectionId));
      if (project === undefined) return;
      // Throws for a name that neither HTTP nor SQL can say, before anybody is asked.
      dropStatement("PROJECT", project);
      await checkIsProject(client, project);
      const entries = await listProjectEntries(client, project);
      const namesOf = (kind: string): string[] =>
        entries.filter(({ type }) => type === kind).map(({ name }) => name);
      const [jobs, triggers] = [namesOf("job"), namesOf("trigger")];
      const isLeftBehind = ({ type }: ProjectItem): boolean => type === "job" || type === "trigger";
      const others = entries.filter((entry) => !isLeftBehind(entry));
      if (others.length > 0) {
        const message = vscode.l10n.t(
          "{0} is not empty, and MindsDB deletes only empty projects.",
          project,
        );
        const detail = [[...formatEntries(others), ...formatEntries(entries.filter(isLeftBehind))]];
        void showInformation(message, { modal: true, detail });
        return;
      }
      const isAllowed = await this.#servers.allowWrite(connectionId, {
        what: vscode.l10n.t("Delete the project {0}", project),
        button: vscode.l10n.t("Delete"),
        detail: [
          ...(jobs.length + triggers.length === 0 ? [vscode.l10n.t("It is empty.")] : []),
          ...(jobs.length > 0
            ? [vscode.l10n.t("Its jobs are deleted first: {0}", jobs.join(", "))]
            : []),
          ...(triggers.length > 0
            ? [vscode.l10n.t("Its triggers are deleted first: {0}", triggers.join(", "))]
            : []),
        ],
        deletes: project,
      });
      if (!isAllowed) return;
      if (!isDeepStrictEqual(await listProjectEntries(client, project), entries)) {
        const message = vscode.l10n.t(
          "{0} has changed in the meantime. Nothing was deleted.",
          project,
        );
        throw new AppError("refused", message);
      }
      // MindsDB would leave them behind, where they break the lists of all jobs and triggers.
      for (const name of jobs) await deleteJob(client, { project, name });
      for (const name of triggers) await deleteTrigger(client, { project, name });
      await deleteProject(client, project);
      showStatus(vscode.l10n.t("Deleted {0}", project));
    });
  }

  async #pickConnection(
    title: string,
    given: { connectionId: string } | undefined,
  ): Promise<string | undefined> {
    const offer = vscode.l10n.t("No MindsDB server is connected yet.");
    return (await pickConnection(this.#servers, given, { title, offer }))?.id;
  }

  async #pickProject(title: string, connectionId: string): Promise<string | undefined> {
    const projects = await listProjects(await this.#servers.client(connectionId));
    const items = projects
      .filter(({ isDefault }) => !isDefault)
      .map(({ name }) => ({ label: name, name }));
    if (items.length === 0) {
      void showInformation(
        vscode.l10n.t("There is only the default project, which can't be deleted."),
      );
      return undefined;
    }
    const placeholder = vscode.l10n.t("Which project?");
    const picked = await askChoice({ title, placeholder, items });
    return picked === back ? undefined : picked?.name;
  }
}

/** A project and a data source of one name could not be told apart in SQL, and would be deleted together. */
function findNameProblem(value: string, taken: readonly string[]): string | undefined {
  const name = value.trim();
  if (name === "") return vscode.l10n.t("Enter a name.");
  const plain = toPlainName(name, "project");
  if (plain === "") return vscode.l10n.t("Use lowercase letters, digits, and underscores.");
  if (plain !== name) return vscode.l10n.t("Use a name that SQL can find, like {0}.", plain);
  if (taken.includes(name)) {
    return vscode.l10n.t(
      "A project or data source named {0} already exists. Choose another name.",
      name,
    );
  }
  return undefined;
}

function formatEntries(entries: readonly ProjectItem[]): string[] {
  const byType = new Map<string, string[]>();
  for (const { type, name } of entries) {
    const names = byType.get(type);
    if (names) names.push(name);
    else byType.set(type, [name]);
  }
  return [...byType].map(([type, names]) => `${formatType(type)}: ${joinNames(names)}`);
}

function formatType(type: string): string {
  switch (type) {
    case "model":
      return vscode.l10n.t("Models");
    case "agent":
      return vscode.l10n.t("Agents");
    case "knowledge_base":
      return vscode.l10n.t("Knowledge Bases");
    case "view":
      return vscode.l10n.t("Views");
    case "job":
      return vscode.l10n.t("Jobs");
    case "trigger":
      return vscode.l10n.t("Triggers");
    default:
      return type;
  }
}
