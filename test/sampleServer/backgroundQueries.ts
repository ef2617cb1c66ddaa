// Queries that run in the background, as on real servers: an INSERT into a knowledge base with a batch size. It stores
// nothing, each look at the list finds one more batch done, and it runs until it is cancelled.
import type { Call } from "../../src/sample/server/call.ts";
import { json, type Reply } from "../../src/sample/server/replies.ts";
import { formatTimestamp } from "../../src/sample/server/state.ts";

const batchRows = 500;
const columns = ["ID", "SQL", "STARTED_AT", "FINISHED_AT", "PROCESSED_ROWS", "ERROR", "UPDATED_AT"];

interface Query {
  id: number;
  sql: string;
  startedAt: string;
  processedRows: number;
}

export class BackgroundQueries {
  #queries: Query[] = [];

  /** The reply to a statement about background queries; undefined for others. */
  answer(call: Call): Reply | undefined {
    const sql = String((call.json() as { query?: unknown }).query);
    if (/^\s*insert\s+into\b[^]*\bbatch_size\b/i.test(sql)) {
      const id = Math.max(0, ...this.#queries.map((query) => query.id)) + 1;
      this.#queries.push({ id, sql, startedAt: formatTimestamp(), processedRows: 0 });
      return this.#list(this.#queries.slice(-1));
    }
    const cancelled = /\bquery_cancel\((\d+)\)/i.exec(sql)?.[1];
    if (cancelled !== undefined) return this.#cancel(Number(cancelled));
    if (!/\binformation_schema\.queries\b/i.test(sql)) return undefined;
    for (const query of this.#queries) query.processedRows += batchRows;
    return this.#list(this.#queries);
  }

  #cancel(id: number): Reply {
    const rest = this.#queries.filter((query) => query.id !== id);
    if (rest.length === this.#queries.length) {
      return json({ type: "error", error_code: 0, error_message: `Query not found: ${id}` });
    }
    this.#queries = rest;
    return json({ type: "ok", affected_rows: null });
  }

  #list(queries: readonly Query[]): Reply {
    const data = queries.map(({ id, sql, startedAt, processedRows }) => {
      return [id, sql, startedAt, null, processedRows, null, startedAt];
    });
    return json({ type: "table", column_names: columns, data });
  }
}
