import type {
  SqlColumn,
  SqlNames,
  SqlObject,
} from "../../../src/predict/completion/queryColumns.ts";

const objects: Record<string, SqlObject[]> = {
  mindsdb: [
    { name: "rental_agent", type: "agent" },
    { name: "guide", type: "knowledge_base" },
    { name: "rent", type: "model" },
    { name: "nightly", type: "job" },
    { name: "cheap", type: "view" },
  ],
  shop: [
    { name: "orders", schema: "public", type: "table" },
    { name: "Customers", schema: "public", type: "table" },
    { name: "orders", schema: "archive", type: "table" },
  ],
  files: [{ name: "homes", type: "table" }],
  postgres: [
    { name: "orders", type: "table" },
    { name: "Log", type: "table" },
  ],
};
const columns: Record<string, SqlColumn[]> = {
  "shop.public.orders": [{ name: "id", type: "int" }, { name: "customer" }, { name: "Total Sum" }],
  "shop.orders": [{ name: "id", type: "int" }, { name: "customer" }, { name: "Total Sum" }],
  "postgres.orders": [{ name: "id" }, { name: "Total Sum" }],
  "shop.Customers": [{ name: "id" }, { name: "name" }],
  "files.homes": [{ name: "sqft" }],
  "mindsdb.cheap": [{ name: "price" }],
};
/** The names of a server, for completion and hovers. */
export const names: SqlNames = {
  defaultDatabase: "mindsdb",
  databases: () => [
    { name: "mindsdb", isProject: true },
    { name: "shop", isProject: false, defaultSchema: "public" },
    { name: "files", isProject: false },
    { name: "My Shop", isProject: false },
    { name: "postgres", isProject: false, hasDoubleQuotes: true },
  ],
  objects: (database) => objects[database] ?? [],
  columns: (path) => columns[path.join(".")] ?? [],
  handlers: (kind) =>
    kind === "ml"
      ? [{ name: "openai", keys: ["openai_api_key", "api_base"] }]
      : [
          { name: "clickhouse", keys: ["host", "protocol"] },
          { name: "sqlite", keys: [] },
        ],
  mlEngines: () => ["lightwood", "my openai", "o'x"],
};
