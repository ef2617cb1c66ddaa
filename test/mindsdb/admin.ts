// Plain HTTP client for a real server, with which tests prepare and verify data independently of the product.
import { FormData, request } from "undici";
import type { RealServer } from "../../scripts/mindsdb/server.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** JSON where the body is JSON, else text. */
  body: unknown;
}

/** Sends with some headers; every method may have a body, a form or JSON. */
export async function send(
  url: string,
  method: Method,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const isForm = body instanceof FormData;
  const response = await request(url, {
    method,
    headers:
      isForm || body === undefined ? headers : { ...headers, "content-type": "application/json" },
    body: isForm ? body : body === undefined ? null : JSON.stringify(body),
    headersTimeout: 120_000,
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    body: parse(await response.body.text()),
  };
}

/** A signed-in client. Its calls throw unless they succeed. */
export class Admin {
  readonly url: string;
  readonly headers: Record<string, string>;

  private constructor(url: string, headers: Record<string, string>) {
    this.url = url;
    this.headers = headers;
  }

  /** Signs in if the server wants that. */
  static async signIn(server: RealServer): Promise<Admin> {
    if (!server.auth) return new Admin(server.url, {});
    const { username, password } = server.auth;
    const { headers, body } = await send(`${server.url}/api/login`, "POST", { username, password });
    const { token } = body as { token?: string };
    if (token) return new Admin(server.url, { authorization: `Bearer ${token}` });
    const [cookie = ""] = String(headers["set-cookie"]).split(";");
    return new Admin(server.url, { cookie });
  }

  get(path: string, body?: unknown): Promise<unknown> {
    return this.#call("GET", path, body);
  }

  post(path: string, body: unknown): Promise<unknown> {
    return this.#call("POST", path, body);
  }

  put(path: string, body: unknown): Promise<unknown> {
    return this.#call("PUT", path, body);
  }

  delete(path: string): Promise<unknown> {
    return this.#call("DELETE", path);
  }

  /** Runs one statement and returns its rows. Throws if the statement fails. */
  async sql(query: string): Promise<unknown[][]> {
    const answer = (await this.post("/api/sql/query", { query })) as {
      type: string;
      error_message?: string;
      data?: unknown[][];
    };
    if (answer.type === "error") throw new Error(`${query}: ${answer.error_message}`);
    return answer.data ?? [];
  }

  /** Each version of a model in `mindsdb`, with its status, and whether it is the active one. */
  async modelVersions(
    name: string,
  ): Promise<[version: number, status: string, isActive: boolean][]> {
    const rows = await this.sql(
      `SELECT VERSION, STATUS, ACTIVE FROM mindsdb.models WHERE NAME = '${name}'`,
    );
    return (rows as [number, string, boolean][]).sort((a, b) => a[0] - b[0]);
  }

  async #call(method: Method, path: string, body?: unknown): Promise<unknown> {
    const answer = await send(this.url + path, method, body, this.headers);
    if (answer.status >= 300) {
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
