// A request as something to copy: as JSON and as a curl command, with placeholders where secrets belong.
import type { AgentFields } from "../mindsdb/agentFields.ts";
import { isSecretKey } from "../mindsdb/redact/secretNames.ts";

/** Stands where a key belongs. */
export const keyPlaceholder = "<your API key>";

/** The body of the request, to be read. */
export function asJson(fields: AgentFields): string {
  const hideKeys = (name: string, value: unknown): unknown =>
    isSecretKey(name) && typeof value === "string" ? keyPlaceholder : value;
  return JSON.stringify({ agent: fields }, hideKeys, 2);
}

/** The request as a command for a POSIX shell. */
export function asCurl(request: {
  method: "POST" | "PUT";
  /** The server's, without a slash at the end. */
  address: string;
  /** From `/api` on, percent-encoded. */
  path: string;
  fields: AgentFields;
  /** The server wants a login. */
  needsToken: boolean;
}): string {
  const { method, address, path, fields, needsToken } = request;
  return [
    `curl -X ${method} ${shellText(address + path)}`,
    ...(needsToken ? ["-H 'Authorization: Bearer <your token>'"] : []),
    "-H 'Content-Type: application/json'",
    `-d ${shellText(asJson(fields))}`,
  ].join(" \\\n  ");
}

function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
