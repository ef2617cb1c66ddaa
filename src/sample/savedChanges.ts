// What users changed on the sample server, kept in a file. Only the difference from the seed is stored, so that an update
// of the seed reaches everybody. The file is the truth: several servers on one file agree, request by request.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import { crash } from "./replies.ts";
import type { Agent, Project, State } from "./state.ts";

/** Far more than anybody types; a larger file is not read, and not written either. */
const maxBytes = 16 * 1024 * 1024;

/** The file could not be read, so the server is as new. `keptAs` is where the file was put. */
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
});
type Changes = v.InferOutput<typeof changesSchema>;

const noChanges: Changes = { version: 1, projects: [], agents: [], deletedAgents: [] };

/** The changes of one state, which is the seed's when this is made. */
export class SavedChanges {
  readonly #file: string;
  readonly #state: State;
  readonly #onProblem: (problem: StorageProblem) => void;
  readonly #seedProjects: readonly Project[];
  readonly #seedAgents: ReadonlyMap<number, Agent>;
  readonly #firstFreeId: number;
  /** What the file was like when it was last read or written; undefined before that. */
  #fingerprint: string | undefined;
  #savedText: string;

  constructor(file: string, state: State, onProblem: (problem: StorageProblem) => void) {
    this.#file = file;
    this.#state = state;
    this.#onProblem = onProblem;
    this.#seedProjects = structuredProjects(state.projects);
    const agents = this.#seedProjects.flatMap((project) => project.agents);
    this.#seedAgents = new Map(agents.map((agent) => [agent.id, agent]));
    this.#firstFreeId = state.nextAgentId;
    this.#savedText = JSON.stringify(noChanges);
  }

  /** Brings the state to what the file says if it has changed. A file that cannot be read is put aside. Never throws. */
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
      this.#onProblem({ error, keptAs: this.#putAside() });
      this.#fingerprint = this.#readFingerprint();
    }
    this.#savedText = JSON.stringify(changes);
  }

  /**
   * Writes what differs from the seed, if that is not what the file says already. What cannot be written is undone:
   * throws the reply that says so.
   */
  save(): void {
    const changes = this.#changes();
    const text = JSON.stringify(changes);
    if (text === this.#savedText) return;
    try {
      if (Buffer.byteLength(text) > maxBytes) throw new Error(`more than ${maxBytes} bytes`);
      if (isDeepStrictEqual(changes, noChanges)) fs.rmSync(this.#file, { force: true });
      else writeWhole(this.#file, text);
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
    refuseDuplicates(names);
    refuseDuplicates(changes.agents.map(({ agent }) => agent.id));
    refuseDuplicates(changes.projects);
    return changes;
  }

  /** Replaces the state's projects and agents by the seed's with these changes. */
  #apply({ projects, agents, deletedAgents }: Changes): void {
    const all = structuredProjects(this.#seedProjects);
    for (const name of projects) {
      if (all.some((project) => project.name === name)) continue;
      const id = Math.max(...all.map((project) => project.id)) + 1;
      all.push({ id, name, deletable: true, knowledgeBases: [], agents: [], models: [] });
    }
    for (const project of all) {
      const changed = agents.filter((stored) => stored.project === project.name);
      const ids = new Set([...deletedAgents, ...changed.map(({ agent }) => agent.id)]);
      const names = new Set(changed.map(({ agent }) => agent.name));
      const kept = project.agents.filter(({ id, name }) => !ids.has(id) && !names.has(name));
      const stored = changed.map(({ agent }) => ({ ...agent, project_id: project.id }));
      project.agents = [...kept, ...stored].sort((a, b) => a.id - b.id);
    }
    const lost = agents.find(({ project }) => !all.some(({ name }) => name === project));
    if (lost) throw new Error(`an agent is in ${lost.project}, which is no project`);
    const ids = all.flatMap((project) => project.agents.map(({ id }) => id + 1));
    this.#state.nextAgentId = Math.max(this.#firstFreeId, ...ids);
    this.#state.projects = all;
  }

  #changes(): Changes {
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

  /** Keeps one damaged file, for whoever wants to look into it. */
  #putAside(): string | undefined {
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

/** Projects with agents of their own; knowledge bases and models are shared, since nothing changes them. */
function structuredProjects(projects: readonly Project[]): Project[] {
  return projects.map((project) => ({ ...project, agents: structuredClone(project.agents) }));
}

function refuseDuplicates(values: readonly unknown[]): void {
  if (new Set(values).size < values.length) throw new Error("two things have one name or id");
}

/** Readers see the file as it was or as it will be, never half of it. */
function writeWhole(file: string, text: string): void {
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
