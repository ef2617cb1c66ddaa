// Status, login and logout.
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import { responseLimits } from "./responseBody.ts";
import { readError, readJson } from "./httpResponse.ts";
import { AppError, type AppErrorKind } from "../errors.ts";
import { isObject } from "../json.ts";
import { credentialHeaders, type Credential } from "./session.ts";
import type { HttpResponse, Transport } from "./transport.ts";

/** `GET /api/status`: never needs a login, so it is how a server is found and how a credential is checked. */
export interface ServerStatus {
  /** Like "26.1.0"; absent if unknown. */
  version?: string;
  authEnabled: boolean;
  /** Whether the credential is valid. Meaningless without auth (seen on 26.1.0 and 25.14.1). */
  confirmed: boolean;
}

const statusBody = v.looseObject({
  mindsdb_version: v.string(),
  auth: v.fallback(
    v.looseObject({
      http_auth_enabled: v.fallback(v.boolean(), false),
      confirmed: v.fallback(v.boolean(), false),
    }),
    { http_auth_enabled: false, confirmed: false },
  ),
});

export const probeTimeoutMs = 8_000;
/** ms from the headers of a short answer to its end: it comes with them, unless a server sends it byte by byte. */
export const maxProbeBodyMs = 5_000;

/** The server's status. `timeoutMs` is for the answer's headers, and for its body if it is below 5 s. Throws AppError "notMindsDB" when something else answers, or a network error. */
export async function getStatus(
  transport: Transport,
  options: {
    credential?: Credential | undefined;
    signal?: AbortSignal | undefined;
    timeoutMs?: number;
  } = {},
): Promise<ServerStatus> {
  const { timeoutMs = probeTimeoutMs } = options;
  const response = await transport.send({
    method: "GET",
    path: "/api/status",
    headers: credentialHeaders(options.credential),
    signal: options.signal,
    timeoutMs,
  });
  const parsed = v.safeParse(
    statusBody,
    await readJson(response, {
      ...responseLimits.small,
      maxMs: Math.min(timeoutMs, maxProbeBodyMs),
    }).catch(notAServer),
  );
  if (!parsed.success) {
    throw new AppError(
      "notMindsDB",
      l10n.t("Something answers there, but it is not a MindsDB server."),
    );
  }
  const { mindsdb_version: version, auth } = parsed.output;
  return { version, authEnabled: auth.http_auth_enabled, confirmed: auth.confirmed };
}

const tellsEnough: AppErrorKind[] = ["proxy", "unreachable", "timeout", "cutOff", "serverFault"];

/** Turns a 404 or a web page into AppError "notMindsDB". */
function notAServer(error: unknown): never {
  if (!(error instanceof AppError) || tellsEnough.includes(error.kind)) throw error;
  if (error.isFromGateway) throw error;
  const { status = 0 } = error;
  if (status >= 300 && status < 400) throw error;
  throw new AppError(
    "notMindsDB",
    l10n.t("Something answers there, but it is not a MindsDB server."),
    {
      detail: error.detail,
      status: error.status,
      cause: error,
    },
  );
}

/**
 * `POST /api/login`. A server in session mode answers 200 without a token: then the cookie is the credential.
 * Throws AppError "signInRefused" for a wrong username or password.
 */
export async function login(
  transport: Transport,
  account: { username: string; password: string },
  signal?: AbortSignal,
): Promise<Credential> {
  const response = await transport.send({
    method: "POST",
    path: "/api/login",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: account.username, password: account.password }),
    signal,
    timeoutMs: 20_000,
  });
  if (response.status === 401 || response.status === 400) {
    const refusal = await readError(response);
    if (refusal.isFromGateway) throw refusal;
    const { detail } = refusal;
    throw new AppError("signInRefused", l10n.t("The username or the password is wrong."), {
      status: response.status,
      detail,
    });
  }
  const cookie = sessionCookie(response);
  const body = await readJson(response, responseLimits.small);
  const token = tokenIn(body);
  if (transport.usesBasic?.()) {
    // The cookie that most servers send beside the token leaves the header Authorization free.
    if (cookie) return { cookie };
    throw new AppError(
      "refused",
      l10n.t(
        "MindsDB's token and the sign-in of the web server in front of it need the same header, so they can't be used together. Turn off one of the two, or let MindsDB use session cookies.",
      ),
    );
  }
  if (token !== undefined) return { token };
  if (cookie) return { cookie };
  throw new AppError(
    "badAnswer",
    l10n.t("The server accepted the sign-in but sent no token or cookie."),
  );
}

/** MindsDB names the field `token`; the published API leaves the name open, and OAuth's is `access_token`. */
function tokenIn(body: unknown): string | undefined {
  const { token, access_token: accessToken } = isObject(body) ? body : {};
  return [token, accessToken].find(
    (value): value is string => typeof value === "string" && value !== "",
  );
}

/** `POST /api/logout` revokes a token; real servers answer 200 whatever they are sent. */
export async function logout(transport: Transport, credential: Credential): Promise<void> {
  await readJson(
    await transport.send({
      method: "POST",
      path: "/api/logout",
      headers: credentialHeaders(credential),
      timeoutMs: 5_000,
    }),
    responseLimits.small,
  );
}

function sessionCookie(response: HttpResponse): string | undefined {
  const pairs = [response.headers["set-cookie"] ?? []]
    .flat()
    .map((cookie) => cookie.split(";", 1)[0] ?? "")
    // An empty one deletes a cookie.
    .filter((pair) => /=./.test(pair));
  return pairs.length > 0 ? pairs.join("; ") : undefined;
}
