import type { Connection, ServerAccess } from "../../connections/connection.ts";
import { listAgents } from "../../mindsdb/agents.ts";
import { listProjects } from "../../mindsdb/projects.ts";

/** Milliseconds for which a list is used. */
const maxAgeMs = 30_000;

/** The agents of a connection, for completion and problems. Never shows a dialog. */
export class KnownAgents {
  readonly #servers: ServerAccess;
  readonly #lists = new Map<string, { at: number; names: Promise<string[] | undefined> }>();

  constructor(servers: ServerAccess) {
    this.#servers = servers;
  }

  /** As `PROJECT/AGENT`; undefined if the server could not be asked. */
  list({ id }: Connection): Promise<string[] | undefined> {
    const kept = this.#lists.get(id);
    if (kept && Date.now() - kept.at < maxAgeMs) return kept.names;
    const names = this.#load(id).catch(() => undefined);
    this.#lists.set(id, { at: Date.now(), names });
    return names;
  }

  /** The next question asks the server again. */
  forget(): void {
    this.#lists.clear();
  }

  async #load(connectionId: string): Promise<string[]> {
    const client = await this.#servers.client(connectionId);
    const names: string[] = [];
    for (const { name: project } of await listProjects(client)) {
      const agents = await listAgents(client, project);
      names.push(...agents.map(({ name }) => `${project}/${name}`));
    }
    return names;
  }
}
