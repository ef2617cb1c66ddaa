// A session with one server: every request carries its credential, and a 401 renews it once for all that met it.
import { abortable } from "./abortable.ts";
import { readError } from "./httpResponse.ts";
import type { HttpRequest, HttpResponse, Transport } from "./transport.ts";

/** What proves who we are: a bearer token, or the cookie of a server that gives none (session mode). */
export type Credential = { token: string } | { cookie: string };

/** What a session asks of whoever keeps the secrets. */
export interface CredentialKeeper {
  /** The credential known now, or undefined: nobody signed in, or the server wants none. */
  current(): Promise<Credential | undefined>;
  /**
   * The server does not know `rejected` any more (every restart voids tokens). Resolves with a new credential, or
   * undefined when that needs the user. Called once at a time.
   */
  renew(rejected: Credential | undefined): Promise<Credential | undefined>;
}

/** The headers that carry a credential. The scheme word is case-sensitive on real servers. */
export function credentialHeaders(credential: Credential | undefined): Record<string, string> {
  if (!credential) return {};
  return "token" in credential
    ? { authorization: `Bearer ${credential.token}` }
    : { cookie: credential.cookie };
}

export class Session {
  readonly #transport: Transport;
  readonly #keeper: CredentialKeeper;
  #renewal: Promise<Credential | undefined> | undefined;

  constructor(transport: Transport, keeper: CredentialKeeper) {
    this.#transport = transport;
    this.#keeper = keeper;
  }

  /**
   * Sends with the credential. A 401 renews it, once for all requests that met it, and sends this one again; if
   * that is not possible it rejects with AppError "signInNeeded". Other statuses are the caller's to read. The
   * request's signal also ends waiting for the credential: a locked keyring may never give it.
   */
  async send(request: HttpRequest): Promise<HttpResponse> {
    const { signal } = request;
    const credential = await abortable(this.#keeper.current(), signal);
    const response = await this.#sendWith(request, credential);
    if (response.status !== 401) return response;
    const refusal = await readError(response);
    if (refusal.kind !== "signInNeeded") throw refusal;

    const renewed = await abortable(this.#renew(credential), signal);
    if (!renewed) throw refusal;
    const second = await this.#sendWith(request, renewed);
    if (second.status === 401) throw await readError(second);
    return second;
  }

  #sendWith(request: HttpRequest, credential: Credential | undefined): Promise<HttpResponse> {
    const headers = { ...request.headers, ...credentialHeaders(credential) };
    return this.#transport.send({ ...request, headers });
  }

  async #renew(rejected: Credential | undefined): Promise<Credential | undefined> {
    // Somebody else may have renewed while this request was on its way.
    const now = await this.#keeper.current();
    if (now && !same(now, rejected)) return now;
    this.#renewal ??= this.#keeper.renew(rejected).finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }
}

function same(a: Credential, b: Credential | undefined): boolean {
  return b !== undefined && JSON.stringify(a) === JSON.stringify(b);
}
