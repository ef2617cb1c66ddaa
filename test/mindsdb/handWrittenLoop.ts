// What a user would write instead of a predict cell: loops that send rows of a file or of a table in batches, one after the
// other.
import fs from "node:fs";
import { request } from "undici";

/** A signed-in server, and the path of its predict endpoint. */
export interface LoopServer {
  url: string;
  headers: Record<string, string>;
  predictPath: string;
}

/** The product's defaults. */
const batchRows = 1_000;
const pageRows = 5_000;

/** Predicts the rows of a JSON Lines file and returns how many there were. */
export async function predictFile(server: LoopServer, file: string): Promise<number> {
  const lines = fs.readFileSync(file, "utf8").trimEnd().split("\n");
  let answered = 0;
  for (let at = 0; at < lines.length; at += batchRows) {
    const data = lines.slice(at, at + batchRows).map((line) => JSON.parse(line) as unknown);
    answered += ((await post(server, server.predictPath, { data })) as unknown[]).length;
  }
  return answered;
}

/** Reads a table page by page, predicts its rows and returns how many there were. */
export async function predictTable(server: LoopServer & { table: string }): Promise<number> {
  let answered = 0;
  for (let offset = 0; ; offset += pageRows) {
    const query = `SELECT * FROM ${server.table} LIMIT ${String(pageRows)} OFFSET ${String(offset)}`;
    const page = (await post(server, "/api/sql/query", { query })) as {
      column_names: string[];
      data: unknown[][];
    };
    const rows = page.data.map((cells) =>
      Object.fromEntries(page.column_names.map((name, at) => [name, cells[at]])),
    );
    for (let at = 0; at < rows.length; at += batchRows) {
      const data = rows.slice(at, at + batchRows);
      answered += ((await post(server, server.predictPath, { data })) as unknown[]).length;
    }
    if (rows.length < pageRows) return answered;
  }
}

async function post({ url, headers }: LoopServer, path: string, body: unknown): Promise<unknown> {
  const { statusCode, body: answer } = await request(url + path, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
    headersTimeout: 120_000,
  });
  const text = await answer.text();
  if (statusCode !== 200) throw new Error(`${path}: ${String(statusCode)} ${text}`);
  return JSON.parse(text);
}
