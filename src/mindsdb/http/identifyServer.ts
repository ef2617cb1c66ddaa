// Tells whether a MindsDB API answers at an address, also where the server has no /api/status: a gateway may let only
// some paths through, and other implementations of the API need not have it.
import { responseLimits, readBody } from "./responseBody.ts";
import type { AppError } from "../errors.ts";
import { isAppError } from "../errors.ts";
import { tryParseJson } from "../json.ts";
import { getStatus, maxProbeBodyMs, probeTimeoutMs, type ServerStatus } from "./login.ts";
import type { HttpRequest, HttpResponse, Transport } from "./transport.ts";

export interface IdentifiedServer {
  status: ServerStatus;
  /** False if the server answers like an API that may not be MindsDB's. */
  isCertain: boolean;
}

interface IdentifyOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
}

/**
 * The status of the server behind a transport, from `/api/status` or, if that is missing, from its other API paths.
 * Throws AppError "notMindsDB" when something else answers, or a network error.
 */
export async function identifyServer(
  transport: Transport,
  options: IdentifyOptions = {},
): Promise<IdentifiedServer> {
  try {
    return { status: await getStatus(transport, options), isCertain: true };
  } catch (error) {
    if (!isAppError(error, "notMindsDB") || !isStatusAbsent(error)) throw error;
    const identified = await identifyByPaths(transport, options);
    if (!identified) throw error;
    return identified;
  }
}

/** Statuses with which gateways block a path. */
function isStatusAbsent({ status }: AppError): boolean {
  return status !== undefined && [401, 403, 404, 405].includes(status);
}

/** A name that exists on no server. */
const nothing = "mindsdb-workbench-probe";
const describePath = `/api/projects/${nothing}/models/${nothing}/describe`;
const loginPath = "/api/login";
/** A path that no API has; shows how the server answers unknown paths. */
const unknownPath = `/api/${nothing}`;

/** Possible statuses for a model that does not exist. */
const apiStatuses = [200, 400, 401, 404, 415, 422];
/** Possible statuses for a login without a username. */
const refusedLogins = [400, 401, 403, 415, 422];

/**
 * Compares how the server answers at paths of the API with how it answers where nothing is. None of the requests
 * changes anything: the model does not exist, and the login names nobody. Undefined for a server that is no such API.
 */
async function identifyByPaths(
  transport: Transport,
  options: IdentifyOptions,
): Promise<IdentifiedServer | undefined> {
  const ask = (method: HttpRequest["method"], path: string): Promise<Reply> =>
    readReply(transport, method, path, options);
  const described = await ask("GET", describePath);
  if (!described.isJson || !apiStatuses.includes(described.status)) return undefined;
  if (described.wantsOtherLogin) return undefined;
  const status: ServerStatus = { authEnabled: described.status === 401, confirmed: false };
  const isKnownPath = described.says !== (await ask("GET", unknownPath)).says;
  if (isKnownPath) return { status, isCertain: true };
  // Guarded before paths are looked at, or "not found" for a missing model and a missing path alike.
  if (described.status !== 401 && described.status !== 404) return undefined;
  const login = await ask("POST", loginPath);
  const isLogin = login.isJson && refusedLogins.includes(login.status);
  const isCertain = isLogin && login.says !== (await ask("POST", unknownPath)).says;
  return { status, isCertain };
}

interface Reply {
  status: number;
  isJson: boolean;
  /** True for a 401 that asks for a login of the web server itself. */
  wantsOtherLogin: boolean;
  /** Status and body without parts that differ between requests: path, times, ids. */
  says: string;
}

const maxReplyBytes = 64 * 1024;

async function readReply(
  transport: Transport,
  method: HttpRequest["method"],
  path: string,
  { signal, timeoutMs = probeTimeoutMs }: IdentifyOptions,
): Promise<Reply> {
  const response = await transport.send({
    method,
    path,
    headers: { accept: "application/json", "content-type": "application/json" },
    body: "{}",
    signal,
    timeoutMs,
  });
  const limits = {
    ...responseLimits.small,
    maxBytes: maxReplyBytes,
    maxMs: Math.min(timeoutMs, maxProbeBodyMs),
  };
  const text = (await readBody(response, limits).catch(tooLargeAsEmpty)).toString("utf8");
  const { status } = response;
  return {
    status,
    isJson: isJsonValue(text),
    wantsOtherLogin:
      status === 401 && /^\s*(basic|digest|negotiate|ntlm)\b/i.test(challenge(response)),
    says: `${status} ${withoutRequest(text, path)}`,
  };
}

function tooLargeAsEmpty(error: unknown): Buffer {
  if (isAppError(error, "tooLarge")) return Buffer.alloc(0);
  throw error;
}

function challenge({ headers }: HttpResponse): string {
  return String(headers["www-authenticate"] ?? "");
}

function isJsonValue(text: string): boolean {
  const value = tryParseJson(text);
  return typeof value === "object" && value !== null;
}

/** Removes the path, times and request ids, which frameworks add. */
function withoutRequest(text: string, path: string): string {
  return text
    .replaceAll(path, "")
    .replaceAll(path.replaceAll("/", String.raw`\/`), "")
    .replaceAll(/[\da-f-]+/gi, (run) => (/\d/.test(run) ? "" : run));
}
