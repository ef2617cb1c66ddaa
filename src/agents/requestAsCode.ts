// Requests to copy, with placeholders in place of secrets.
import type { AgentFields } from "../mindsdb/agentFields.ts";
import { isSecretKey } from "../mindsdb/redact/secretNames.ts";
import { keyPlaceholder } from "../shared/usingClause.ts";

/** Returns the request's body. */
export function formatJson(fields: AgentFields): string {
  const hideKeys = (name: string, value: unknown): unknown =>
    isSecretKey(name) && typeof value === "string" ? keyPlaceholder : value;
  return JSON.stringify({ agent: fields }, hideKeys, 2);
}

/** Returns the request as a curl command for a POSIX shell. */
export function formatCurl(request: {
  method: "POST" | "PUT";
  /** The server's address, without a trailing slash. */
  address: string;
  /** Starts with `/api`; percent-encoded. */
  path: string;
  fields: AgentFields;
  /** The server requires a login. */
  needsToken: boolean;
}): string {
  const { method, address, path, fields, needsToken } = request;
  return [
    `curl -X ${method} ${quoteForShell(address + path)}`,
    ...(needsToken ? ["-H 'Authorization: Bearer <your token>'"] : []),
    "-H 'Content-Type: application/json'",
    `-d ${quoteForShell(formatJson(fields))}`,
  ].join(" \\\n  ");
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
