// A session with one server: sends the credential with every request, and renews it after a 401.
import { abortable } from "./abortable.ts";
import { readError } from "./httpResponse.ts";
import type { HttpRequest, HttpResponse, Transport } from "./transport.ts";

/** A bearer token, or the cookie of a server in session mode. */
export type Credential = { token: string } | { cookie: string };

/** Gives a session its credentials. */
export interface CredentialKeeper {
  /** The current credential; undefined if the user is not signed in. */
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
    if (refusal.kind !== "signInNeeded" || refusal.isFromGateway) throw refusal;

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
    // Another request may already have renewed the credential.
    const now = await this.#keeper.current();
    if (now && !same(now, rejected)) return now;
    this.#renewal ??= this.#keeper.renew(rejected).finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }
}

function same(a: Credential, b: Credential | undefined): boolean {
  return b !== undefined && JSON.stringify(a) === JSON.stringify(b);
}
