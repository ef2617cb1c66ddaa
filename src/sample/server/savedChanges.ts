// Saves the changes that users make on the sample server to a file. Only the difference from the seed is stored, so that
// updates of the seed take effect. Every request reads the file if it changed, so that several servers can share it.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import { makePrivateFolder, privateMode } from "../../shared/node/privateFiles.ts";
import { crash } from "./replies.ts";
import { createTable } from "../files/fileRoutes.ts";
import { Index } from "../knowledgeBases/retrieval.ts";
import type { Document } from "../knowledgeBases/retrieval.ts";
import { fitModel } from "../models/training.ts";
import type {
  Agent,
  DataSource,
  KnowledgeBase,
  MlEngine,
  Model,
  Project,
  State,
  Table,
  View,
} from "./state.ts";

/** Larger files are neither read nor written. Far above what users create by hand. */
const maxBytes = 16 * 1024 * 1024;

/** The file could not be read, so the server was reset. `keptAs` is where the file was moved to. */
export interface StorageProblem {
  error: unknown;
  keptAs: string | undefined;
}

const name = v.pipe(v.string(), v.nonEmpty());
const id = v.pipe(v.number(), v.integer(), v.minValue(1));
const rows = v.array(v.array(v.unknown()));
const relation = v.object({ columns: v.array(v.string()), rows });
const record = v.record(v.string(), v.unknown());
const optional = v.optional(record);

/** Checks what the server depends on. The rest is as it was written. */
const as = <T>(schema: v.GenericSchema) =>
  v.pipe(
    schema,
    v.transform((value) => value as T),
  );

const agent = as<Agent>(
  v.looseObject({ id, name, data: optional, model: optional, params: optional }),
);
const document = as<Document>(v.object({ id: v.string(), content: v.string(), metadata: record }));
const knowledgeBase = as<KnowledgeBase["row"]>(
  v.looseObject({ id, name, vector_database: v.string() }),
);
const version = { version: id, predict: v.string(), fetch_data_query: v.string() };
const model = as<Model["row"]>(v.looseObject({ id, name, ...version }));
const training = as<NonNullable<Model["training"]>>(
  v.looseObject({ endsAt: v.number(), rows: v.optional(relation) }),
);
const table = as<Pick<Table, "name" | "columns" | "rows">>(
  v.object({ name: v.pipe(v.string(), v.regex(/^[a-z_][a-z0-9_]*$/)), ...relation.entries }),
);

const dataSource = v.object({
  id,
  name,
  engine: v.string(),
  parameters: record,
  hasRightPassword: v.boolean(),
});

const project = v.string();
const mlEngine = v.object({ name, handler: v.string(), parameters: record });
const view = v.object({ id, project, name, query: v.string() });
/** A list that files of older versions lack. */
const list = <T extends v.GenericSchema>(item: T) => v.optional(v.array(item), []);
const changesSchema = v.object({
  version: v.literal(1),
  projects: v.array(name),
  deletedProjects: list(v.string()),
  agents: v.array(v.object({ project, agent })),
  deletedAgents: v.array(v.number()),
  knowledgeBases: list(v.object({ project, row: knowledgeBase, documents: v.array(document) })),
  deletedKnowledgeBases: list(v.number()),
  models: list(
    v.object({
      project,
      engine: v.string(),
      row: model,
      trainedOn: v.optional(relation),
      training: v.optional(training),
    }),
  ),
  deletedModels: list(v.number()),
  tables: list(table),
  droppedTables: list(v.string()),
  /** All of them, if they are not those of the seed. */
  dataSources: v.optional(v.array(dataSource)),
  installedDrivers: list(v.string()),
  /** All of them, if they are not those of the seed. */
  views: v.optional(v.array(view)),
  mlEngines: v.optional(v.array(mlEngine)),
  defaultModels: v.optional(v.array(v.nullable(record))),
});
type Changes = v.InferOutput<typeof changesSchema>;

