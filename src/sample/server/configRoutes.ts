// Handlers of the server's configuration: the models that agents and knowledge bases use where none is given.
import type { Call } from "./call.ts";
import { isObject } from "./fields.ts";
import { maskKeys } from "./maskKeys.ts";
import { formatNames, json, problem } from "./replies.ts";
import type { Reply } from "./replies.ts";

const stateNames = {
  default_llm: "defaultModel",
  default_embedding_model: "defaultEmbeddingModel",
  default_reranking_model: "defaultRerankingModel",
} as const;

/** `GET /api/config/`. */
export function getConfig({ state }: Call): Reply {
  const models = Object.entries(stateNames).map(([name, key]) => [name, state[key] ?? {}]);
  return json({ auth: { http_auth_enabled: false }, ...Object.fromEntries(models) });
}

/** `PUT /api/config/`: replaces each given model as a whole. Real servers try none of them either. */
export function updateConfig({ state, json: readBody }: Call): Reply {
  const body = readBody();
  const given = isObject(body) ? body : {};
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(stateNames, name));
  if (unknown.length > 0) {
    throw problem(400, "Wrong arguments", `Unknown argumens: ${formatNames(unknown)}`);
  }
  for (const [name, key] of Object.entries(stateNames)) {
    if (!Object.hasOwn(given, name)) continue;
    const model = given[name];
    const isSet = isObject(model) && Object.keys(model).length > 0;
    const kept = state.unguarded ? model : maskKeys(model);
    state[key] = isSet ? (kept as Record<string, unknown>) : undefined;
  }
  return json("");
}
