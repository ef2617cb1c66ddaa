// Handlers that list databases, tree nodes, files, projects and knowledge bases.
import { lookUpKnowledgeBase, lookUpProject } from "./lookup.ts";
import { json, problem } from "./replies.ts";
import type { Reply } from "./replies.ts";
import type { Call } from "./call.ts";
import type { Project, State, Table } from "./state.ts";

interface Database {
  name: string;
  type: "system" | "project" | "data";
  id: number | null;
  engine: string | null;
  deletable: boolean;
}

interface Entry {
  name: string;
  type: "model" | "agent" | "knowledge_base";
  engine: string | null;
}

/** All databases: system databases, projects, data sources and the vector stores of knowledge bases. */
export function collectDatabases(state: State): Database[] {
  const database = (
    name: string,
    type: Database["type"],
    more: Partial<Pick<Database, "id" | "engine" | "deletable">>,
  ): Database => ({ name, type, id: null, engine: null, deletable: false, ...more });
  // Uploaded files have a data source even if there are none.
  const sources = [...new Set(["files", ...state.tables.map((table) => table.source)])];
  return [
    ...["information_schema", "log"].map((name) => database(name, "system", {})),
    ...state.projects.map(({ id, name, deletable }) =>
      database(name, "project", { id, deletable }),
    ),
    ...sources.map((name, i) => database(name, "data", { id: i + 1, engine: "files" })),
    ...state.projects.flatMap(({ knowledgeBases }) =>
      knowledgeBases.map(({ row }) =>
        database(row.vector_database, "data", {
          id: row.id + sources.length,
          engine: "duckdb_faiss",
          deletable: true,
        }),
      ),
    ),
  ];
}

/** `GET /api/databases/`. */
export function listDatabases({ state }: Call): Reply {
  const rows = collectDatabases(state).map(({ name, type, id, engine, deletable }) => {
    const source = type === "data" ? { class_type: "sql", connection_data: {} } : {};
    return { name, type, id, engine, ...source, visible: true, deletable };
  });
  return json(rows);
}

/** `DELETE /api/databases/{database}`: an empty project that is not the default one. */
export function deleteProject({ state, params }: Call): Reply {
  const name = params["database"] ?? "";
  const project = state.projects.find((candidate) => candidate.name === name);
  const refuse = (reason: string): Error => {
    return problem(400, "Error", `Cannot delete database ${name}. Full error: ${reason}`);
  };
  if (!project) throw refuse(`Database does not exists: ${name}`);
  const held = listEntries(project).map((entry) => entry.name);
  if (!project.deletable) {
    throw refuse(`Project '${name}' can not be deleted, because it is default project.`);
  }
  if (held.length > 0) {
    const tables = held.join(", ");
    throw refuse(`Project '${name}' can not be deleted, because it contains tables: ${tables}`);
  }
  state.projects = state.projects.filter((candidate) => candidate !== project);
  return { status: 204, type: "application/json", body: "" };
}

/** `GET /api/tree/{database}`. The name is case-insensitive. */
export function listBranch({ state, params }: Call): Reply {
  const name = (params["database"] ?? "").toLowerCase();
  const { project, tables } = findDatabase(state, name);
  if (project) {
    const row = (name: string, type: string, engine: string | null, deletable: boolean) => {
      return { name, schema: null, class: "table", type, engine, deletable };
    };
    const entries = listEntries(project).map(({ name, type, engine }) =>
      row(name, type, engine, true),
    );
    const jobs = state.jobs.filter((job) => job.project === project.name);
    return json([
      row("models", "table", null, false),
      ...entries,
      ...jobs.map((job) => ({ ...row(job.name, "job", null, true), class: "job" })),
    ]);
  }
  if (!tables) throw problem(400, "Error", `There is no element with name '${name}'`);
  const rows = tables.map((table) => {
    return { name: table.name, class: "table", type: "table", engine: null, deletable: false };
  });
  return json(rows);
}

/** `GET …/knowledge_bases`. */
export function listKnowledgeBases(call: Call): Reply {
  const project = lookUpProject(call);
  const rows = project.knowledgeBases.map(({ row }) => ({ ...row, project_name: project.name }));
  return json(rows);
}

/** `GET …/knowledge_bases/{kb}`. Unlike the list, it does not include the project's name. */
export function getKnowledgeBase(call: Call): Reply {
  return json(lookUpKnowledgeBase(call).knowledgeBase.row);
}

export function hasDatabase(state: State, name: string): boolean {
  return collectDatabases(state).some((database) => database.name === name);
}

/** Returns the project of this name, or the tables of the data source of this name. */
export function findDatabase(state: State, name: string): { project?: Project; tables?: Table[] } {
  const project = state.projects.find((candidate) => candidate.name === name);
  if (project) return { project };
  if (!hasDatabase(state, name)) return {};
  return { tables: state.tables.filter((table) => table.source === name) };
}

/** The active models, the agents and the knowledge bases of a project. */
export function listEntries({ models, agents, knowledgeBases }: Project): Entry[] {
  const active = models.filter((model) => model.row.active);
  return [
    ...active.map(({ row, engine }) => ({ name: row.name, type: "model", engine }) as const),
    ...agents.map(({ name }) => ({ name, type: "agent", engine: null }) as const),
    ...knowledgeBases.map(
      ({ row }) => ({ name: row.name, type: "knowledge_base", engine: null }) as const,
    ),
  ];
}
