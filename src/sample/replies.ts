// Builds replies in the format of real servers: their JSON encodings and their four kinds of error replies.
import { textOf, timestamp } from "./state.ts";

/** A complete HTTP reply. */
export interface Reply {
  status: number;
  type: string;
  body: string;
  headers?: Record<string, string>;
}

/** Thrown by a handler to send an error reply. */
export class Refusal extends Error {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super(reply.body);
    this.reply = reply;
  }
}

/** A JSON reply in the server's own encoding: compact, without escaping non-ASCII characters. */
export function json(value: unknown, status = 200): Reply {
  return { status, type: "application/json", body: JSON.stringify(value) };
}

/** An error that the server handles, sent as `application/problem+json`. */
export function problem(status: number, title: string, detail: string): Refusal {
  const body = pythonJson({ title, detail, timestamp: timestamp() });
  return new Refusal({ status, type: "application/problem+json", body });
}

/** An unhandled exception (500) or an error of the web framework. */
export function crash(title: string, detail: string, status = 500): Refusal {
  return new Refusal(json({ title, detail, message: detail }, status));
}

/** The error for a body that is not JSON, is chunked or has no length. */
export function badRequest(): Refusal {
  const text = "The browser (or proxy) sent a request that this server could not understand.";
  return crash("Bad Request", text, 400);
}

/** The error for a body without `Content-Type: application/json`. */
export function unsupportedMediaType(): Refusal {
  const text =
    "Did not attempt to load JSON data because the request Content-Type was not 'application/json'.";
  return crash("Unsupported Media Type", text, 415);
}

/** An HTML error page, which the web framework sends outside the API. */
export function page(status: number, title: string, heading: string, paragraph: string): Refusal {
  const body = `<!doctype html>\n<html lang=en>\n<title>${title}</title>\n<h1>${heading}</h1>\n<p>${paragraph}</p>\n`;
  return new Refusal({ status, type: "text/html; charset=utf-8", body });
}

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
  if (typeof value !== "string") return textOf(value);
  const text = value.replace(/\\/g, "\\\\").replace(/\n/g, "\\n");
  return text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replace(/'/g, "\\'")}'`;
}
