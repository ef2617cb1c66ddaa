// Protects the sample server from DNS rebinding and from requests by other web pages.
import type { IncomingMessage } from "node:http";
import { problem } from "./replies.ts";

/**
 * Throws 421 if `Host` is not the server's own address, which happens when an attacker points a host name at 127.0.0.1.
 * Throws 403 if a browser sends the request for a page of another origin, including pages of other local servers.
 */
export function refuseStrangers(request: IncomingMessage): void {
  const { host = "", origin } = request.headers;
  const port = String(request.socket.localPort);
  const ownHosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!ownHosts.includes(host.toLowerCase())) {
    throw problem(421, "Misdirected request", "This server does not answer under that host name");
  }
  // Browsers send no `Origin` with simple GET requests, but they send `Sec-Fetch-Site`.
  const site = request.headers["sec-fetch-site"] ?? "none";
  const isForeignOrigin = origin !== undefined && origin !== `http://${host.toLowerCase()}`;
  if (isForeignOrigin || !["same-origin", "none"].includes(String(site))) {
    throw problem(403, "Forbidden", "Web pages of other sites may not use this server");
  }
}
