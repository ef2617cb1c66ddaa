// Deletes an item of a server: by HTTP, or by SQL where a path cannot hold its name.
import type { Client } from "./http/client.ts";
import { quoteName, runSql } from "./sql/runSql.ts";

type ItemKind = "AGENT" | "DATABASE" | "KNOWLEDGE_BASE" | "PROJECT" | "VIEW";

/** Servers decode %2F and line breaks before they look for the parts of a path (seen on 26.1.0 and 25.14.1). */
const notInPaths = /[/\r\n]/;

/**
 * Returns the statement that deletes an item whose name is not found by HTTP; undefined for any other. `name` is the
 * item's, after its project's. Throws AppError "sql" for a name that SQL cannot say either.
 */
export function dropStatement(kind: ItemKind, ...name: string[]): string | undefined {
  if (!name.some((part) => notInPaths.test(part))) return undefined;
  return `DROP ${kind} ${name.map(quoteName).join(".")}`;
}

export async function deleteItem(
  client: Client,
  path: string,
  kind: ItemKind,
  ...name: string[]
): Promise<void> {
  client.checkWritable();
  const statement = dropStatement(kind, ...name);
  await (statement === undefined ? client.delete(path) : runSql(client, statement));
}
