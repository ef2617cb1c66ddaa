// Reading, creating, changing and deleting a view. By HTTP, which keeps the text: SQL rebuilds it without comments, and
// `:name` loses its colon. Seen on 26.1.0 and 25.14.1.
import { decodeOne } from "./decode.ts";
import { deleteItem } from "./deleteItem.ts";
import { apiPath, type CallOptions, type Client } from "./http/client.ts";
import type { View } from "./listItems.ts";
import type { ItemPlace } from "./references.ts";
import { viewRow } from "./sql/views.ts";

/** One view with its text. Throws AppError "notFound" if there is none. The name is case-insensitive. */
export async function getView(
  client: Client,
  { project, name }: ItemPlace,
  options: CallOptions = {},
): Promise<View> {
  const path = apiPath`/api/projects/${project}/views/${name}`;
  const answer = await client.get(path, options);
  const view = decodeOne(viewRow, answer, client.secrets);
  return { name: view.name, query: view.query };
}

/** Creates a view. The server runs the query once. Throws AppError "conflict" if a view has the name. */
export async function createView(
  client: Client,
  { project, name, query }: ItemPlace & View,
  options: CallOptions = {},
): Promise<void> {
  // Its rows may come from a slow database.
  const slow = { timeoutMs: 0, ...options };
  await client.post(apiPath`/api/projects/${project}/views`, { view: { name, query } }, slow);
}

/** Replaces the query of a view, which the server does not check. It creates a view that is not there. */
export async function updateView(
  client: Client,
  { project, name, query }: ItemPlace & View,
  options: CallOptions = {},
): Promise<void> {
  const path = apiPath`/api/projects/${project}/views/${name}`;
  await client.put(path, { view: { name, query } }, options);
}

export async function deleteView(client: Client, { project, name }: ItemPlace): Promise<void> {
  await deleteItem(client, apiPath`/api/projects/${project}/views/${name}`, "VIEW", project, name);
}
