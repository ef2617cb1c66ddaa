// Values as JSON. Also used by the page, so without Node.

/** The value of a JSON string; other JSON unchanged. */
export function parseStringLiteral(json: string): string {
  if (!json.startsWith('"')) return json;
  if (!json.includes("\\") && json.length > 1) return json.slice(1, -1);
  try {
    return JSON.parse(json) as string;
  } catch {
    return json;
  }
}

/** The value of a number or of a string that holds one (as in CSV); NaN for others. */
export function parseNumberLiteral(json: string): number {
  const text = parseStringLiteral(json).trim();
  return text === "" ? NaN : Number(text);
}

/** Whether a value is absent, null, or an empty string. */
export function isNullLiteral(json: string | undefined): json is undefined {
  return json === undefined || json === "null" || json === '""';
}
