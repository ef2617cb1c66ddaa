// Reads the fields of what a request creates or changes.
import type { Call } from "./call.ts";
import { problem } from "./replies.ts";

export type Fields = Record<string, unknown>;

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields under `what` in a request's body. Throws a reply if there are none. */
export function readFields(call: Call, what: "agent" | "knowledge_base" | "view" | "job"): Fields {
  const body = call.json();
  const fields = isObject(body) ? body[what] : undefined;
  if (isObject(fields)) return fields;
  throw problem(400, "Missing parameter", `Must provide "${what}" parameter in POST body`);
}
