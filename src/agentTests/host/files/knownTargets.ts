import type { Connection, ServerAccess } from "../../../shared/connection.ts";
import { AppError } from "../../../mindsdb/errors.ts";
import { listAgents } from "../../../mindsdb/agents.ts";
import { listKnowledgeBases } from "../../../mindsdb/knowledgeBases.ts";
import { listAskedProjects } from "../../../mindsdb/projects.ts";
import type { TestTarget } from "../../runs/testTarget.ts";

/** Milliseconds for which a list is used. */
const maxAgeMs = 30_000;

/** Of all names, in characters: each repeats that of its project. */
const maxLength = 16_000_000;

const lists = { agent: listAgents, knowledgeBase: listKnowledgeBases };

/** The agents and knowledge bases of a connection, for completion and problems. Never shows a dialog. */
export class KnownTargets {
  readonly #servers: ServerAccess;
  readonly #lists = new Map<
    string,
    { at: number; names: Promise<ReadonlySet<string> | undefined> }
  >();

  constructor(servers: ServerAccess) {
    this.#servers = servers;
  }

  /** As `PROJECT/NAME`; undefined if the server could not be asked. */
  list({ id }: Connection, kind: TestTarget["kind"]): Promise<ReadonlySet<string> | undefined> {
    const key = JSON.stringify([id, kind]);
    const kept = this.#lists.get(key);
    if (kept && Date.now() - kept.at < maxAgeMs) return kept.names;
    const names = this.#load(id, kind).catch(() => undefined);
    this.#lists.set(key, { at: Date.now(), names });
    return names;
  }

  async #load(connectionId: string, kind: TestTarget["kind"]): Promise<ReadonlySet<string>> {
    const client = await this.#servers.client(connectionId);
    const names = new Set<string>();
    let left = maxLength;
    for (const { name: project } of await listAskedProjects(client)) {
      const items = await lists[kind](client, project);
      for (const { name } of items) {
        left -= project.length + name.length;
        if (left < 0) throw new AppError("tooLarge", "The names are too long.");
        names.add(`${project}/${name}`);
      }
    }
    return names;
  }
}
