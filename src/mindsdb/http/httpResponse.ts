// Reads responses: JSON bodies, and all forms of errors as AppError.
import * as l10n from "@vscode/l10n";
import { responseLimits, maxErrorBytes, readBody, type ResponseLimits } from "./responseBody.ts";
import { asksForBasic } from "./gatewayLogin.ts";
import { cutOff } from "../cutText.ts";
import { AppError } from "../errors.ts";
import { hasMoreValues } from "../hasMoreValues.ts";
import { isObject, tryParseJson } from "../json.ts";
import { quoteLargeIntegers } from "./largeIntegers.ts";
import { cutRows } from "./rowText.ts";
import type { HttpResponse } from "./transport.ts";

/** Parses JSON. Integers beyond JavaScript's precision become strings: some data sources have such ids. */
function parseJson(text: string): unknown {
  return JSON.parse(/(?<![.\d])\d{16}/.test(text) ? quoteLargeIntegers(text) : text);
}

/**
 * The body as JSON, whatever its declared type (real servers declare several). With `hasRowText`, its list `data` stays
 * unparsed. Throws AppError.
 */
export async function readJson(
  response: HttpResponse,
  limits: ResponseLimits,
  { hasRowText = false } = {},
): Promise<unknown> {
  const body = await readUnparsed(response, limits);
  if (body.length === 0) return undefined;
  if (hasRowText) return parseAroundRows(response, body, limits);
  const text = body.toString("utf8");
  if (hasMoreValues(text, limits.maxValues)) throw tooManyValues(limits.maxValues);
  try {
    return parseJson(text);
  } catch (cause) {
    throw notJson(response, text, cause);
  }
}

function parseAroundRows(response: HttpResponse, body: Buffer, limits: ResponseLimits): unknown {
  const cut = cutRows(body, limits.maxValues);
  if (!cut) throw tooManyValues(limits.maxValues);
  const { rest, rows } = cut;
  try {
    const answer = parseJson(rest);
    return rows && isObject(answer) ? { ...answer, data: rows } : answer;
  } catch (cause) {
    throw notJson(response, body.toString("utf8", 0, 4_000), cause);
  }
}

export function tooManyValues(maxValues: number): AppError {
  const limit = maxValues.toLocaleString("en-US");
  return new AppError("tooLarge", l10n.t("The response has more than {0} values.", limit));
}

/** The body of an answer that is neither an error nor a web page. Not checked to be JSON. */
export async function readUnparsed(
  response: HttpResponse,
  limits: ResponseLimits,
): Promise<Buffer> {
  await throwIfFailed(response);
  const bytes = await readBody(response, limits);
  const start = bytes.toString("utf8", 0, 4_000);
  if (/^\s*</.test(start)) throw notJson(response, start);
  return bytes;
}

/** Throws the AppError of an answer that is an error, or that sends the request on. */
export async function throwIfFailed(response: HttpResponse): Promise<void> {
  if (response.status >= 400) throw await readError(response);
  if (response.status < 300) return;
  // Its body is of no use, but leaves the connection free for other requests once it is read.
  await readBody(response, { ...responseLimits.small, maxBytes: maxErrorBytes }, { isCut: true });
  throw redirected(response);
}

function isPage(type: string, text: string): boolean {
  return type.includes("html") || /^\s*</.test(text);
}

/** The media type and its parameters, in small letters; "" if none is declared. */
export function contentType(response: HttpResponse): string {
  const type = response.headers["content-type"];
  return (Array.isArray(type) ? type[0] : type)?.toLowerCase() ?? "";
}

function redirected(response: HttpResponse): AppError {
  const location = String(response.headers["location"]);
  // Shows the origin only: it is often the same server with https, and the rest may contain secrets.
  const target = URL.canParse(location) ? new URL(location).origin : l10n.t("another address");
  return new AppError("notMindsDB", l10n.t("The server redirects to {0}.", target), {
    status: response.status,
    detail: `HTTP ${response.status}, Location: ${location}`,
  });
}

/** The error of an answer that is not JSON; `text` is its beginning. */
export function notJson(response: HttpResponse, text: string, cause?: unknown): AppError {
  const message = isPage(contentType(response), text)
    ? l10n.t(
        "The server returned a web page instead of data: this may not be a MindsDB server, or a proxy answers in its place.",
      )
    : l10n.t("The response is not the JSON a MindsDB server sends.");
  return new AppError("notMindsDB", message, {
    status: response.status,
    detail: cutOff(text, 4_000),
    cause,
  });
}

