// Items of a project. They share one namespace, so a name is looked up among all of them.
import * as v from "valibot";
import { decodeList, itemName } from "./decode.ts";
import { apiPath, type CallOptions, type Client } from "./http/client.ts";
import { responseLimits } from "./http/responseBody.ts";
import type { ProjectItem } from "./listItems.ts";

const branchRow = v.looseObject({ name: itemName, type: v.fallback(v.string(), "") });

/**
 * Everything that a project holds, jobs and its virtual table `models` too. One request. Of items that share a name only
 * one is listed, a knowledge base before the others (seen on 26.1.0 and 25.14.1).
 */
export async function listProjectItems(
  client: Client,
  project: string,
  options: CallOptions = {},
): Promise<ProjectItem[]> {
  const answer = await client.get(apiPath`/api/tree/${project}`, {
    limits: responseLimits.listing,
    ...options,
  });
  return decodeList(branchRow, answer, client.secrets).map(({ name, type }) => ({ name, type }));
}
