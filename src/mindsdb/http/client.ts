// The client: JSON requests with time limits, and errors without secrets.
import * as l10n from "@vscode/l10n";
import { responseLimits, type ResponseLimits } from "./responseBody.ts";
import { contentType, readJson, readUnparsed, throwIfFailed } from "./httpResponse.ts";
import { encodePart } from "../encodePart.ts";
import { isObject } from "../json.ts";
import { AppError, isAppError, withoutSecrets } from "../errors.ts";
import type { ListingUse } from "../sql/listingUse.ts";
import type { Cost, CostConsent } from "./costConsent.ts";
import type { Observe } from "../changes/serverChange.ts";
import { changesOfFailure, changesOfSuccess } from "../changes/changesOfRequest.ts";
import { detectEventStream } from "../stream/detectEventStream.ts";
import type { Secrets } from "../redact/redact.ts";
import { asksModel, isReadRequest, statementPath } from "./readOnlyRequest.ts";
import type { Session } from "./session.ts";
import type { HttpRequest, HttpResponse, StreamedBody } from "./transport.ts";

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** ms until the answer's headers must be there; 0 is no limit. Default: 30,000. */
  timeoutMs?: number;
  /** Limits of the answer; unless given, those of an answer about one thing, and for `postBytes` those of rows. */
  limits?: ResponseLimits;
  /** Do not report what the request may have changed: the caller does, once for many requests. */
  isQuiet?: boolean;
  /** The list `data` of the answer, an object, is handed over unparsed, as RowText. */
  hasRowText?: boolean;
  /** Who agreed to what the request may cost. Absent: it is refused if it may cost money. */
  cost?: Cost | undefined;
}

/** The answer of a streaming endpoint: a stream of events, or one body from a server that does not stream. */
type StreamReply = { events: AsyncIterable<Uint8Array> } | { whole: string };

/**
 * A path with its parts percent-encoded: apiPath`/api/projects/${project}/agents`. Slashes at the end are written as
 * the server wants them: list roots with one, everything below without (seen on 26.1.0 and 25.14.1). Throws AppError
 * "refused" for an empty name, with which the path would be another one.
 */
export function apiPath(parts: TemplateStringsArray, ...names: string[]): string {
  if (names.includes("")) {
    throw new AppError("refused", l10n.t("MindsDB can't find items whose name is empty."));
  }
  return parts.reduce((path, part, index) => path + encodePart(names[index - 1] ?? "") + part);
}

export interface ClientOptions {
  /** Receives what requests show about the server. */
  observe?: Observe | undefined;
  /** Whether everything but reads is refused before it is sent; asked for each request. */
  isReadOnly?: (() => boolean) | undefined;
  /** Whether a statement may cost money; without it each may. `consent` is that of the run. */
  mayCost?: Judge<boolean> | undefined;
  /** How a statement uses the server's listings; without it each may take secrets out of them. */
  findListingUse?: Judge<ListingUse> | undefined;
  /** Learns the secrets in the server's lists. Never rejects. */
  learnSecrets?: ((client: Client) => Promise<void>) | undefined;
}

/** Judges a statement, which may need lists of the server. */
type Judge<Judgment> = (
  client: Client,
  sql: string,
  options: {
    signal: AbortSignal | undefined;
    consent: CostConsent | undefined;
    database?: string | undefined;
  },
) => Promise<Judgment>;

export class Client {
  readonly secrets: Secrets;
  /** Receives what requests show about the server. */
  readonly observe: Observe;
  readonly #session: Session;
  readonly #isReadOnly: () => boolean;
  readonly #mayCost: Judge<boolean>;
  readonly #findListingUse: Judge<ListingUse>;
  readonly #learnSecrets: (client: Client) => Promise<void>;

  constructor(session: Session, secrets: Secrets, options: ClientOptions = {}) {
    this.#session = session;
    this.secrets = secrets;
    this.observe = options.observe ?? (() => undefined);
    this.#isReadOnly = options.isReadOnly ?? (() => false);
    this.#mayCost = options.mayCost ?? (() => Promise.resolve(true));
    this.#findListingUse = options.findListingUse ?? (() => Promise.resolve("derived"));
    this.#learnSecrets = options.learnSecrets ?? (() => Promise.resolve());
  }

