// Saves the changes that users make on the sample server to a file. Only the difference from the seed is stored, so that
// updates of the seed take effect. Every request reads the file if it changed, so that several servers can share it.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import { crash } from "./replies.ts";
import {
  applyKnowledgeBases,
  computeKnowledgeBaseChanges,
  storedKnowledgeBase,
} from "../knowledgeBases/savedKnowledgeBases.ts";
import { applyModels, computeModelChanges, storedModel } from "../models/savedModels.ts";
import { applyTables, computeTableChanges, storedTable } from "../files/savedTables.ts";
import type { Agent, Project, State, Table } from "./state.ts";

/** Larger files are neither read nor written. Far above what users create by hand. */
const maxBytes = 16 * 1024 * 1024;

/** The file could not be read, so the server was reset. `keptAs` is where the file was moved to. */
export interface StorageProblem {
  error: unknown;
  keptAs: string | undefined;
}

const record = v.record(v.string(), v.unknown());
const changesSchema = v.object({
  version: v.literal(1),
  projects: v.array(v.pipe(v.string(), v.nonEmpty())),
  agents: v.array(
    v.object({
      project: v.string(),
      agent: v.object({
        id: v.pipe(v.number(), v.integer(), v.minValue(1)),
        name: v.pipe(v.string(), v.nonEmpty()),
        project_id: v.number(),
        updated_at: v.string(),
        created_at: v.string(),
        data: v.optional(record),
        model: v.optional(record),
        prompt_template: v.optional(v.string()),
        params: v.optional(record),
      }),
    }),
  ),
  deletedAgents: v.array(v.number()),
  // Absent in files of older versions.
  knowledgeBases: v.optional(v.array(storedKnowledgeBase), []),
  deletedKnowledgeBases: v.optional(v.array(v.number()), []),
  tables: v.optional(v.array(storedTable), []),
  droppedTables: v.optional(v.array(v.string()), []),
  models: v.optional(v.array(storedModel), []),
  deletedModels: v.optional(v.array(v.number()), []),
  deletedProjects: v.optional(v.array(v.string()), []),
});
type Changes = v.InferOutput<typeof changesSchema>;

const noChanges: Changes = {
  version: 1,
  projects: [],
  agents: [],
  deletedAgents: [],
  knowledgeBases: [],
  deletedKnowledgeBases: [],
  tables: [],
  droppedTables: [],
  models: [],
  deletedModels: [],
  deletedProjects: [],
};

/** Loads and saves the changes of one state. The state must equal the seed when this is constructed. */
export class SavedChanges {
  readonly #file: string;
  readonly #state: State;
  readonly #onProblem: (problem: StorageProblem) => void;
  readonly #seedProjects: readonly Project[];
  readonly #seedTables: readonly Table[];
  readonly #seedAgents: ReadonlyMap<number, Agent>;
  readonly #firstFreeId: number;
  /** Inode, modification time and size of the file when it was last read or written; undefined before that. */
  #fingerprint: string | undefined;
  #savedText: string;

  constructor(file: string, state: State, onProblem: (problem: StorageProblem) => void) {
    this.#file = file;
    this.#state = state;
    this.#onProblem = onProblem;
    this.#seedProjects = cloneProjects(state.projects);
    this.#seedTables = [...state.tables];
    const agents = this.#seedProjects.flatMap((project) => project.agents);
    this.#seedAgents = new Map(agents.map((agent) => [agent.id, agent]));
    this.#firstFreeId = state.nextAgentId;
    this.#savedText = JSON.stringify(noChanges);
  }

