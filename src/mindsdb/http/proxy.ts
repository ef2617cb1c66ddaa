// Which proxy the requests to a server go through. The one reading of the proxy settings: what sends requests and what
// explains them ask here.
import * as l10n from "@vscode/l10n";
import net from "node:net";
import { AppError } from "../errors.ts";
import { hostName, isLoopback, type ServerAddress } from "./serverAddress.ts";

export interface ProxySettings {
  /** Proxy URL (VS Code's `http.proxy`); "" means no proxy, undefined the environment's HTTP(S)_PROXY. */
  proxy?: string | undefined;
  /** Hosts that are reached directly (VS Code's `http.noProxy`); the environment's NO_PROXY if empty. */
  noProxy?: readonly string[] | undefined;
  /** Header for the proxy (VS Code's `http.proxyAuthorization`), instead of the login in the proxy's URL. */
  proxyAuthorization?: string | undefined;
}

export interface Proxy {
  url: URL;
  isSocks: boolean;
  /** Value of the header Proxy-Authorization. */
  authorization?: string;
}

/** VS Code's proxy, else the environment's; none for this machine and excluded hosts. Throws AppError "proxy". */
export function findProxy(address: ServerAddress, settings: ProxySettings): Proxy | undefined {
  if (isLoopback(address)) return undefined;
  const { source, text } = readSetting(settings) ?? proxyOfEnvironment(address);
  if (text === "" || isExcluded(address, settings)) return undefined;
  const url = parseProxy(text, source);
  const isSocks = url.protocol.startsWith("socks");
  const authorization = isSocks ? undefined : authorizationFor(url, settings);
  return { url, isSocks, ...(authorization !== undefined && { authorization }) };
}

/** The address of a proxy, and the setting or the variable that it is in. */
interface ProxyText {
  source: string;
  text: string;
}

/** Undefined without the setting; one of blanks alone is none. */
function readSetting({ proxy }: ProxySettings): ProxyText | undefined {
  const text = proxy?.trim();
  return text === undefined || (text === "" && proxy !== "")
    ? undefined
    : { source: "http.proxy", text };
}

function proxyOfEnvironment({ origin }: ServerAddress): ProxyText {
  const names = ["http_proxy", "HTTP_PROXY"];
  if (origin.startsWith("https:")) names.unshift("https_proxy", "HTTPS_PROXY");
  const found = names
    .map((source) => ({ source, text: process.env[source]?.trim() ?? "" }))
    .find(({ text }) => text !== "");
  return found ?? { source: "", text: "" };
}

/** Parses a proxy URL; the scheme is optional. Errors do not repeat the text, which may contain a password. */
function parseProxy(text: string, source: string): URL {
  const hasScheme = text.includes("://") || /^[a-z][a-z\d+.-]*:[\\/]/i.test(text);
  const address = hasScheme ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const authority = address.replace(/^[a-z][a-z\d+.-]*:[\\/]+/i, "");
  const hostEnd = authority.search(/[\\/?#]/);
  // In a login, these end the host: a part of it would be taken for the host, and shown.
  if (hostEnd !== -1 && authority.includes("@", hostEnd)) {
    const message = l10n.t(
      "{0} is not a proxy address. Percent-encode characters like {1} in its username and password.",
      source,
      "/ ? # \\",
    );
    throw new AppError("proxy", message);
  }
  if (!url || url.hostname === "" || url.port === "0" || /^\d+$/.test(text)) {
    const message = l10n.t(
      "{0} is not a proxy address. Write it like {1}.",
      source,
      "http://proxy.example.com:3128",
    );
    throw new AppError("proxy", message);
  }
  if (/^(https?|socks5?):$/.test(url.protocol)) return url;
  const message =
    url.protocol === "socks5h:"
      ? l10n.t(
          "Proxies with {0}// addresses are not supported. In {1}, use socks5://, which also lets the proxy resolve names.",
          url.protocol,
          source,
        )
      : l10n.t("Proxies with {0}// addresses are not supported. Check {1}.", url.protocol, source);
  throw new AppError("proxy", message);
}

function authorizationFor(url: URL, settings: ProxySettings): string | undefined {
  const proxyAuthorization = settings.proxyAuthorization?.trim();
  if (proxyAuthorization) {
    if (/^[\t -~]+$/.test(proxyAuthorization)) return proxyAuthorization;
    const message = l10n.t("The setting http.proxyAuthorization is not a valid header.");
    throw new AppError("proxy", message);
  }
  const { username, password } = loginIn(url);
  if (username === "" && password === "") return undefined;
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** Username and password of a URL. A "%" that encodes nothing stands for itself: people type passwords as they are. */
export function loginIn(url: URL): { username: string; password: string } {
  const decode = (text: string): string =>
    text.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
      try {
        return decodeURIComponent(encoded);
      } catch {
        return encoded;
      }
    });
  return { username: decode(url.username), password: decode(url.password) };
}

/** The message of errors of the connection to a proxy. */
export const proxyFailed = "The connection to the proxy failed";

/** The port of a URL, also the default one of its scheme. */
export function portOf({ port, protocol }: URL): number {
  const usual: Record<string, number> = { "http:": 80, "https:": 443 };
  return port === "" ? (usual[protocol] ?? 1080) : Number(port);
}

function isExcluded(address: ServerAddress, { noProxy = [] }: ProxySettings): boolean {
  const { env } = process;
  const text = noProxy.length > 0 ? noProxy.join(",") : (env["no_proxy"] ?? env["NO_PROXY"] ?? "");
  const host = withoutBrackets(hostName(address));
  const port = portOf(new URL(address.origin));
  return text.split(/[,;\s]+/).some((entry) => entry !== "" && matchesHost(entry, host, port));
}

/** Whether an entry is the host, a domain it is in, or a range of addresses like 10.0.0.0/8; it may end with a port. */
function matchesHost(written: string, host: string, port: number): boolean {
  // People also copy the address of the server.
  const entry = written.replace(/^https?:\/\//i, "").replace(/\/$/, "");
  if (entry === "*") return true;
  if (entry.includes("/")) return isInRange(entry, host);
  const isAddress = net.isIPv6(entry);
  const [, name = "", wanted] = isAddress
    ? [entry, entry]
    : (/^(.*?)(?::(\d+))?$/.exec(entry) ?? []);
  if (wanted !== undefined && Number(wanted) !== port) return false;
  const excluded = normalizeHost(withoutBrackets(name).replace(/^\*?\.?/, ""));
  return excluded !== "" && (host === excluded || host.endsWith(`.${excluded}`));
}

/** A host as URLs write it: in ASCII, with short addresses, and without the dot at the end of a full name. */
function normalizeHost(host: string): string {
  const address = `http://${net.isIPv6(host) ? `[${host}]` : host}`;
  const isHost = !/[/@?#\\]/.test(host) && URL.canParse(address);
  return withoutBrackets(isHost ? new URL(address).hostname : host).replace(/\.$/, "");
}

function isInRange(range: string, host: string): boolean {
  const [start = "", length = ""] = range.split("/");
  const family = net.isIP(host);
  if (family === 0 || net.isIP(start) !== family || !/^\d{1,3}$/.test(length)) return false;
  if (Number(length) > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? "ipv4" : "ipv6";
  const list = new net.BlockList();
  list.addSubnet(start, Number(length), type);
  return list.check(host, type);
}

/** "::1" for "[::1]". */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}
