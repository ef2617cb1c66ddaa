// Names of tables, and of the objects that statements are about.
import { filesSource } from "../../mindsdb/filesSource.ts";
import { isSameName } from "../../mindsdb/nameOrder.ts";
import { nameText, type SqlSuggestion, type SuggestionKind } from "./suggestion.ts";
import type { SqlNames, SqlObject } from "./queryColumns.ts";
import { withParents, type SqlQuery } from "./sqlScope.ts";

export type ObjectKind =
  | "agent"
  | "chatbot"
  | "database"
  | "job"
  | "knowledge_base"
  | "model"
  | "project"
  | "table"
  | "trigger"
  | "view";

const kinds: Record<string, SuggestionKind> = {
  agent: "agent",
  knowledge_base: "knowledgeBase",
  model: "model",
  view: "view",
  table: "table",
  data: "table",
};
/** Kinds of objects that a project lists but a query cannot read. */
const notReadable = new Set(["job", "trigger", "chatbot", "skill"]);

/** Names that can follow FROM: queries defined by WITH, projects, data sources, and their tables. */
export function listTableNames(
  names: SqlNames,
  query: SqlQuery,
  path: readonly string[],
): SqlSuggestion[] {
  if (query.source !== undefined) return listTables(names, query.source, path);
  const [database, ...schema] = path;
  if (database !== undefined) {
    const found = names.databases().find(({ name }) => isSameName(name, database));
    if (found) return listTables(names, found.name, schema);
    // A schema of the data source that USE has chosen.
    return listTables(names, names.defaultDatabase, path);
  }
  const isFiles = isSameName(names.defaultDatabase, filesSource);
  return [
    ...namedQueries(query),
    ...listTables(names, names.defaultDatabase, []),
    ...(isFiles ? [] : listTables(names, filesSource, [], [filesSource])),
    ...listDatabases(names, false),
  ];
}

/** Names of the objects of a kind, and of the projects that may precede them. */
export function listObjects(
  names: SqlNames,
  kind: ObjectKind,
  path: readonly string[],
): SqlSuggestion[] {
  if (kind === "database" || kind === "project") {
    return path.length > 0 ? [] : listDatabases(names, kind === "project");
  }
  const [database = names.defaultDatabase, ...more] = path;
  if (more.length > 0) return [];
  const objects = names.objects(database).filter(({ type }) => type === kind);
  return [
    ...objects.flatMap((object) => toSuggestion(object, [object.name])),
    ...(path.length > 0 ? [] : listDatabases(names, true)),
  ];
}

/** `prefix`: what is written before the names. */
function listTables(
  names: SqlNames,
  database: string,
  path: readonly string[],
  prefix: readonly string[] = [],
): SqlSuggestion[] {
  if (path.length > 1) return [];
  const readable = names.objects(database).filter(({ type }) => !notReadable.has(type));
  const [schema] = path;
  if (schema !== undefined) {
    return readable
      .filter((object) => isSameName(object.schema, schema))
      .flatMap((object) => toSuggestion(object, [object.name]));
  }
  const schemas = new Set(readable.flatMap((object) => object.schema ?? []));
  const { defaultSchema } = names.databases().find(({ name }) => isSameName(name, database)) ?? {};
  const pathOf = ({ schema: own, name }: SqlObject): string[] =>
    own === undefined || own === defaultSchema ? [...prefix, name] : [...prefix, own, name];
  return [
    ...readable.flatMap((object) => toSuggestion(object, pathOf(object))),
    ...[...schemas].flatMap((name) => named("schema", [name])),
  ];
}

function listDatabases(names: SqlNames, isProject: boolean): SqlSuggestion[] {
  return names
    .databases()
    .filter((database) => !isProject || database.isProject)
    .flatMap(({ name }) => named("database", [name]));
}

function namedQueries(query: SqlQuery): SqlSuggestion[] {
  return withParents(query).flatMap((outer) =>
    [...outer.named.values()].flatMap(({ alias }) => named("alias", [alias])),
  );
}

function toSuggestion({ type }: SqlObject, path: string[]): SqlSuggestion[] {
  return named(kinds[type] ?? "object", path);
}

/** A name as it is written in SQL; none if SQL cannot express it. */
export function named(kind: SuggestionKind, path: string[]): SqlSuggestion[] {
  const text = nameText(path);
  return text === undefined ? [] : [{ kind, label: path.join("."), text }];
}
