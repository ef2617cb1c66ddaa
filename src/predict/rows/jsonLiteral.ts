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

/**
 * A JSON object of values that are JSON; leaves out names without a value. Not written with JSON.stringify, so that numbers
 * keep their digits and a name can be `__proto__`. `space` is written after commas and colons.
 */
export function formatJsonObject(
  members: readonly (readonly [name: string, json: string | undefined])[],
  space = "",
): string {
  let written = "";
  for (const [name, json] of members) {
    if (json === undefined) continue;
    if (written !== "") written += `,${space}`;
    written += `${JSON.stringify(name)}:${space}${json}`;
  }
  return `{${written}}`;
}

/** Whether a value is absent, null, or an empty string. */
export function isNullLiteral(json: string | undefined): json is undefined {
  return json === undefined || json === "null" || json === '""';
}
