// The views of a project, whose queries run when something reads from them.
import * as v from "valibot";
import { decodeList } from "../decode.ts";
import { isAppError } from "../errors.ts";
import { apiPath, type CallOptions, type Client } from "../http/client.ts";

const viewRow = v.looseObject({ name: v.string(), query: v.fallback(v.string(), "") });

export interface View {
  name: string;
  /** Its SELECT, as written. */
  query: string;
}

/** The views of a project; empty if there is no such project, or no such list. One request. */
export async function listViews(
  client: Client,
  project: string,
  options: CallOptions = {},
): Promise<View[]> {
  try {
    const answer = await client.get(apiPath`/api/projects/${project}/views`, options);
    return decodeList(viewRow, answer, client.secrets);
  } catch (error) {
    if (isAppError(error, "notFound")) return [];
    throw error;
  }
}