const noChanges: Changes = v.parse(changesSchema, {
  version: 1,
  projects: [],
  agents: [],
  deletedAgents: [],
});

/** Of agents, embeddings, reranking. */
type DefaultModels = (Record<string, unknown> | null)[];

function listDefaultModels(state: State): DefaultModels {
  const { defaultModel, defaultEmbeddingModel, defaultRerankingModel } = state;
  return [defaultModel, defaultEmbeddingModel, defaultRerankingModel].map((one) => one ?? null);
}

/** Identifies an agent, a knowledge base or a model version in a project. */
interface Identity {
  id: number;
  name: string;
}
const identifyAgent = (agent: Agent): Identity => agent;
const identifyByRow = ({ row }: KnowledgeBase): Identity => row;
const identifyVersion = ({ row: { id, name, version } }: Model): Identity => {
  return { id, name: `${name}.${version}` };
};

function restoreModel(model: Model, ofSeed: readonly Model[]): Model {
  const { row, trainedOn } = model;
  const known = ofSeed.find((candidate) => candidate.row.id === row.id);
  const predictor = known ? known.predictor : trainedOn && fitModel(trainedOn, row.predict);
  return predictor ? { ...model, predictor } : model;
}

/** Replaces things of a project by those that have changed and deletes others. */
function merge<T>(
  seed: readonly T[],
  changed: readonly T[],
  deleted: readonly number[],
  identify: (thing: T) => Identity,
): T[] {
  const ids = new Set([...deleted, ...changed.map((thing) => identify(thing).id)]);
  const names = new Set(changed.map((thing) => identify(thing).name));
  const kept = seed.filter((thing) => {
    const { id, name } = identify(thing);
    return !ids.has(id) && !names.has(name);
  });
  return [...kept, ...changed].sort((a, b) => identify(a).id - identify(b).id);
}

/** The things that are not those of the seed, with their projects, and the ids of those of the seed that are gone. */
function compare<T>(
  seed: readonly Project[],
  projects: readonly Project[],
  list: (project: Project) => readonly T[],
  identify: (thing: T) => Identity,
): { changed: { project: string; thing: T }[]; deleted: number[] } {
  const before = new Set(seed.flatMap(list));
  const present = projects.flatMap((project) =>
    list(project).map((thing) => ({ project: project.name, thing })),
  );
  const ids = new Set(present.map(({ thing }) => identify(thing).id));
  return {
    changed: present.filter(({ thing }) => !before.has(thing)),
    deleted: [...before].map((thing) => identify(thing).id).filter((one) => !ids.has(one)),
  };
}

/** Loads and saves the changes of one state. The state must equal the seed when this is constructed. */
export class SavedChanges {
  readonly #file: string;
  readonly #state: State;
  readonly #onProblem: (problem: StorageProblem) => void;
  readonly #seedProjects: readonly Project[];
  readonly #seedTables: readonly Table[];
  readonly #seedSources: readonly DataSource[];
  readonly #seedViews: readonly View[];
  readonly #seedEngines: readonly MlEngine[];
  readonly #seedModels: DefaultModels;
  /** Inode, modification time and size of the file when it was last read or written; undefined before that. */
  #fingerprint: string | undefined;
  #savedText: string;

  constructor(file: string, state: State, onProblem: (problem: StorageProblem) => void) {
    this.#file = file;
    this.#state = state;
    this.#onProblem = onProblem;
    this.#seedProjects = cloneProjects(state.projects);
    this.#seedTables = [...state.tables];
    this.#seedSources = state.dataSources;
    this.#seedViews = state.views;
    this.#seedEngines = state.mlEngines;
    this.#seedModels = listDefaultModels(state);
    this.#savedText = JSON.stringify(noChanges);
  }

