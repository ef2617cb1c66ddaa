// Converts errors of Node and undici to AppErrors.
import * as l10n from "@vscode/l10n";
import { AppError, type AppErrorKind } from "../errors.ts";
import { isDamaged } from "./contentCoding.ts";
import { portOf, proxyFailed } from "./proxy.ts";
import { formatAddress, type ServerAddress } from "./serverAddress.ts";

/** Node's error codes for invalid certificates. */
const certificateCodes =
  /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(VERIFY|GET|DECRYPT|DECODE)_|CERT_|CRL_|ERR_TLS_CERT_|ERROR_IN_C|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|(CA|EE)_\w+_TOO_(WEAK|SMALL)$)/;

const certificateReasons: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: l10n.t("it is self-signed"),
  SELF_SIGNED_CERT_IN_CHAIN: l10n.t("its certificate authority is not trusted on this machine"),
  UNABLE_TO_GET_ISSUER_CERT: l10n.t("its certificate authority is unknown"),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: l10n.t("its certificate authority is unknown"),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: l10n.t("its certificate authority is unknown"),
  CERT_HAS_EXPIRED: l10n.t("it has expired"),
  CERT_NOT_YET_VALID: l10n.t("it is not valid yet"),
  CERT_REVOKED: l10n.t("it was revoked"),
  ERR_TLS_CERT_ALTNAME_INVALID: l10n.t("it was issued for another host"),
  HOSTNAME_MISMATCH: l10n.t("it was issued for another host"),
};

interface Attempt {
  address: ServerAddress;
  proxy: URL | undefined;
  limitMs: number;
}

/** Returns the error for a request that failed before its response: what happened, and the address it was sent to. */
export function networkError(error: unknown, attempt: Attempt): AppError {
  if (error instanceof AppError) return error;
  const detail = describeError(error);
  const [kind, message] = explainFailure(error, detail, attempt);
  return new AppError(kind, message, { cause: error, detail });
}

/** Codes that name the cause come first, then what the proxy did, then how far the connection got. */
function explainFailure(
  error: unknown,
  detail: string,
  { address, proxy, limitMs }: Attempt,
): [kind: AppErrorKind, message: string] {
  const server = formatAddress(address);
  const code = errorCode(error);
  // Its own TLS, if it has an https address.
  const isOfProxy = proxy !== undefined && detail.includes(proxyFailed);
  const peer = isOfProxy ? proxy.origin : server;
  if (certificateCodes.test(code)) return ["certificate", explainCertificate(peer, code)];
  if (code === "UND_ERR_HEADERS_TIMEOUT") {
    const seconds = Math.round(limitMs / 1000);
    return ["timeout", l10n.t("{0} did not answer within {1} s.", server, seconds)];
  }
  if (code === "UND_ERR_HEADERS_OVERFLOW") {
    const message = l10n.t(
      "The response headers from {0} are larger than 16 kB. A proxy may have added some.",
      server,
    );
    return ["tooLarge", message];
  }
  if (/^(ERR_SSL_|EPROTO)/.test(code)) {
    return [isOfProxy ? "proxy" : "unreachable", l10n.t("{0} does not support HTTPS.", peer)];
  }
  if (proxy && (code.startsWith("UND_ERR_SOCKS5") || /SOCKS5 \w+ timeout/.test(detail))) {
    return explainSocks(proxy, server, code);
  }
  if (detail.includes("Proxy response (407)")) {
    return ["proxy", l10n.t("The proxy requires a sign-in.")];
  }
  if (/Proxy response \(\d+\)/.test(detail)) {
    return ["proxy", l10n.t("The proxy blocked the request to {0}.", server)];
  }
  if (isOfProxy || (proxy && isAbout(proxy, detail))) {
    const message = l10n.t("The proxy {0} for {1} does not respond.", proxy.host, server);
    return ["proxy", message];
  }
  if (/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(code) || brokeInUse(error)) {
    return ["cutOff", l10n.t("{0} closed the connection without an answer.", server)];
  }
  // For example MindsDB's port for MySQL clients.
  if (error instanceof Error && error.name === "HTTPParserError") {
    return ["notMindsDB", l10n.t("The program at {0} does not support HTTP.", server)];
  }
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code)) {
    const { hostname } = new URL(address.origin);
    return ["unreachable", l10n.t("There is no host named {0}.", hostname)];
  }
  return ["unreachable", l10n.t("Can't reach {0}.", server)];
}

/** Explains undici's error about a SOCKS proxy: it is not SOCKS 5, wants a login, refuses, or reaches no server. */
function explainSocks(
  proxy: URL,
  server: string,
  code: string,
): [kind: AppErrorKind, message: string] {
  if (code === "") {
    const message = l10n.t("The proxy {0} for {1} does not respond.", proxy.host, server);
    return ["proxy", message];
  }
  if (code.includes("SOCKS5_AUTH")) return ["proxy", l10n.t("The proxy requires a sign-in.")];
  // Network or host unreachable, connection refused, time to live expired.
  if (/REPLY_[3456]$/.test(code)) {
    return ["unreachable", l10n.t("The proxy {0} can't reach {1}.", proxy.host, server)];
  }
  if (/REPLY_\d+$/.test(code)) {
    return ["proxy", l10n.t("The proxy blocked the request to {0}.", server)];
  }
  return ["proxy", l10n.t("The proxy {0} does not support SOCKS 5.", proxy.host)];
}

function explainCertificate(server: string, code: string): string {
  const reason = certificateReasons[code];
  return reason === undefined
    ? l10n.t("The certificate of {0} is not trusted ({1}).", server, code)
    : l10n.t("The certificate of {0} is not trusted: {1} ({2}).", server, reason, code);
}

/** Returns the error for a response whose body broke off: what happened, and the address it came from. */
export function bodyError(error: unknown, address: ServerAddress): AppError {
  const server = formatAddress(address);
  const code = errorCode(error);
  const details = { cause: error, detail: describeError(error) };
  if (code === "UND_ERR_BODY_TIMEOUT") {
    const message = l10n.t("{0} stopped in the middle of its answer.", server);
    return new AppError("timeout", message, details);
  }
  if (isDamaged(code)) {
    return new AppError("badAnswer", l10n.t("The response from {0} is damaged.", server), details);
  }
  const message = l10n.t("Lost the connection to {0} before the answer was complete.", server);
  return new AppError("cutOff", message, details);
}

/** Whether the failed connection was to the proxy. */
function isAbout(proxy: URL, detail: string): boolean {
  const port = String(portOf(proxy));
  return (
    [...detail.matchAll(/:(\d+)/g)].some(([, named]) => named === port) ||
    detail.split("\n").some((line) => line.endsWith(` ${proxy.hostname}`))
  );
}

/** Returns the code of the innermost cause that has one, like "ECONNREFUSED"; "" without any. */
function errorCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === "string") return code;
  return cause ? errorCode(cause) : "";
}

/** Whether an established connection broke: the server may have received the request. */
function brokeInUse(error: unknown): boolean {
  const { syscall } = (error ?? {}) as { syscall?: unknown };
  return syscall === "read" || syscall === "write";
}

/** Returns names and messages of an error and all its causes, a line each. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const parts = [`${error.name}: ${error.message}`];
  if (error instanceof AggregateError) parts.push(...error.errors.map(describeError));
  if (error.cause) parts.push(describeError(error.cause));
  return parts.join("\n");
}