  /** Throws AppError "readOnly" if changes are refused: for operations that read something first. */
  checkWritable(): void {
    if (!this.#isReadOnly()) return;
    throw readOnlyError();
  }

  /** How a statement uses the server's listings, through views too. `cost` is that of its run. */
  findListingUse(
    sql: string,
    { signal, cost, database }: CallOptions & { database?: string | undefined } = {},
  ): Promise<ListingUse> {
    return this.#findListingUse(this, sql, { signal, consent: consentOf(cost), database });
  }

  /** Resolves when the secrets in the server's lists are known as far as they can be. Never rejects. */
  learnSecrets(): Promise<void> {
    return this.#learnSecrets(this);
  }

  /**
   * GETs JSON. Without `limits`, the answer is about one thing: a list passes its own. A body is sent for endpoints that
   * read one (describe).
   */
  get(path: string, options: CallOptions & { body?: unknown } = {}): Promise<unknown> {
    return this.#call("GET", path, options.body, options);
  }

  post(path: string, body: unknown, options: CallOptions = {}): Promise<unknown> {
    return this.#call("POST", path, body, options);
  }

  /** POSTs JSON bytes and returns the unparsed bytes of the answer, so that rows keep their exact form. */
  postBytes(path: string, body: Uint8Array, options: CallOptions = {}): Promise<Buffer> {
    return this.#run("POST", path, body, options, async () => {
      const request = jsonRequest("POST", path, undefined, options);
      request.headers = { ...request.headers, "content-type": "application/json" };
      const response = await this.#session.send({ ...request, body });
      return readUnparsed(response, options.limits ?? responseLimits.rows);
    });
  }

  /** POSTs, and hands a successful answer to `read`, which is a part of the call: its errors are redacted. */
  postAndRead<T>(
    path: string,
    body: unknown,
    read: (response: HttpResponse) => Promise<T>,
    options: CallOptions = {},
  ): Promise<T> {
    return this.#run("POST", path, body, options, async () => {
      const response = await this.#session.send(jsonRequest("POST", path, body, options));
      await throwIfFailed(response);
      return read(response);
    });
  }

  put(path: string, body: unknown, options: CallOptions = {}): Promise<unknown> {
    return this.#call("PUT", path, body, options);
  }

  /** PUTs a body that is not JSON. Its length is not limited, and neither is the time that it takes. */
  putStream(
    path: string,
    type: string,
    body: StreamedBody,
    options: CallOptions = {},
  ): Promise<unknown> {
    const headers = { accept: "application/json", "content-type": type };
    const { signal } = options;
    return this.#run("PUT", path, undefined, {}, async () =>
      readJson(
        await this.#session.send({ method: "PUT", path, headers, body, signal, timeoutMs: 0 }),
        responseLimits.small,
      ),
    );
  }

  delete(path: string): Promise<unknown> {
    return this.#call("DELETE", path, undefined, {});
  }

  /**
   * POSTs and hands the body over as it comes, once it is known to be an event stream, or whole if it is something else
   * that answers. Errors and web pages are AppErrors.
   */
  async stream(
    path: string,
    body: unknown,
    options: Pick<CallOptions, "signal" | "cost"> = {},
  ): Promise<StreamReply> {
    return this.#run("POST", path, body, options, async () => {
      void this.learnSecrets();
      const request = jsonRequest("POST", path, body, { ...options, timeoutMs: 0 });
      request.headers = { ...request.headers, accept: "text/event-stream" };
      const response = await this.#session.send(request);
      if (response.status !== 200) {
        return { whole: await readText(response) };
      }
      if (contentType(response).startsWith("text/event-stream")) return { events: response.body };
      // The published API names no media type for its stream.
      const { hasEvents, body: events } = await detectEventStream(response.body);
      return hasEvents ? { events } : { whole: await readText({ ...response, body: events }) };
    });
  }

  #call(
    method: HttpRequest["method"],
    path: string,
    body: unknown,
    options: CallOptions,
  ): Promise<unknown> {
    const call = async (): Promise<unknown> =>
      readJson(
        await this.#send(jsonRequest(method, path, body, options)),
        options.limits ?? responseLimits.small,
        options,
      );
    return this.#run(method, path, body, options, call);
  }

  /** Sends a request. Retries a GET once if the server closed the idle connection at that moment. */
  async #send(request: HttpRequest): Promise<HttpResponse> {
    try {
      return await this.#session.send(request);
    } catch (error) {
      const mayRepeat = request.method === "GET" && isAppError(error, "cutOff");
      if (!mayRepeat) throw error;
      return this.#session.send(request);
    }
  }

  /** Throws AppError "mayCost" if a POST may cost money and the user has not agreed to it. */
  async #checkCost(
    path: string,
    body: unknown,
    signal: AbortSignal | undefined,
    consent: CostConsent | undefined,
  ): Promise<void> {
    const { sql, database } = path === statementPath ? readStatement(body) : {};
    if (sql === undefined && path !== statementPath && !asksModel(path)) return;
    // After the user has agreed, the cost is not checked again, which would take more requests for each page of rows.
    const isFree =
      sql !== undefined &&
      !consent?.isAsked &&
      !(await this.#mayCost(this, sql, { signal, consent, database }));
    if (isFree || (await consent?.allows())) return;
    throw new AppError("mayCost", l10n.t("This may cost money, so nothing was sent."));
  }

  /** Runs a request if it may be sent, reports observations, and removes secrets from errors. */
  async #run<T>(
    method: HttpRequest["method"],
    path: string,
    body: unknown,
    { isQuiet = false, signal, cost }: CallOptions,
    request: () => Promise<T>,
  ): Promise<T> {
    if (this.#isReadOnly() && !isReadRequest(method, path, body)) this.checkWritable();
    if (method === "POST" && typeof cost !== "string") {
      await this.#checkCost(path, body, signal, cost);
    }
    try {
      const answer = await request();
      for (const observation of changesOfSuccess(method, path)) {
        if (!isQuiet || observation.kind !== "changed") this.observe(observation);
      }
      return answer;
    } catch (error) {
      for (const observation of changesOfFailure(path, error)) this.observe(observation);
      const explained = isUnreachableName(error, path) ? unreachableNameError(error) : error;
      throw withoutSecrets(explained, this.secrets);
    }
  }
}

