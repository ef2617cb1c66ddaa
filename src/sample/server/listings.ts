// Handlers that list databases, tree nodes, files, projects and knowledge bases.
import { lookUpKnowledgeBase, lookUpProject } from "./lookup.ts";
import {
  findConnectionError,
  findDataSource,
  tablesOf,
  type SchemaTable,
} from "../dataSources/dataSources.ts";
import { crash, json, problem } from "./replies.ts";
import type { Reply } from "./replies.ts";
import type { Call } from "./call.ts";
import { filesSource, type Project, type State, type Table } from "./state.ts";

interface Database {
  name: string;
  type: "system" | "project" | "data";
  id: number | null;
  engine: string | null;
  deletable: boolean;
}

interface Entry {
  name: string;
  type: string;
  engine: string | null;
}

/** All databases: system databases, projects, data sources and the vector stores of knowledge bases. */
export function collectDatabases(state: State): Database[] {
  const system = { type: "system", id: null, engine: null, deletable: false } as const;
  const stores = state.projects.flatMap(({ knowledgeBases }) => knowledgeBases);
  return [
    { name: "information_schema", ...system },
    { name: "log", ...system },
    ...state.projects.map(({ id, name, deletable }) => {
      return { name, type: "project", id, engine: null, deletable } as const;
    }),
    { name: filesSource, type: "data", id: 1, engine: "files", deletable: false },
    ...state.dataSources.map(({ name, id, engine }) => {
      return { name, type: "data", id, engine, deletable: true } as const;
    }),
    ...stores.map(({ row: { vector_database: name, id } }) => {
      return { name, type: "data", id: id + 1, engine: "duckdb_faiss", deletable: true } as const;
    }),
  ];
}

/** `GET /api/databases/`. */
export function listDatabases({ state }: Call): Reply {
  const rows = collectDatabases(state).map(({ name, type, id, engine, deletable }) => {
    const parameters = findDataSource(state, name)?.parameters ?? {};
    const source = type === "data" ? { class_type: "sql", connection_data: parameters } : {};
    return { name, type, id, engine, ...source, visible: true, deletable };
  });
  return json(rows);
}

/** `DELETE /api/databases/{database}`: a data source, or an empty project that is not the default one. */
export function deleteDatabase({ state, params }: Call): Reply {
  const name = params["database"] ?? "";
  const source = findDataSource(state, name);
  if (source) {
    state.dataSources = state.dataSources.filter((one) => one !== source);
    return { status: 204, type: "application/json", body: "" };
  }
  const project = state.projects.find((candidate) => candidate.name === name);
  const refuse = (reason: string): Error => {
    return problem(400, "Error", `Cannot delete database ${name}. Full error: ${reason}`);
  };
  if (!project) throw refuse(`Database does not exists: ${name}`);
  const held = listBranchEntries(state, project).map((entry) => entry.name);
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
    const base = { schema: null, class: "table" };
    const jobs = state.jobs.filter((job) => job.project === project.name);
    return json([
      { name: "models", ...base, type: "table", engine: null, deletable: false },
      ...listBranchEntries(state, project).map((entry) => ({ ...base, ...entry, deletable: true })),
      ...jobs.map((job) => {
        return {
          name: job.name,
          ...base,
          class: "job",
          type: "job",
          engine: null,
          deletable: true,
        };
      }),
    ]);
  }
  if (!tables) throw problem(400, "Error", `There is no element with name '${name}'`);
  const source = findDataSource(state, name);
  const failure = source && findConnectionError(state, source);
  if (failure !== undefined) throw crash("OperationalError", failure);
  if (source) return json(listSchemas(tablesOf(source)));
  return json(tables.map(tableEntry));
}

function tableEntry({ name }: Table): object {
  return { name, class: "table", type: "table", engine: null, deletable: false };
}

function listSchemas(tables: readonly SchemaTable[]): object[] {
  const names = [...new Set(tables.map(({ schema }) => schema))];
  return names.map((name) => ({
    name,
    class: "schema",
    deletable: false,
    children: tables.filter(({ schema }) => schema === name).map(tableEntry),
  }));
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
  return collectDatabases(state).some((database) => database.name.toLowerCase() === name);
}

/** Returns the project of this name, or the tables of the data source of this name. */
export function findDatabase(state: State, name: string): { project?: Project; tables?: Table[] } {
  const project = state.projects.find((candidate) => candidate.name === name);
  if (project) return { project };
  if (!hasDatabase(state, name)) return {};
  if (name === filesSource) return { tables: state.tables };
  const source = findDataSource(state, name);
  return { tables: source ? tablesOf(source) : [] };
}

/** The items of a project, without jobs. */
function listBranchEntries({ views }: State, project: Project): Entry[] {
  const own = views.filter((view) => view.project === project.name);
  return [
    ...listEntries(project),
    ...own.map(({ name }) => ({ name, type: "view", engine: null })),
  ];
}

/** The active models, the agents and the knowledge bases of a project. */
export function listEntries({ models, agents, knowledgeBases }: Project): Entry[] {
  const active = models.filter((model) => model.row.active);
  return [
    ...active.map(({ row, engine }) => ({ name: row.name, type: "model", engine })),
    ...agents.map(({ name }) => ({ name, type: "agent", engine: null })),
    ...knowledgeBases.map(({ row }) => ({ name: row.name, type: "knowledge_base", engine: null })),
  ];
}
