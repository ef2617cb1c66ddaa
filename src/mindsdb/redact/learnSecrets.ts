// Learns the secrets in a server's lists before rows and answers are shown, in which they may appear.
import type { ServerObservation } from "../changes/serverChange.ts";
import { apiPath, type CallOptions, type Client } from "../http/client.ts";
import { responseLimits } from "../http/responseBody.ts";
import { isObject } from "../json.ts";

/** Limits of learning: what a server adds in that time, in more projects, or to longer lists stays unknown. */
const maxMs = 3_000;
const maxProjects = 50;
const maxAtOnce = 2;
const limits = { maxBytes: 8 * 1024 * 1024, maxValues: 200_000, maxMs };
/** In ms: other people change servers too. */
const maxAge = 10 * 60_000;

const lists = ["agents", "knowledge_bases", "models"];
const listsWithSecrets = new Set(["projects", "agents", "knowledgeBases", "models"]);

/** Learns the secrets of a connection's server once, and again when it has changed. */
export class SecretsLearner {
  #learned: Promise<void> | undefined;
  #startedAt = 0;
  readonly #maxMs: number;

  constructor(maxTime = maxMs) {
    this.#maxMs = maxTime;
  }

  observe(observation: ServerObservation): void {
    if (observation.kind === "changed" && listsWithSecrets.has(observation.list)) {
      this.#learned = undefined;
    }
  }

  /** Resolves when the secrets are known, or after three seconds. Never rejects. */
  learn(client: Client): Promise<void> {
    const isOld = Date.now() - this.#startedAt > maxAge;
    if (!this.#learned || isOld) {
      this.#startedAt = Date.now();
      this.#learned = learnAll(client, { signal: AbortSignal.timeout(this.#maxMs), limits });
    }
    return this.#learned;
  }
}

async function learnAll(client: Client, options: CallOptions): Promise<void> {
  const databases = await learnList(client, "/api/databases/", options);
  const projects = databases.filter(({ type }) => type === "project").slice(0, maxProjects);
  const learnProjects = async (): Promise<void> => {
    for (let project = projects.shift(); project; project = projects.shift()) {
      for (const list of lists) {
        const path = apiPath`/api/projects/${String(project["name"])}/${list}`;
        await learnList(client, path, options);
      }
    }
  };
  await Promise.all(Array.from({ length: maxAtOnce }, learnProjects));
}

/** The rows of a list; none if it cannot be read. */
async function learnList(
  client: Client,
  path: string,
  options: CallOptions,
): Promise<Record<string, unknown>[]> {
  const answer = await client
    .get(path, { limits: responseLimits.listing, ...options })
    .catch(() => []);
  const rows = Array.isArray(answer) ? answer.filter(isObject) : [];
  // Of models only what they were trained with: other fields are named by data.
  await client.secrets.learnList(
    path.endsWith("/models") ? rows.map((row) => row["problem_definition"]) : rows,
  );
  return rows;
}