function consentOf(cost: Cost | undefined): CostConsent | undefined {
  return typeof cost === "string" ? undefined : cost;
}

/** The statement in a body, and the project or data source of its names without one. */
function readStatement(body: unknown): { sql?: string; database?: string } {
  const { query, context } = isObject(body) ? body : {};
  if (typeof query !== "string") return {};
  const db = isObject(context) ? context["db"] : undefined;
  return { sql: query, ...(typeof db === "string" && { database: db }) };
}

function jsonRequest(
  method: HttpRequest["method"],
  path: string,
  body: unknown,
  options: CallOptions,
): HttpRequest {
  const common = {
    method,
    path,
    signal: options.signal,
    timeoutMs: options.timeoutMs,
  };
  if (body === undefined) return { ...common, headers: { accept: "application/json" } };
  return {
    ...common,
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

async function readText(response: HttpResponse): Promise<string> {
  return (await readUnparsed(response, responseLimits.listing)).toString("utf8");
}

/** MindsDB decodes %2F and line breaks in paths, so such names cannot be addressed (seen on 26.1.0 and 25.14.1). */
function isUnreachableName(error: unknown, path: string): error is AppError {
  if (!(error instanceof AppError) || !/%2F|%0[AD]/i.test(path)) return false;
  return error.status === 404 || error.status === 405;
}

function unreachableNameError({ status, detail }: AppError): AppError {
  const message = l10n.t(
    "MindsDB's HTTP API can't find items with a slash or a line break in the name. Use SQL instead.",
  );
  return new AppError("refused", message, { status, detail });
}

/** The error of a change that a read-only connection does not send. */
export function readOnlyError(): AppError {
  return new AppError("readOnly", l10n.t("This connection is read-only. Nothing was sent."));
}