  /** Applies the file to the state if the file has changed. A file that cannot be read is renamed. Never throws. */
  load(): void {
    const fingerprint = this.#readFingerprint();
    if (fingerprint === this.#fingerprint) return;
    this.#fingerprint = fingerprint;
    try {
      this.#apply(fingerprint === "none" ? noChanges : this.#read());
    } catch (error) {
      this.#apply(noChanges);
      this.#onProblem({ error, keptAs: this.#renameDamagedFile() });
      this.#fingerprint = this.#readFingerprint();
    }
    this.#savedText = JSON.stringify(this.#computeChanges());
  }

  /**
   * Writes the changes if they differ from the file. If that fails, reverts the state to the last saved changes and
   * throws an error reply.
   */
  save(): void {
    try {
      const changes = this.#computeChanges();
      const text = JSON.stringify(changes);
      if (text === this.#savedText) return;
      if (Buffer.byteLength(text) > maxBytes) throw new Error(`more than ${maxBytes} bytes`);
      if (isDeepStrictEqual(changes, noChanges)) fs.rmSync(this.#file, { force: true });
      else writeAtomically(this.#file, text);
      this.#savedText = text;
      this.#fingerprint = this.#readFingerprint();
    } catch (error) {
      this.#apply(JSON.parse(this.#savedText) as Changes);
      throw crash("OSError", `The change could not be saved: ${(error as Error).message}`);
    }
  }

  #read(): Changes {
    const { size } = fs.statSync(this.#file);
    if (size > maxBytes) throw new Error(`${size} bytes are too many`);
    const changes = v.parse(changesSchema, JSON.parse(fs.readFileSync(this.#file, "utf8")));
    checkUnique(changes.agents.map(({ project, agent }) => `${project}.${agent.name}`));
    checkUnique(changes.agents.map(({ agent }) => agent.id));
    return changes;
  }

  /** Sets the state to the seed plus these changes. Things in projects that no longer exist are left out, except agents. */
  #apply(changes: Changes): void {
    const deleted = new Set(changes.deletedProjects);
    const all = cloneProjects(this.#seedProjects).filter(({ name }) => !deleted.has(name));
    const present = new Set(all.map(({ name }) => name));
    for (const name of changes.projects) {
      if (present.has(name)) continue;
      present.add(name);
      const id = Math.max(...all.map((project) => project.id)) + 1;
      all.push({ id, name, deletable: true, knowledgeBases: [], agents: [], models: [] });
    }
    const lost = changes.agents.find(({ project }) => !present.has(project));
    if (lost) throw new Error(`an agent is in ${lost.project}, which is no project`);
    const seedModels = this.#seedProjects.flatMap(({ models }) => models);
    for (const project of all) {
      const isHere = (stored: { project: string }) => stored.project === project.name;
      const agents = changes.agents
        .filter(isHere)
        .map(({ agent }) => ({ ...agent, project_id: project.id }));
      project.agents = merge(project.agents, agents, changes.deletedAgents, identifyAgent);
      const filled = changes.knowledgeBases
        .filter(isHere)
        .map(({ row, documents }) => ({ row, index: new Index(documents) }));
      const dropped = changes.deletedKnowledgeBases;
      project.knowledgeBases = merge(project.knowledgeBases, filled, dropped, identifyByRow);
      const models = changes.models
        .filter(isHere)
        .map(({ project: _, ...model }) => restoreModel(model as Model, seedModels));
      project.models = merge(project.models, models, changes.deletedModels, identifyVersion);
    }
    this.#state.projects = all;
    this.#state.dataSources = changes.dataSources ?? [...this.#seedSources];
    this.#state.installedDrivers = changes.installedDrivers;
    this.#state.views = changes.views ?? [...this.#seedViews];
    this.#state.mlEngines = changes.mlEngines ?? [...this.#seedEngines];
    const [language, embedding, reranking] = changes.defaultModels ?? this.#seedModels;
    this.#state.defaultModel = language ?? undefined;
    this.#state.defaultEmbeddingModel = embedding ?? undefined;
    this.#state.defaultRerankingModel = reranking ?? undefined;
    const gone = new Set([...changes.droppedTables, ...changes.tables.map(({ name }) => name)]);
    this.#state.tables = [
      ...this.#seedTables.filter(({ name }) => !gone.has(name)),
      ...changes.tables.map(({ name, ...table }) => createTable(name, table)),
    ];
  }

  #computeChanges(): Changes {
    const seed = this.#seedProjects;
    const { projects, tables, dataSources, installedDrivers, views, mlEngines } = this.#state;
    const defaultModels = listDefaultModels(this.#state);
    const namesOf = (named: readonly { name: string }[]) => named.map(({ name }) => name);
    const missing = (before: string[], now: string[]) => {
      const present = new Set(now);
      return before.filter((name) => !present.has(name));
    };
    const seedTables = new Set(this.#seedTables);
    const [seedNames, names] = [namesOf(seed), namesOf(projects)];
    const agents = compare(seed, projects, (one) => one.agents, identifyAgent);
    const knowledgeBases = compare(seed, projects, (one) => one.knowledgeBases, identifyByRow);
    const models = compare(seed, projects, (one) => one.models, identifyVersion);
    return {
      version: 1,
      projects: missing(names, seedNames),
      deletedProjects: missing(seedNames, names),
      agents: agents.changed.map(({ project, thing: agent }) => ({ project, agent })),
      deletedAgents: agents.deleted,
      knowledgeBases: knowledgeBases.changed.map(({ project, thing: { row, index } }) => {
        return { project, row, documents: index.documents };
      }),
      deletedKnowledgeBases: knowledgeBases.deleted,
      models: models.changed.map(({ project, thing: { predictor: _, ...model } }) => {
        return { project, ...model };
      }),
      deletedModels: models.deleted,
      tables: tables
        .filter((table) => !seedTables.has(table))
        .map(({ name, columns, rows }) => ({ name, columns, rows })),
      droppedTables: missing(namesOf(this.#seedTables), namesOf(tables)),
      ...(isDeepStrictEqual(dataSources, this.#seedSources) ? {} : { dataSources }),
      installedDrivers,
      ...(isDeepStrictEqual(views, this.#seedViews) ? {} : { views }),
      ...(isDeepStrictEqual(mlEngines, this.#seedEngines) ? {} : { mlEngines }),
      ...(isDeepStrictEqual(defaultModels, this.#seedModels) ? {} : { defaultModels }),
    };
  }

  #readFingerprint(): string {
    try {
      const { ino, mtimeMs, size } = fs.statSync(this.#file);
      return `${ino}:${mtimeMs}:${size}`;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "ENOENT" ? "none" : String(error);
    }
  }

  /** Renames the damaged file, so that it can be inspected. Returns the new path, or undefined if that failed. */
  #renameDamagedFile(): string | undefined {
    const aside = `${this.#file}.damaged`;
    try {
      fs.rmSync(aside, { recursive: true, force: true });
      fs.renameSync(this.#file, aside);
      // Whatever wrote it: it may hold the user's rows. Never what a link leads to.
      if (fs.lstatSync(aside).isFile()) fs.chmodSync(aside, privateMode);
      return aside;
    } catch {
      return undefined;
    }
  }
}

/** Copies projects. What is in them is shared: it is replaced, never changed. */
function cloneProjects(projects: readonly Project[]): Project[] {
  return projects.map((project) => ({
    ...project,
    agents: [...project.agents],
    knowledgeBases: [...project.knowledgeBases],
    models: [...project.models],
  }));
}

function checkUnique(values: readonly unknown[]): void {
  if (new Set(values).size < values.length) throw new Error("two things have one name or id");
}

/** Replaces a file atomically, so that readers never see part of it. */
function writeAtomically(file: string, text: string): void {
  makePrivateFolder(path.dirname(file));
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    fs.writeFileSync(temporary, text, { flag: "wx", mode: privateMode });
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}