  /** Applies the file to the state if the file has changed. A file that cannot be read is renamed. Never throws. */
  load(): void {
    const fingerprint = this.#readFingerprint();
    if (fingerprint === this.#fingerprint) return;
    this.#fingerprint = fingerprint;
    let changes = noChanges;
    try {
      if (fingerprint !== "none") changes = this.#read();
      this.#apply(changes);
    } catch (error) {
      changes = noChanges;
      this.#apply(changes);
      this.#onProblem({ error, keptAs: this.#renameDamagedFile() });
      this.#fingerprint = this.#readFingerprint();
    }
    this.#savedText = JSON.stringify(changes);
  }

  /**
   * Writes the changes if they differ from the file. If that fails, reverts the state to the last saved changes and
   * throws an error reply.
   */
  save(): void {
    const changes = this.#computeChanges();
    const text = JSON.stringify(changes);
    if (text === this.#savedText) return;
    try {
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
    const names = changes.agents.map(({ project, agent }) => `${project}.${agent.name}`);
    checkUnique(names);
    checkUnique(changes.agents.map(({ agent }) => agent.id));
    checkUnique(changes.projects);
    checkUnique(changes.tables.map(({ name }) => name));
    checkUnique(changes.knowledgeBases.map(({ row }) => row.id));
    return changes;
  }

  /** Sets the state's projects and agents to those of the seed plus these changes. */
  #apply({ projects, agents, deletedAgents, deletedProjects, ...rest }: Changes): void {
    const kept = this.#seedProjects.filter(({ name }) => !deletedProjects.includes(name));
    const all = cloneProjects(kept);
    for (const name of projects) {
      if (all.some((project) => project.name === name)) continue;
      const id = Math.max(...all.map((project) => project.id)) + 1;
      all.push({ id, name, deletable: true, knowledgeBases: [], agents: [], models: [] });
    }
    for (const project of all) {
      const changed = agents.filter((stored) => stored.project === project.name);
      const ids = new Set([...deletedAgents, ...changed.map(({ agent }) => agent.id)]);
      const names = new Set(changed.map(({ agent }) => agent.name));
      const others = project.agents.filter(({ id, name }) => !ids.has(id) && !names.has(name));
      const stored = changed.map(({ agent }) => ({ ...agent, project_id: project.id }));
      project.agents = [...others, ...stored].sort((a, b) => a.id - b.id);
    }
    applyKnowledgeBases(all, rest);
    applyModels(all, rest);
    const lost = agents.find(({ project }) => !all.some(({ name }) => name === project));
    if (lost) throw new Error(`an agent is in ${lost.project}, which is no project`);
    const ids = all.flatMap((project) => project.agents.map(({ id }) => id + 1));
    this.#state.nextAgentId = Math.max(this.#firstFreeId, ...ids);
    this.#state.projects = all;
    applyTables(this.#state, this.#seedTables, rest);
  }

  #computeChanges(): Changes {
    const seedNames = new Set(this.#seedProjects.map(({ name }) => name));
    const { projects } = this.#state;
    const present = projects.flatMap((project) =>
      project.agents.map((agent) => ({ project: project.name, agent })),
    );
    const ids = new Set(present.map(({ agent }) => agent.id));
    return {
      version: 1,
      projects: projects.map(({ name }) => name).filter((name) => !seedNames.has(name)),
      agents: present.filter(
        ({ agent }) => !isDeepStrictEqual(agent, this.#seedAgents.get(agent.id)),
      ),
      deletedAgents: [...this.#seedAgents.keys()].filter((id) => !ids.has(id)),
      ...computeKnowledgeBaseChanges(this.#seedProjects, projects),
      ...computeModelChanges(this.#seedProjects, projects),
      deletedProjects: [...seedNames].filter((name) => !projects.some((one) => one.name === name)),
      ...computeTableChanges(this.#seedTables, this.#state.tables),
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
      return aside;
    } catch {
      return undefined;
    }
  }
}

/** Copies projects and their agents. Models and knowledge bases are shared: they are replaced, never changed. */
function cloneProjects(projects: readonly Project[]): Project[] {
  return projects.map((project) => ({
    ...project,
    agents: structuredClone(project.agents),
    knowledgeBases: [...project.knowledgeBases],
    models: [...project.models],
  }));
}

function checkUnique(values: readonly unknown[]): void {
  if (new Set(values).size < values.length) throw new Error("two things have one name or id");
}

/** Replaces a file atomically, so that readers never see part of it. */
function writeAtomically(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    fs.writeFileSync(temporary, text, { flag: "wx", mode: 0o600 });
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}
