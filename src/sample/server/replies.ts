// Builds replies in the formats of real servers.
import { formatTimestamp } from "./state.ts";

/** Formats a list of names as in the messages of real servers: `['a', 'b']`. */
export function formatNames(names: readonly unknown[]): string {
  return `['${names.join("', '")}']`;
}

/** A complete HTTP reply. */
export interface Reply {
  status: number;
  type: string;
  body: string;
  headers?: Record<string, string>;
}

/** Thrown by a handler to send an error reply. */
export class Refusal extends Error {
  readonly reply: Reply;
  constructor(reply: Reply, detail = reply.body) {
    super(detail);
    this.reply = reply;
  }
}

export function json(value: unknown, status = 200): Reply {
  return { status, type: "application/json", body: JSON.stringify(value) };
}

/** An error that the server handles, sent as `application/problem+json`. */
export function problem(status: number, title: string, detail: string): Refusal {
  const body = JSON.stringify({ title, detail, timestamp: formatTimestamp() });
  return new Refusal({ status, type: "application/problem+json", body }, detail);
}

/** The reply of a server whose own code or engine failed. */
export function crash(title: string, detail: string, status = 500): Refusal {
  return new Refusal(json({ title, detail, message: detail }, status), detail);
}
