// Protects the VS Code server, which can read and write files, from web pages of other origins.
import type { IncomingMessage } from "node:http";

/**
 * Why a request is refused, or `undefined`. `Host` must be this machine's loopback (a name that was pointed at 127.0.0.1 is
 * somebody else's page) and `Origin`, where there is one, this server's own.
 */
export function refusal(request: IncomingMessage): string | undefined {
  const { host, origin } = request.headers;
  const port = String(request.socket.localPort);
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === undefined || !hosts.includes(host)) {
    return "Refused: this host name is not served here.";
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    return "Refused: this comes from another page.";
  }
  const site = request.headers["sec-fetch-site"];
  const foreign = site === "cross-site" || site === "same-site";
  // Links from other pages are allowed; frames, images and scripts of other pages are not.
  if (foreign && request.headers["sec-fetch-dest"] !== "document") {
    return "Refused: this is embedded in another page.";
  }
  return undefined;
}
