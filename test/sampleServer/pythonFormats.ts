// Formats values like Python, which shows in the replies of real servers.
import { formatValue } from "../../src/sample/server/state.ts";

/** Formats JSON like Python's `json.dumps`: spaces after `,` and `:`, ASCII only. */
export function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => `${pythonJson(key)}: ${pythonJson(member)}`);
    return `{${members.join(", ")}}`;
  }
  if (typeof value !== "string") return JSON.stringify(value);
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Formats a value like Python's `repr`, which real servers use in error messages and CSV cells. */
export function pythonRepr(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(", ")}]`;
  if (typeof value === "object") {
    const members = Object.entries(value).map(([k, v]) => `${pythonRepr(k)}: ${pythonRepr(v)}`);
    return `{${members.join(", ")}}`;
  }
  if (typeof value !== "string") return formatValue(value);
  const text = value.replace(/\\/g, "\\\\").replace(/\n/g, "\\n");
  return text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replace(/'/g, "\\'")}'`;
}
