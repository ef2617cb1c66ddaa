// Errors, classified by what the user can do about them.
import { cutOff } from "./cutText.ts";
import type { Secrets } from "./redact/redact.ts";

/** Kinds of errors; shared/host/errorMessages.ts has a message and at most one action for each. */
export type AppErrorKind =
  | "address" // what was typed is not an address
  | "unreachable" // nothing answers there
  | "timeout" // no answer within our limit
  | "certificate" // the TLS certificate is not trusted
  | "proxy" // a proxy refused or wants a login
  | "notMindsDB" // something answers, but not a MindsDB server (a web page, no JSON)
  | "signInNeeded" // 401: no credential, or the server has forgotten it
  | "signInRefused" // the username or password is wrong
  | "notFound"
  | "conflict" // the name is taken
  | "readOnly" // the connection is read-only: nothing was sent
  | "mayCost" // it may cost money, and nobody has agreed: nothing was sent
  | "refused" // the server understood and said no (4xx)
  | "serverFault" // the server failed (5xx)
  | "sql" // a statement failed (HTTP 200 with an error inside)
  | "agentFailed" // an error inside an agent's stream
  | "cutOff" // the connection closed before the answer was whole
  | "badAnswer" // JSON that is not what the endpoint promises
  | "tooLarge" // over a stated cap
  | "notUtf8"; // a file in another encoding, which has a URI

/** Maximum length of a message, in characters: answers can be hundreds of megabytes. */
const maxMessage = 2_000;
const maxDetail = 64_000;

/**
 * An error with a message for the user and details for the log. `message` is one sentence without secrets; `detail` is
 * what the server sent (redacted), tracebacks included. Both are cut off. A cancelled request is not an AppError: it
 * rejects with the signal's reason.
 */
export class AppError extends Error {
  readonly kind: AppErrorKind;
  readonly detail: string | undefined;
  readonly status: number | undefined;
  /** The file of "notUtf8". */
  readonly uri: string | undefined;
  /** True for "signInNeeded" where a web server in front of MindsDB asks for the login. */
  readonly isFromGateway: boolean;

  constructor(
    kind: AppErrorKind,
    message: string,
    more: {
      detail?: string | undefined;
      status?: number | undefined;
      cause?: unknown;
      isFromGateway?: boolean;
      uri?: string | undefined;
    } = {},
  ) {
    super(
      cutOff(message, maxMessage),
      more.cause === undefined ? undefined : { cause: more.cause },
    );
    this.name = "AppError";
    this.kind = kind;
    const detail = more.detail ?? (message.length > maxMessage ? message : undefined);
    this.detail = detail === undefined ? undefined : cutOff(detail, maxDetail);
    this.status = more.status;
    this.isFromGateway = more.isFromGateway ?? false;
    this.uri = more.uri;
  }
}

export function isAppError(error: unknown, ...kinds: AppErrorKind[]): error is AppError {
  return error instanceof AppError && kinds.includes(error.kind);
}

/** True for the rejection of an aborted request, which is not reported as an error. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** The error with secrets removed from message and detail. */
export function withoutSecrets(error: unknown, secrets: Secrets): unknown {
  if (!(error instanceof AppError)) return error;
  const { kind, message, status, detail, cause, isFromGateway, uri } = error;
  return new AppError(kind, secrets.redact(message), {
    status,
    detail: detail === undefined ? undefined : secrets.redact(detail),
    cause,
    isFromGateway,
    uri,
  });
}
