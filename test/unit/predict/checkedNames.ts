// A server with projects and data sources of several kinds, whose names those of statements are compared with.
import { readStatements } from "../../../src/predict/sqlFile/fileStatements.ts";
import { SqlChecker } from "../../../src/predict/sqlFile/sqlChecker.ts";
import { rowsOfKnowledgeBase } from "../../../src/predict/sqlFile/serverNames.ts";
import type {
  KnownDatabase,
  KnownObject,
  ServerNames,
} from "../../../src/predict/sqlFile/serverNames.ts";

export const databases: KnownDatabase[] = [
  { name: "mindsdb", kind: "project", hasAllColumns: true },
  { name: "shop", kind: "data", hasAllColumns: true, isPostgres: true },
  { name: "desk", kind: "data", hasAllColumns: true, isPostgres: true, defaultSchema: "Desk" },
  { name: "files", kind: "data", hasAllColumns: true },
  { name: "other", kind: "data", hasAllColumns: true },
  { name: "flat", kind: "data", hasAllColumns: true },
  { name: "github", kind: "data", hasAllColumns: false },
  { name: "unread", kind: "data", hasAllColumns: true },
  { name: "silent", kind: "data", hasAllColumns: true },
  { name: "kb_store", kind: "other", hasAllColumns: false },
];
const objects: Record<string, KnownObject[]> = {
  mindsdb: [
    { name: "rent", type: "model" },
    { name: "guide", type: "knowledge_base" },
    { name: "helper", type: "agent" },
    { name: "cheap", type: "view" },
    { name: "top", type: "view" },
  ],
  shop: [
    { name: "orders", schema: "public", type: "table" },
    { name: "customers", schema: "public", type: "table" },
    { name: "orders", schema: "archive", type: "table" },
    { name: "unasked", schema: "public", type: "table" },
    { name: "notes", schema: "other", type: "table" },
  ],
  desk: [
    { name: "passes", schema: "public", type: "table" },
    { name: "passes", schema: "Desk", type: "table" },
    { name: "guests", schema: "public", type: "table" },
    { name: "guests", schema: "old", type: "table" },
  ],
  flat: [
    { name: "Rentals", type: "table" },
    { name: "customers", type: "table" },
  ],
  files: [{ name: "rents", type: "table" }],
  other: [{ name: "items", schema: "dbo", type: "table" }],
  github: [{ name: "issues", type: "table" }],
  silent: [],
};
const columns: Record<string, string[]> = {
  "mindsdb.cheap": ["price"],
  "mindsdb.top": ["price", "city"],
  "mindsdb.guide": ["id", "chunk_content", "relevance", "content", "city"],
  "shop.public.orders": [
    "id",
    "Total Sum",
    "Total",
    "User",
    "customer_id",
    "day",
    "due",
    "at",
    "amount",
    "ratio",
    "is_open",
  ],
  "shop.orders": ["id"],
  "shop.customers": ["id", "name", "data"],
  "desk.passes": ["id"],
  "desk.guests": ["id"],
  "flat.Rentals": ["rooms", "price"],
  "files.rents": ["rooms"],
  "github.issues": ["title"],
};

const types = new Map([
  ["id", "int"],
  ["total", "bigint"],
  ["customer_id", "integer"],
  ["user", "decimal"],
  ["amount", "numeric(10,2)"],
  ["day", "date"],
  ["due", "date"],
  ["at", "timestamp"],
  ["name", "text"],
  ["ratio", "double"],
  ["is_open", "tinyint(1)"],
]);

/** The names of a server; `asked` gets the tables whose columns are asked for. */
export function serverNames(asked: string[] = []): ServerNames {
  const byName = new Map(databases.map((one) => [one.name, one]));
  return {
    defaultDatabase: "mindsdb",
    databases: () => byName,
    objects: ({ name }) => {
      const listed = objects[name];
      if (!listed) return undefined;
      const names = new Set(listed.map((one) => one.name.toLowerCase()));
      const byName = new Map(
        [...names].map((key) => [key, listed.filter((one) => one.name.toLowerCase() === key)]),
      );
      return {
        byName,
        schemas: new Map(
          listed.flatMap(({ schema }) =>
            schema === undefined ? [] : [[schema.toLowerCase(), schema]],
          ),
        ),
      };
    },
    isCurrent: () => true,
    types: () => types,
    lateClause: ([, name]) => (name === "top" ? "LIMIT" : undefined),
    columns: (type, parts, mayRequest) => {
      if (mayRequest) asked.push(parts.join("."));
      const own = type === rowsOfKnowledgeBase ? ["nr"] : [];
      const known = columns[parts.join(".")];
      const found = known && [...known, ...own];
      return found && new Map(found.map((name) => [name.toLowerCase(), name]));
    },
  };
}

/** The problems of a text, each with what is marked and its fixes. */
export function check(text: string, server = serverNames()) {
  const checker = new SqlChecker();
  return checker.check(text, readStatements(text), 100, { server }).map((problem) => ({
    ...problem,
    marked: text.slice(problem.start, problem.end),
    fixes: () => checker.findNameFixes(problem).map(({ changes }) => changes[0]!),
    titles: () => checker.findNameFixes(problem).map(({ title }) => title),
  }));
}
