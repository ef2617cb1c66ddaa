// References to sources that a knowledge base can be filled from.
import * as v from "valibot";

export const sourceRef = v.variant("kind", [
  /** JSON, JSON Lines or CSV; `uri` is the file's. */
  v.object({ kind: v.literal("rowsFile"), uri: v.string() }),
  /** Files of which each is a document, by their URIs. */
  v.object({ kind: v.literal("textFiles"), uris: v.array(v.string()) }),
  /** The text files in a folder and below it. */
  v.object({ kind: v.literal("folder"), uri: v.string() }),
  /** A table of the knowledge base's server: its data source, and its name as references have it. */
  v.object({ kind: v.literal("table"), project: v.string(), name: v.string() }),
  v.object({ kind: v.literal("select"), query: v.string() }),
]);
export type SourceRef = v.InferOutput<typeof sourceRef>;
