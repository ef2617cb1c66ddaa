/** The type of all values of a knowledge base's metadata column. */
export type ColumnType = "number" | "text";
