// The error replies of real servers: their JSON encodings, and what they answer where there is no route.
import type { Answer, Route, ServerRequest } from "../../src/sample/server/call.ts";
import { crash, Refusal, problem } from "../../src/sample/server/replies.ts";
import { pythonJson } from "./pythonFormats.ts";

/** Formats the errors of a request as real servers do. */
export function formatErrors(handle: () => Answer): Answer {
  try {
    return handle();
  } catch (error) {
    if (error instanceof Refusal && error.reply.type === "application/problem+json") {
      error.reply.body = pythonJson(JSON.parse(error.reply.body));
    }
    throw error;
  }
}

/** Answers a request that no route handles, or throws an error reply. Returns undefined if a route handles it. */
export function checkRoute(
  routes: readonly Route[],
  { method, path, message }: ServerRequest,
): Answer | undefined {
  const methods = routes.filter((route) => route.path.test(path)).map((route) => route.method);
  if (methods.includes(method)) return undefined;
  if (methods.length === 0 && routes.some((route) => route.path.test(`${path}/`))) {
    throw createRedirect(message.headers.host ?? "", path);
  }
  if (method === "OPTIONS" && methods.length > 0) {
    const allow = [...new Set(["OPTIONS", "HEAD", ...methods])].join(", ");
    return { status: 200, type: "text/html; charset=utf-8", body: "", headers: { allow } };
  }
  throw createRouteError(method, path, methods.length > 0);
}

/** Creates the error of a real server for a request without a route. It depends on the path and the method. */
function createRouteError(method: string, path: string, isKnownPath: boolean): Refusal {
  if (!path.startsWith("/api/")) {
    const hint = "If you entered the URL manually please check your spelling and try again.";
    const text = `The requested URL was not found on the server. ${hint}`;
    return createPage(404, "404 Not Found", "Not Found", text);
  }
  if (method === "GET") {
    const detail = "The endpoint you are trying to access does not exist on the server.";
    return problem(404, "Not found", detail);
  }
  const text = "The method is not allowed for the requested URL.";
  return isKnownPath
    ? crash("Method Not Allowed", text, 405)
    : createPage(405, "405 Method Not Allowed", "Method Not Allowed", text);
}

/** Creates the redirect that real servers send if a list's trailing slash is missing. */
function createRedirect(host: string, path: string): Refusal {
  const location = `http://${host}${path}/`;
  const link = `<a href="${location}">${location}</a>`;
  const text = `You should be redirected automatically to the target URL: ${link}. If not, click the link.`;
  const refusal = createPage(308, "Redirecting...", "Redirecting...", text);
  // Unlike other pages of real servers, this one does not close its paragraph.
  refusal.reply.body = refusal.reply.body.replace("</p>", "");
  refusal.reply.headers = { location };
  return refusal;
}

/** Reads the body of a request. Real servers reject chunked bodies. */
export function readJson({ message, body }: ServerRequest): unknown {
  if (!message.headers["content-type"]?.startsWith("application/json")) {
    const text =
      "Did not attempt to load JSON data because the request Content-Type was not 'application/json'.";
    throw crash("Unsupported Media Type", text, 415);
  }
  const text = "The browser (or proxy) sent a request that this server could not understand.";
  const badRequest = crash("Bad Request", text, 400);
  if (message.headers["transfer-encoding"] !== undefined) throw badRequest;
  try {
    return JSON.parse(body.toString("utf8")) as unknown;
  } catch {
    throw badRequest;
  }
}

/** An HTML error page, which the web framework sends outside the API. */
function createPage(status: number, title: string, heading: string, paragraph: string): Refusal {
  const body = `<!doctype html>\n<html lang=en>\n<title>${title}</title>\n<h1>${heading}</h1>\n<p>${paragraph}</p>\n`;
  return new Refusal({ status, type: "text/html; charset=utf-8", body });
}
