// What tests send to a sample server: requests, statements and questions.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startSampleServer } from "../../../src/sample/server/server.ts";
import type { SampleServer, SampleServerOptions } from "../../../src/sample/server/server.ts";

const json = { "content-type": "application/json" };

/** Sends JSON, and returns what the answer has: JSON or nothing. */
export async function sendTo(
  server: SampleServer,
  method: string,
  target: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const given = body === undefined ? {} : { headers: json, body: JSON.stringify(body) };
  const response = await fetch(server.url + target, { method, ...given });
  const text = await response.text();
  return { status: response.status, body: text && (JSON.parse(text) as unknown) };
}

type Options = Omit<SampleServerOptions, "extension">;

/** A sample server, as it ships unless another is started, whose changes are kept in a folder of its own. */
export class SampleClient {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), "sample-client-"));
  readonly problems: unknown[] = [];
  readonly #launch: (options: Options) => Promise<SampleServer>;
  server!: SampleServer;

  constructor(launch: (options: Options) => Promise<SampleServer> = startSampleServer) {
    this.#launch = launch;
  }

  async start(options: Options = {}): Promise<void> {
    this.server = await this.#launch({
      stepDelay: 0,
      changesFile: path.join(this.folder, "changes.json"),
      onStorageProblem: (problem) => void this.problems.push(problem),
      ...options,
    });
  }

  async restart(): Promise<void> {
    await this.server.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    await this.server.stop();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  send(method: string, target: string, body?: unknown): ReturnType<typeof sendTo> {
    return sendTo(this.server, method, target, body);
  }

  /** Runs a statement: its rows, or the message of its error. */
  async sql(
    query: string,
    more: object = {},
  ): Promise<{ columns: string[]; rows: unknown[][]; error: string }> {
    const { status, body } = await this.send("POST", "/api/sql/query", { query, ...more });
    if (status !== 200) throw new Error(`HTTP ${status} for ${query}: ${JSON.stringify(body)}`);
    const answer = body as { column_names?: string[]; data?: unknown[][]; error_message?: string };
    const { column_names: columns = [], data: rows = [], error_message: error = "" } = answer;
    return { columns, rows, error };
  }

  /** Version, status and whether it is active, of each version of a model. */
  async versions(model: string): Promise<unknown[][]> {
    const columns = "VERSION, STATUS, ACTIVE";
    return (await this.sql(`SELECT ${columns} FROM mindsdb.models WHERE NAME = '${model}'`)).rows;
  }

  /** The versions of a model, once none is being trained. */
  async untilTrained(model: string): Promise<unknown[][]> {
    for (;;) {
      const found = await this.versions(model);
      if (!found.some(([, status]) => status === "generating")) return found;
      await sleep(100);
    }
  }

  /** Asks an agent; earlier questions come first. Returns the answer and the statements that it ran. */
  async ask(agent: string, ...questions: string[]): Promise<{ answer: string; sql: string[] }> {
    const messages = questions.map((question) => ({ question, answer: "Known." }));
    const target = `/api/projects/mindsdb/agents/${agent}/completions/stream`;
    const body = JSON.stringify({ messages });
    const response = await fetch(this.server.url + target, { method: "POST", headers: json, body });
    const blocks = (await response.text()).split("\n\n").filter((block) => block.trim() !== "");
    const events = blocks.map((block) => {
      return JSON.parse(block.replace(/^data: /, "")) as Record<string, unknown>;
    });
    const contents = events.map(({ content }) => (typeof content === "string" ? content : ""));
    const last = events.findLast(({ type }) => type === "data" || type === "error");
    return {
      answer: String(last?.["text"] ?? last?.["content"]),
      sql: contents.flatMap((text) => /^Executing \w+ SQL query: ([^]*)/.exec(text)?.[1] ?? []),
    };
  }

  /** Uploads a CSV file as a table. */
  async upload(name: string, text: string): Promise<number> {
    const form = new FormData();
    form.append("file", new Blob([text]), `${name}.csv`);
    const target = `${this.server.url}/api/files/${name}`;
    return (await fetch(target, { method: "PUT", body: form })).status;
  }
}
