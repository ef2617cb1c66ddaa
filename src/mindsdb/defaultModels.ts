// The kinds of a server's default models. Also used by pages.
import type { JsonObject } from "./json.ts";

/** `language`: of agents, `embedding` and `reranking`: of knowledge bases. */
export const modelKinds = ["language", "embedding", "reranking"] as const;
export type DefaultModelKind = (typeof modelKinds)[number];

/** The models that a server uses where none is given, as it sends them; an empty object where it has none. */
export type ServerSettings = Record<DefaultModelKind, JsonObject>;
