import { buildTables } from "./lalr.ts";
import { packTables } from "./packTables.ts";
import { readGrammar } from "./readGrammar.ts";

const grammar = readGrammar();

/** The parser's tables. esbuild.js puts this value in the place of the file, so that only they are shipped. */
export const packedTables = packTables(grammar, buildTables(grammar));
