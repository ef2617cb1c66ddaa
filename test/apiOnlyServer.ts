// A server that has only the paths of the published API text: no status, no listings, no SQL. What that text leaves open
// (names of fields, shapes of answers, errors) is an option, so that a test can be any server that fits the text.
import http from "node:http";
import type { AddressInfo } from "node:net";

export interface ApiOnlyOptions {
  /** Without it, nobody has to sign in. */
  login?: { username: string; password: string };
  /** The field of the login's answer that holds the token. */
  tokenField?: "token" | "access_token";
  /** What a path that is not let through gets. */
  otherPaths?: "json404" | "html404" | "json405" | "json403";
  /** Whether a 401 comes before a path is looked at, as on real servers. */
  guardsEverything?: boolean;
  /** How the stream's path answers: with events under this media type, a whole answer, or this status. */
  stream?: "text/event-stream" | "text/plain" | "answer" | 404 | 405;
  /** The body of a plain answer, which the text does not show. */
  plain?: (answer: string) => unknown;
  /** How a description is wrapped; `named` gives it only to `{"attribute": "info"}`. */
  describe?: "list" | "object" | "named";
  /** How predictions are wrapped. */
  predict?: "list" | "data" | "object";
}

export interface ApiOnlyRequest {
  method: string;
  path: string;
  authorization: string | undefined;
  body: string;
}

export interface ApiOnlyServer {
  url: string;
  address: string;
  options: ApiOnlyOptions;
  requests: ApiOnlyRequest[];
  /** As `METHOD /path`. */
  paths(fits?: RegExp): string[];
  stop(): Promise<void>;
}

/** The token that every login gives. */
export const apiOnlyToken = "canary-api-only-token-5512";

/** What the server holds: one of each kind. */
export const held = {
  project: "mindsdb",
  agent: "docs_agent",
  knowledgeBase: "docs",
  model: "home_rentals_model",
  answer: "A studio costs **1,200** a month.",
};

const knowledgeBase = {
  id: 7,
  name: held.knowledgeBase,
  project_id: 1,
  project_name: held.project,
  vector_database: "store_docs",
  vector_database_table: "docs",
  updated_at: "2025-08-14 09:31:22.104822",
  created_at: "2025-08-14 09:31:22.104822",
  query_id: null,
  embedding_model: { provider: "openai", model_name: "text-embedding-3-small", api_key: "******" },
  reranking_model: { provider: "openai", model_name: "gpt-4o", api_key: "******" },
  metadata_columns: ["product"],
  content_columns: ["notes"],
  id_column: "order_id",
  params: { created_embedding_model: "docs_embedding_model" },
};

const description = {
  accuracies: { r2_score: 0.98 },
  column_importances: { sqft: 0.7, number_of_rooms: 0.3 },
  inputs: ["number_of_rooms", "sqft"],
  outputs: ["rental_price"],
  model: "encoders --> dtype_transformer --> model --> formatted_output",
};

