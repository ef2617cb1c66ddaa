// Finds the kind of object a name at a caret would refer to, from the symbols that the parser has read before it.
import type { CaretPosition } from "../../mindsdb/sql/parser/caretPosition.ts";
import type { ObjectKind } from "./tableNames.ts";

export type NamePlace = { without: readonly string[] } & (
  | { kind: "expression" | "ownColumn" | "database" | "category" | "none" }
  /** `isWritten`: rows are inserted into it. */
  | { kind: "table"; isWritten: boolean }
  | { kind: "object"; object: ObjectKind }
  | { kind: "option"; statement: readonly string[] }
  /** Of a job's schedule. `isPlural`: after a number. */
  | { kind: "unit"; isPlural: boolean }
);

const objects: Record<string, ObjectKind> = {
  AGENT: "agent",
  CHATBOT: "chatbot",
  DATABASE: "database",
  DATASET: "database",
  DATASOURCE: "database",
  JOB: "job",
  KNOWLEDGE_BASE: "knowledge_base",
  MODEL: "model",
  PREDICTOR: "model",
  PROJECT: "project",
  SCHEMA: "database",
  TABLE: "table",
  TRIGGER: "trigger",
  VIEW: "view",
};
/** Statements about objects that exist. */
const changes = new Set(["ALTER", "DROP", "DESCRIBE", "UPDATE", "RETRAIN", "FINETUNE", "EVALUATE"]);
const noKeywords: readonly string[] = [];
/** Read as constants or function names, or of no use. */
const oddInExpressions = ["ON", "FULL", "LEFT", "RIGHT", "DATABASE"];
const oddAsTables = ["ENGINES", "PLUGINS"];

export function readNamePlace({ nameAfter, isExpression }: CaretPosition): NamePlace {
  const [first = "", second = "", third = ""] = nameAfter;
  const place = (kind: "expression" | "ownColumn" | "database" | "category" | "none") => ({
    kind,
    without: kind === "expression" ? oddInExpressions : noKeywords,
  });
  const table = { kind: "table" as const, isWritten: first === "INTO", without: oddAsTables };
  const isList = first === ",";
  const object = objects[first];
  // The parser reads the names of DROP VIEW as expressions.
  if (object !== undefined && second === "DROP") {
    return { ...place("none"), kind: "object", object };
  }
  if (isExpression) return place("expression");
  switch (first) {
    case "EVERY":
      return { ...place("none"), kind: "unit", isPlural: false };
    case "integer":
      if (second === "EVERY") return { ...place("none"), kind: "unit", isPlural: true };
      break;
    case "FROM":
      if (["select", "DELETE", "show"].includes(second)) return table;
      return place(third === "ML_ENGINE" ? "none" : "database");
    case "join":
      return table;
    case "INTO":
      return table;
    case "UPDATE":
      return table;
    case "TABLE":
      return second === "CREATE" ? place("none") : table;
    case "ON":
      if (third === "TRIGGER") return table;
      break;
    case "USE":
      return place("database");
    case "SHOW":
    case "showModes":
      return place("category");
    case "DESCRIBE":
      return table;
    case "RETRAIN":
    case "FINETUNE":
      return { ...place("none"), kind: "object", object: "model" };
    case "USING":
      return { ...place("none"), kind: "option", statement: nameAfter };
    case "SET":
      if (third === "UPDATE") return place("ownColumn");
      break;
    case "(":
      if (third === "INTO") return place("ownColumn");
      break;
    case "KNOWLEDGE_BASE":
      if (second === "ON") return { ...place("none"), kind: "object", object: "knowledge_base" };
  }
  if (isList && ["sources", "aliasedSource", "joins"].includes(second)) return table;
  if (isList && second === "options") {
    return { ...place("none"), kind: "option", statement: nameAfter };
  }
  if (isList && second === "assignments" && third === "SET") return place("ownColumn");
  if (isList && second === "columns" && third === "(" && nameAfter[4] === "INTO") {
    return place("ownColumn");
  }
  if (object !== undefined && changes.has(second)) {
    return { ...place("none"), kind: "object", object };
  }
  return place("none");
}
