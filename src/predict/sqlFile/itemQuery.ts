// The statement with which the query of an item of the tree begins.
import { splitEntry } from "../../mindsdb/dataPatterns.ts";
import type { ItemPlace } from "../../mindsdb/references.ts";
import { nameInSql } from "../../mindsdb/sql/nameInSql.ts";

export type QueryKind = "table" | "view" | "model" | "knowledgeBase" | "agent";

const kinds = new Set<string>(["table", "view", "model", "knowledgeBase", "agent"]);

export function isQueryKind(kind: string): kind is QueryKind {
  return kinds.has(kind);
}

/** Rows that a table's query returns. */
const maxRows = 100;

/**
 * The text before what the user writes, in parts: between them the user writes something, of which the other parts are an
 * example. Throws AppError "sql" for a name that SQL cannot write.
 */
export function createItemQuery(
  kind: QueryKind,
  { project, name }: ItemPlace,
): { text?: string; example?: string }[] {
  const isTable = kind === "table" || kind === "view";
  const path = nameInSql([project, ...(isTable ? splitEntry(name) : [name])]);
  const start = `SELECT *\nFROM ${path}\n`;
  switch (kind) {
    case "table":
    case "view":
      return [{ text: `${start}LIMIT ${maxRows};\n` }];
    case "model":
      return [
        { text: `${start}WHERE ` },
        { example: "input" },
        { text: " = " },
        { example: "1" },
        { text: ";\n" },
      ];
    case "knowledgeBase":
      return [
        { text: `${start}WHERE content = '` },
        { example: "text" },
        { text: "'\nLIMIT 10;\n" },
      ];
    case "agent":
      return [{ text: `${start}WHERE question = '` }, { example: "question" }, { text: "';\n" }];
  }
}
