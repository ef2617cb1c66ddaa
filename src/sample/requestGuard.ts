// Who may use the sample server: programs on this machine that mean it, and no web page of another site.
import type { IncomingMessage } from "node:http";
import { problem } from "./replies.ts";

/**
 * Throws 421 for a `Host` other than the server's own (a name that an attacker made point to 127.0.0.1), and 403 for
 * a request that a browser sends for a page of another origin, which also covers pages of other local servers.
 */
export function refuseStrangers(request: IncomingMessage): void {
  const { host = "", origin } = request.headers;
  const port = String(request.socket.localPort);
  const ownHosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!ownHosts.includes(host.toLowerCase())) {
    throw problem(421, "Misdirected request", "This server does not answer under that host name");
  }
  // Browsers leave `Origin` out of plain GETs, but then say where the page comes from.
  const site = request.headers["sec-fetch-site"] ?? "none";
  const isForeignOrigin = origin !== undefined && origin !== `http://${host.toLowerCase()}`;
  if (isForeignOrigin || !["same-origin", "none"].includes(String(site))) {
    throw problem(403, "Forbidden", "Web pages of other sites may not use this server");
  }
}
