// Parts of a server's error for a form: what the form acts on, and what it shows.
import type { AppError } from "../mindsdb/errors.ts";
import { isObject, tryParseJson } from "../mindsdb/json.ts";

/** Returns the title and the detail of the response; empty if absent. */
export function readErrorBody(error: AppError): { title: string; detail: string } {
  const body = tryParseJson(error.detail ?? "");
  const { title, detail } = isObject(body) ? body : {};
  return {
    title: typeof title === "string" ? title : "",
    detail: typeof detail === "string" ? detail : "",
  };
}

/** The base URL without a username and password in it. */
export function hideCredentials(baseUrl: string): string {
  return baseUrl.replace(/(?<=:\/\/)[^/?#]*@/, "");
}
