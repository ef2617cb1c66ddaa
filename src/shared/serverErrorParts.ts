// What forms read from a server's error, and show of it.
import type { AppError } from "../mindsdb/errors.ts";

/** Returns the title and the detail of the response; empty if absent. */
export function readErrorBody(error: AppError): { title: string; detail: string } {
  try {
    const body = JSON.parse(error.detail ?? "") as Record<string, unknown> | null;
    const text = (name: string) => (typeof body?.[name] === "string" ? body[name] : "");
    return { title: text("title"), detail: text("detail") };
  } catch {
    return { title: "", detail: "" };
  }
}

/** The base URL without a username and password in it. */
export function hideCredentials(baseUrl: string): string {
  return baseUrl.replace(/(?<=:\/\/)[^/?#]*@/, "");
}
