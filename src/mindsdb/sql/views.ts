// The views of a project, whose queries run when something reads from them.
import * as v from "valibot";
import { decodeList, itemName } from "../decode.ts";
import { isAppError } from "../errors.ts";
import { apiPath, type CallOptions, type Client } from "../http/client.ts";
import { responseLimits } from "../http/responseBody.ts";
import type { View } from "../listItems.ts";

/** A view as the server lists and returns it. */
export const viewRow = v.looseObject({ name: itemName, query: v.fallback(v.string(), "") });

/** The views of a project, whose queries may hold secrets. One request. */
export async function readViews(
  client: Client,
  project: string,
  options: CallOptions = {},
): Promise<View[]> {
  const answer = await client.get(apiPath`/api/projects/${project}/views`, {
    limits: responseLimits.listing,
    ...options,
  });
  const rows = decodeList(viewRow, answer, client.secrets);
  return rows.map(({ name, query }) => ({ name, query }));
}

/** The views of a project; empty if there is no such project, or no such list. One request. */
export async function listViews(
  client: Client,
  project: string,
  options: CallOptions = {},
): Promise<View[]> {
  try {
    return await readViews(client, project, options);
  } catch (error) {
    if (isAppError(error, "notFound")) return [];
    throw error;
  }
}
