// Rows for the sample server's rental model, in every file format.

export interface SampleRow {
  number_of_rooms: number;
  number_of_bathrooms: number;
  sqft: number;
  location: string;
  neighborhood: string;
  days_on_market: number;
}

/** Generates distinct rows: `sqft` counts up from 400. */
export function sampleRows(count: number): SampleRow[] {
  return Array.from({ length: count }, (_, index) => ({
    number_of_rooms: index % 4,
    number_of_bathrooms: 1 + (index % 2),
    sqft: 400 + index,
    location: ["great", "good", "poor"][index % 3]!,
    neighborhood: "downtown",
    days_on_market: index % 60,
  }));
}

export function toJsonLines(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** No value here needs quotes. */
export function toCsv(rows: readonly object[]): string {
  const lines = rows.map((row) => Object.values(row).join(","));
  return [Object.keys(rows[0] ?? {}).join(","), ...lines, ""].join("\n");
}