/** The error of an answer with status 400 or above; reads only the beginning of a long body. */
export async function readError(response: HttpResponse): Promise<AppError> {
  const limits = { ...responseLimits.small, maxBytes: maxErrorBytes };
  const text = (await readBody(response, limits, { isCut: true })).toString("utf8");
  if (asksForBasic(response)) return gatewayLoginNeeded(text);
  return errorFromResponse(response.status, contentType(response), text);
}

function gatewayLoginNeeded(detail: string): AppError {
  const message = l10n.t(
    "A web server in front of MindsDB asks for a username and a password of its own (HTTP Basic).",
  );
  return new AppError("signInNeeded", message, { status: 401, detail, isFromGateway: true });
}

/** Maximum characters read of a field of an error. */
const maxField = 64_000;

interface ProblemBody {
  title: string;
  detail: string;
}

/**
 * An error answer as an AppError. Knows problem+json `{title, detail}`, `{title, detail, message}` (unhandled
 * exceptions), `{detail}` (sub-apps), `{message}`, HTML pages and SQL's error inside a 4xx. Meaning is not taken from
 * the title alone: real servers send many user errors as 500 and some as a false 404.
 */
export function errorFromResponse(status: number, type: string, text: string): AppError {
  const more = { status, detail: text };
  if (status === 407) return new AppError("proxy", l10n.t("The proxy requires a sign-in."), more);
  if (status === 413) {
    // No answer of MindsDB's own (seen in 26.1.0); nginx takes 1 MB unless it is told otherwise.
    const message = l10n.t(
      "The request is too large for the proxy in front of the server (HTTP 413).",
    );
    return new AppError("tooLarge", message, more);
  }
  const problem = readProblem(text);
  if (!problem) {
    if (status === 401) {
      return new AppError("signInNeeded", l10n.t("The server requires you to sign in."), more);
    }
    const gateway = status === 502 || status === 503 || status === 504;
    if (gateway) {
      return new AppError(
        "unreachable",
        l10n.t("A gateway answers, but the server behind it does not (HTTP {0}).", status),
        more,
      );
    }
    return isPage(type, text)
      ? new AppError(
          "notMindsDB",
          l10n.t("The server returned a web page instead of data (HTTP {0}).", status),
          more,
        )
      : new AppError(
          chooseErrorKind(status),
          l10n.t("The server answered with HTTP {0}.", status),
          more,
        );
  }
  // 401 also stands for "not in this edition" (seen on 26.1.0 and 25.14.1), which no login cures.
  if (status === 401 && problem.title !== "Unavailable to free users") {
    return new AppError("signInNeeded", l10n.t("The server requires you to sign in."), more);
  }
  return new AppError(chooseErrorKind(status), sentence(problem), more);
}

function chooseErrorKind(status: number): AppError["kind"] {
  if (status === 404) return "notFound";
  if (status === 409) return "conflict";
  return status >= 500 ? "serverFault" : "refused";
}

function readProblem(text: string): ProblemBody | undefined {
  const body = tryParseJson(text);
  if (!isObject(body)) return undefined;
  const field = (name: string): string => {
    const value = body[name];
    return typeof value === "string" ? cutOff(value, maxField) : "";
  };
  const title = field("title");
  const detail = field("detail") || field("message") || field("error_message") || field("error");
  return title || detail ? { title, detail } : undefined;
}

/** One sentence for the user, without traceback (`detail` keeps it) and without a bare exception class name. */
function sentence({ title, detail }: ProblemBody): string {
  const text = withoutTraceback(detail).trim();
  if (text === "") return ended(title);
  // The detail of a KeyError is only the key; the class name makes it readable.
  if (/^'[^']*'$/.test(text)) return ended(`${title}: ${text}`);
  return ended(text);
}

/** The error text without Python traceback and server paths. */
export function withoutTraceback(text: string): string {
  const start = text.search(/Traceback \(most recent call last\)/);
  const head = start < 0 ? text : text.slice(0, start);
  // SQLAlchemy appends its statement with all values, as where MindsDB's own database is locked.
  const [own = ""] = head.split("\n[SQL: ", 1);
  const cleaned = own.replace(/,? raised at: \S+/g, "").trim();
  // All that engines say of what they lack, like finetuning.
  if (/^NotImplementedError:?$/.test(cleaned)) return l10n.t("The engine can't do this.");
  if (cleaned !== "" || start < 0) return cleaned;
  const lines = text.trim().split("\n");
  return lines[lines.length - 1] ?? "";
}

function ended(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
