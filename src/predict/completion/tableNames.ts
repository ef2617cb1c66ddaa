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

/**
 * Names that can follow FROM: queries defined by WITH, projects, data sources, and their tables. `isWritten`: names that can
 * follow INSERT INTO, where the server ignores the schema of a PostgreSQL's table.
 */
export function listTableNames(
  names: SqlNames,
  query: SqlQuery,
  path: readonly string[],
  isWritten: boolean,
): SqlSuggestion[] {
  const listTables = (
    database: string,
    inDatabase: readonly string[],
    prefix: readonly string[] = [],
  ) => listTablesOf(names, database, inDatabase, { prefix, isWritten });
  if (query.source !== undefined) return listTables(query.source, path);
  const [database, ...schema] = path;
  if (database !== undefined) {
    const found = names.databases().find(({ name }) => isSameName(name, database));
    if (found) return listTables(found.name, schema);
    // A schema of the data source that USE has chosen.
    return listTables(names.defaultDatabase, path);
  }
  const isFiles = isSameName(names.defaultDatabase, filesSource);
  return [
    ...namedQueries(query),
    ...listTables(names.defaultDatabase, []),
    ...(isFiles ? [] : listTables(filesSource, [], [filesSource])),
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
function listTablesOf(
  names: SqlNames,
  database: string,
  path: readonly string[],
  { prefix, isWritten }: { prefix: readonly string[]; isWritten: boolean },
): SqlSuggestion[] {
  if (path.length > 1) return [];
  const { defaultSchema } = names.databases().find(({ name }) => isSameName(name, database)) ?? {};
  const isOwn = (schema: string | undefined): boolean =>
    schema === undefined || schema === defaultSchema;
  const onlyOwn = isWritten && defaultSchema !== undefined;
  const listed = names
    .objects(database)
    .filter(({ type, schema }) => !notReadable.has(type) && (!onlyOwn || isOwn(schema)));
  const [inSchema] = path;
  if (inSchema !== undefined) {
    return listed
      .filter(({ schema }) => isSameName(schema, inSchema))
      .flatMap((object) => toSuggestion(object, [object.name]));
  }
  const schemas = onlyOwn ? [] : new Set(listed.flatMap(({ schema }) => schema ?? []));
  const pathOf = ({ schema, name }: SqlObject): string[] =>
    isOwn(schema) ? [...prefix, name] : [...prefix, schema!, name];
  return [
    ...listed.flatMap((object) => toSuggestion(object, pathOf(object))),
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