/** Starts one on a free port. Options may be changed while it runs. */
export async function startApiOnlyServer(options: ApiOnlyOptions = {}): Promise<ApiOnlyServer> {
  const requests: ApiOnlyRequest[] = [];
  const server = http.createServer((request, response) => {
    void serve(options, requests, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    address: `127.0.0.1:${port}`,
    options,
    requests,
    paths: (fits = /./) =>
      requests.map(({ method, path }) => `${method} ${path}`).filter((line) => fits.test(line)),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  options: ApiOnlyOptions,
  requests: ApiOnlyRequest[],
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString("utf8");
  const { method = "GET", url: path = "/", headers } = request;
  const { authorization } = headers;
  requests.push({ method, path, authorization, body });
  const isKnown = routes.some((route) => route.method === method && route.path.test(path));
  const isSignedIn = !options.login || authorization === `Bearer ${apiOnlyToken}`;
  const isGuarded = isKnown || options.guardsEverything === true;
  if (path !== "/api/login" && isGuarded && !isSignedIn) {
    sendJson(response, 401, { detail: "Not authenticated" });
    return;
  }
  for (const route of routes) {
    const match = route.method === method ? route.path.exec(path) : null;
    if (!match) continue;
    const [project = "", name = ""] = match.slice(1).map(decodeURIComponent);
    route.answer({ options, response, project, name, body: parse(body) });
    return;
  }
  refuse(options, response);
}

interface Call {
  options: ApiOnlyOptions;
  response: http.ServerResponse;
  project: string;
  name: string;
  body: Record<string, unknown>;
}

interface Route {
  method: string;
  path: RegExp;
  answer: (call: Call) => void;
}

const project = "/api/projects/([^/]+)";
const routes: Route[] = [
  { method: "POST", path: /^\/api\/login$/, answer: login },
  route("GET", `${project}/knowledge_bases/([^/]+)`, getKnowledgeBase),
  route("POST", `${project}/agents`, createAgent),
  route("POST", `${project}/agents/([^/]+)/completions`, complete),
  route("POST", `${project}/agents/([^/]+)/completions/stream`, completeStream),
  route("POST", `${project}/models/([^/]+)/predict`, predict),
  route("GET", `${project}/models/([^/]+)/describe`, describeModel),
];

function route(method: string, path: string, answer: Route["answer"]): Route {
  return { method, path: new RegExp(`^${path}$`), answer };
}

function login({ options, response, body }: Call): void {
  const { username, password } = body;
  const account = options.login;
  if (!account || username !== account.username || password !== account.password) {
    sendJson(response, 401, { detail: "Incorrect username or password" });
    return;
  }
  sendJson(response, 200, { [options.tokenField ?? "access_token"]: apiOnlyToken });
}

function getKnowledgeBase({ response, project, name }: Call): void {
  const isHeld = project === held.project && name === held.knowledgeBase;
  if (isHeld) sendJson(response, 200, knowledgeBase);
  else sendJson(response, 404, { detail: `No knowledge base ${name} in ${project}` });
}

function createAgent({ response, body }: Call): void {
  const agent = body["agent"] as Record<string, unknown> | undefined;
  if (typeof agent?.["name"] !== "string") {
    sendJson(response, 400, { detail: "An agent needs a name" });
    return;
  }
  const time = "2025-08-14 09:31:22.104822";
  sendJson(response, 200, { id: 3, project_id: 1, created_at: time, updated_at: time, ...agent });
}

function complete({ options, response, project, name }: Call): void {
  if (!isAgent(project, name)) {
    sendJson(response, 404, { detail: `No agent ${name} in ${project}` });
    return;
  }
  const { plain = (answer: string) => ({ message: { content: answer, role: "assistant" } }) } =
    options;
  sendJson(response, 200, plain(held.answer));
}

function completeStream(call: Call): void {
  const { options, response, project, name, body } = call;
  const { stream = "text/event-stream" } = options;
  if (typeof stream === "number") {
    refuse({ otherPaths: stream === 404 ? "json404" : "json405" }, response);
    return;
  }
  if (!isAgent(project, name) || stream === "answer") {
    complete(call);
    return;
  }
  const [question] = body["messages"] as { question: string }[];
  response.writeHead(200, { "content-type": stream });
  for (const chunk of chunksFor(question?.question ?? "")) {
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
  response.end();
}

/** The stream of the text's Events: each of its chunks once. */
function chunksFor(question: string): object[] {
  const trace_id = "trace-1";
  const action = { tool: "kb_query_tool", tool_input: "SELECT * FROM docs", log: "I look it up." };
  const observation =
    "Output columns: 'id', 'chunk_id', 'chunk_content', 'metadata', 'distance', 'relevance'\n\n" +
    "Result in CSV format (dialect is 'excel'):\n" +
    "id,chunk_id,chunk_content,metadata,distance,relevance\r\n1,1:notes:1of1,A studio costs 1200,{},0.2,0.83\r\n";
  return [
    { type: "start", prompt: question, trace_id },
    { actions: [action], messages: [{ content: action.log }], trace_id },
    { steps: [{ action, observation }], messages: [{ content: observation }], trace_id },
    { output: held.answer, messages: [{ content: held.answer }], trace_id },
    { type: "end" },
  ];
}

function isAgent(project: string, name: string): boolean {
  return project === held.project && name === held.agent;
}

function isModel(project: string, name: string): boolean {
  return project === held.project && name === held.model;
}

function predict({ options, response, project, name, body }: Call): void {
  if (!isModel(project, name)) {
    sendJson(response, 404, { detail: `No model ${name} in ${project}` });
    return;
  }
  const sent = body["data"] as Record<string, unknown>[];
  const rows = sent.map((row) => ({ ...row, rental_price: Number(row["sqft"]) * 2 }));
  const { predict = "data" } = options;
  if (predict === "object" && rows.length === 1) sendJson(response, 200, rows[0]);
  else sendJson(response, 200, predict === "list" ? rows : { data: rows });
}

function describeModel({ options, response, project, name, body }: Call): void {
  const { describe = "list" } = options;
  if (!isModel(project, name)) {
    sendJson(response, 404, { detail: `No model ${name} in ${project}` });
  } else if (body["attribute"] === undefined && describe === "named") {
    sendJson(response, 422, { detail: "attribute: field required" });
  } else if (body["attribute"] !== undefined && body["attribute"] !== "info") {
    sendJson(response, 200, [{ attribute: body["attribute"], says: "nothing more" }]);
  } else {
    sendJson(response, 200, describe === "object" ? description : [description]);
  }
}

function refuse({ otherPaths = "json404" }: ApiOnlyOptions, response: http.ServerResponse): void {
  switch (otherPaths) {
    case "json404":
      sendJson(response, 404, { detail: "Not Found" });
      break;
    case "json405":
      sendJson(response, 405, { detail: "Method Not Allowed" });
      break;
    case "json403":
      sendJson(response, 403, { message: "Forbidden" });
      break;
    case "html404":
      response.writeHead(404, { "content-type": "text/html" });
      response.end("<html><head><title>404 Not Found</title></head><body>nginx</body></html>");
      break;
  }
}

function sendJson(response: http.ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

if (process.argv[1] === import.meta.filename) {
  const server = await startApiOnlyServer(
    JSON.parse(process.argv[2] ?? "{}") as Record<string, never>,
  );
  console.log(server.url);
}
