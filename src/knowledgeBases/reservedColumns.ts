/** A search has columns of these names, and hides a metadata column of the same name. */
const reservedColumns = ["id", "chunk_id", "chunk_content", "relevance", "distance", "metadata"];

export function isReservedColumn(name: string): boolean {
  return reservedColumns.includes(name.toLowerCase());
}
