// Maps the columns of a rows file to those of a knowledge base. Also used by the page, so without Node.
import { isReservedColumn } from "../reservedColumns.ts";
import { textsIn } from "../../shared/responseFields.ts";

/** The columns that a knowledge base takes. */
export interface FillTarget {
  /** The name under which the id is sent. */
  idColumn: string;
  contentColumns: string[];
  /** Empty: the knowledge base takes any metadata, under the names of the file. */
  metadataColumns: string[];
}

/** The role of a file's column: `id`, `none`, `content:<column>` or `metadata:<column>`. */
type ColumnRole = string;

/** Roles by column of the file; a missing column is not sent. */
export type ColumnMapping = Record<string, ColumnRole>;

export type MappingProblem = "noContent" | "idTwice" | "metadataTwice";

/** The target of a knowledge base, by the columns that the server names. */
export function createTarget(row: Record<string, unknown>): FillTarget {
  const content = textsIn(row["content_columns"]);
  const id = row["id_column"];
  return {
    idColumn: typeof id === "string" && id !== "" ? id : "id",
    contentColumns: content.length > 0 ? content : ["content"],
    metadataColumns: textsIn(row["metadata_columns"]),
  };
}

/** Names under which people keep the texts of documents, the most telling first. */
const contentNames = ["content", "text", "body", "description", "document", "answer", "message"];

/** Properties of columns, as far as the first rows show them. */
export interface SeenColumns {
  /** Columns without any text. */
  blank: ReadonlySet<string>;
  /** Columns of which two rows have the same value. */
  repeated: ReadonlySet<string>;
}

const nothingSeen: SeenColumns = { blank: new Set(), repeated: new Set() };

/**
 * The mapping to begin with: columns of the same name, else the likeliest ones. No column whose values repeat becomes the
 * id by its name alone, and none without a text the content.
 */
export function suggestMapping(
  columns: readonly string[],
  target: FillTarget,
  { blank, repeated }: SeenColumns = nothingSeen,
): ColumnMapping {
  const roles = new Map<string, ColumnRole>();
  const byLowerCase = indexByLowerCase(columns);
  const find = (names: readonly string[], without?: ReadonlySet<string>): string | undefined =>
    names
      .map((name) => byLowerCase.get(name.toLowerCase()))
      .find((column) => column !== undefined && !roles.has(column) && !without?.has(column));
  for (const content of target.contentColumns) {
    const column = find([content]);
    if (column !== undefined) roles.set(column, `content:${content}`);
  }
  const id = find([target.idColumn, "id", "_id", "uuid", "key"], repeated);
  if (id !== undefined) roles.set(id, "id");
  const [onlyContent] = target.contentColumns;
  if (onlyContent !== undefined && ![...roles.values()].some(isContent)) {
    const column = find(contentNames, blank);
    if (column !== undefined) roles.set(column, `content:${onlyContent}`);
  }
  const { metadataColumns } = target;
  const metadata = indexByLowerCase(metadataColumns);
  for (const column of columns) {
    if (roles.has(column)) continue;
    const own = metadata.get(column.toLowerCase());
    const name = metadataColumns.length > 0 ? own : column;
    roles.set(column, name === undefined ? "none" : `metadata:${name}`);
  }
  return Object.fromEntries(roles);
}

/** The first of the names that differ in upper and lower case only. */
function indexByLowerCase(names: readonly string[]): Map<string, string> {
  return new Map(names.toReversed().map((name) => [name.toLowerCase(), name]));
}

/** Roles that a page offers for all columns: a server can name 100,000, which each of many columns could have. */
const maxRoles = 20_000;
const minRolesOfColumn = 5;

/**
 * The roles that a column can have, with metadata under its own name if the knowledge base takes any: the role that it has
 * now, and of those of many columns the first ones.
 */
export function listRoles(
  column: string,
  target: FillTarget,
  {
    current = "none",
    columnCount = 1,
  }: { current?: ColumnRole | undefined; columnCount?: number } = {},
): ColumnRole[] {
  const { contentColumns, metadataColumns } = target;
  const most = Math.max(minRolesOfColumn, Math.floor(maxRoles / columnCount));
  const metadata = metadataColumns.length > 0 ? metadataColumns.slice(0, most) : [column];
  const roles = [
    "none",
    "id",
    ...contentColumns.slice(0, most).map((name) => `content:${name}`),
    ...metadata.map((name) => `metadata:${name}`),
  ];
  return [...new Set([...roles.slice(0, most), current])];
}

export function findMappingProblems(mapping: ColumnMapping): MappingProblem[] {
  const roles = Object.values(mapping);
  const metadata = roles.filter((role) => role.startsWith("metadata:"));
  return [
    ...(roles.some(isContent) ? [] : (["noContent"] as const)),
    ...(roles.filter((role) => role === "id").length > 1 ? (["idTwice"] as const) : []),
    ...(new Set(metadata).size < metadata.length ? (["metadataTwice"] as const) : []),
  ];
}

/** The metadata columns of a mapping whose values a search does not show. */
export function listHiddenMetadata(mapping: ColumnMapping): string[] {
  return Object.values(mapping)
    .filter((role) => role.startsWith("metadata:"))
    .map((role) => role.slice("metadata:".length))
    .filter(isReservedColumn);
}

/** The column of the file that holds the ids; undefined if rows get their ids from their numbers. */
export function findIdColumn(mapping: ColumnMapping): string | undefined {
  return Object.keys(mapping).find((column) => mapping[column] === "id");
}

function isContent(role: ColumnRole): boolean {
  return role.startsWith("content:");
}
