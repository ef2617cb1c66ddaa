// Parses the server addresses that users type.
import * as l10n from "@vscode/l10n";
import { AppError } from "../errors.ts";

/** MindsDB's own HTTP port, by default. */
export const defaultPort = 47334;

/** A server's address: `origin` is scheme, host and port, `prefix` the path in front of `/api` ("" or "/a/b"). */
export interface ServerAddress {
  readonly origin: string;
  readonly prefix: string;
}

/** The address as one text, without a trailing slash. */
export function formatAddress(address: ServerAddress): string {
  return address.origin + address.prefix;
}

/** Addresses that servers print as the ones they listen on; as targets they mean this machine. */
export const everyInterface = ["0.0.0.0", "[::]"];

/** The host's name without the dot that may end a name of the DNS. */
export function hostName({ origin }: ServerAddress): string {
  return new URL(origin).hostname.replace(/\.$/, "");
}

/** True for addresses on this machine: they never go through a proxy. */
export function isLoopback(address: ServerAddress): boolean {
  const host = hostName(address);
  return (
    ["localhost", "[::1]", ...everyInterface].includes(host) ||
    host.endsWith(".localhost") ||
    /^127(\.\d+){3}$/.test(host)
  );
}

/** Loopback, private, link-local and shared IPv4 ranges; an IPv4 address in IPv6 is written in hexadecimal. */
const privateIPv4 =
  /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const privateIPv6 = /^\[(f[cd]|fe[89ab])/;
/** Names that are given by a local network and not by the public DNS. */
const privateName = /(^[^.]+|\.(localhost|local|internal|lan|home\.arpa))$/;

/** True for addresses that may mean another server on another machine: loopback and private networks. */
export function isPrivate(address: ServerAddress): boolean {
  if (isLoopback(address)) return true;
  const host = hostName(address);
  if (host.startsWith("[")) return privateIPv6.test(host) || privateIPv4.test(embeddedIPv4(host));
  return privateIPv4.test(host) ? /^[\d.]+$/.test(host) : privateName.test(host);
}

/** The IPv4 address in `[::ffff:c0a8:107]`, or "". */
function embeddedIPv4(host: string): string {
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return "";
  const parts = [high, low].map((part) => parseInt(part, 16));
  return parts.flatMap((part) => [part >> 8, part & 255]).join(".");
}

/**
 * Reads a complete address (`http://…` or `https://…`). Throws AppError "address".
 * A trailing slash, `/api` at the end, a query and a fragment are dropped; a username in it is refused, since it
 * would end up in settings and logs.
 */
export function parseAddress(text: string): ServerAddress {
  const candidates = addressCandidates(text);
  const first = candidates[0];
  if (!first) {
    throw new AppError(
      "address",
      l10n.t("“{0}” is not an address. Enter one like 127.0.0.1:47334.", text.trim()),
    );
  }
  return first;
}

/** Characters copied along with an address: invisible ones, and quotes, brackets and commas around it. */
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const opening = /^[\s<"'`\u2018-\u201f\u2039\u203a\u00ab\u00bb\u300c-\u300f]+/;
const closing = /[\s>"'`,;\u2018-\u201f\u2039\u203a\u00ab\u00bb\u300c-\u300f]/;

function unwrap(text: string): string {
  const visible = text.replace(invisible, "").replace(opening, "");
  let end = visible.length;
  while (end > 0 && closing.test(visible.charAt(end - 1))) end--;
  return visible.slice(0, end);
}

/** The last of several schemes, as when an address is pasted after `http://`, even with wrong slashes. */
const webScheme = /^(?:https?:[\\/]+)*(https?:)[\\/]+/i;
const otherScheme = /^([a-z][a-z0-9+.-]*:)\/\//i;

/**
 * Returns the addresses a typed text can mean, most likely first. A given port is kept; without a scheme, `http` comes
 * before `https`. Without both, a host on this machine gets `http` and MindsDB's port, any other host `https`, then
 * `http` with MindsDB's port; `http://` alone can mean MindsDB's port too. A port alone is one of this machine. Throws
 * AppError "address" if the text cannot be read as an address.
 */
export function addressCandidates(text: string): ServerAddress[] {
  const typed = unwrap(text);
  if (typed === "") {
    throw new AppError("address", l10n.t("Enter an address, like 127.0.0.1:47334."));
  }
  const [prefix = "", name = ""] = webScheme.exec(typed) ?? otherScheme.exec(typed) ?? [];
  const scheme = name.toLowerCase();
  // "//127.0.0.1" is a protocol-relative address.
  const rest = typed
    .slice(prefix.length)
    .replace(/^\/+/, "")
    .replace(/^:?(?=\d+$)/, "127.0.0.1:");
  const bare = isBareIPv6(rest) ? `[${rest}]` : rest;
  // Port 80 disappears from a parsed http URL, so the typed text is asked whether it named a port.
  const hasPort = /^(\[[^\]]*\]|[^/:?#]*):\d+/.test(bare);
  const asHttp = fromUrl(`${scheme || "http:"}//${bare}`, typed);
  if (scheme === "http:" && !hasPort) return [asHttp, withPort(asHttp)];
  if (scheme !== "") return [asHttp];
  const asHttps = fromUrl(`https://${bare}`, typed);
  if (hasPort) return [asHttp, asHttps];
  return isLoopback(asHttp) ? [withPort(asHttp)] : [asHttps, withPort(asHttp)];
}

function isBareIPv6(text: string): boolean {
  return /^[0-9a-f]*:[0-9a-f.]*:[0-9a-f:.]*$/i.test(text);
}

function withPort(address: ServerAddress): ServerAddress {
  return { ...address, origin: `${address.origin}:${defaultPort}` };
}

function fromUrl(text: string, typed: string): ServerAddress {
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw new AppError(
      "address",
      l10n.t("“{0}” is not an address. Enter one like 127.0.0.1:47334.", typed),
      { cause },
    );
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new AppError(
      "address",
      l10n.t("The address must start with http:// or https://, not {0}//.", url.protocol),
    );
  }
  if (url.username || url.password) {
    throw new AppError(
      "address",
      l10n.t(
        "Leave the username and password out of the address. You'll be asked for them if the server needs them.",
      ),
    );
  }
  const prefix = url.pathname.replace(/(?<!\/)\/+$/, "").replace(/\/api$/, "");
  return { origin: url.origin, prefix };
}
