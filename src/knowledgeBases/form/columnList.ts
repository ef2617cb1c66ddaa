/** The names in a list separated by commas. */
export function splitColumns(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
