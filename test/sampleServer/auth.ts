// Logins of the sample server. Tokens and session cookies are kept in memory only.
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { json, problem } from "../../src/sample/server/replies.ts";
import type { Reply } from "../../src/sample/server/replies.ts";

/** What a login returns: a token, a session cookie, or both. */
export type LoginMode = "token" | "session" | "session_or_token";

/** The only user who can sign in. */
export interface Login {
  username: string;
  password: string;
  mode?: LoginMode;
}

const protectedPaths =
  /^\/api\/(projects|databases|tree|sql|config|files|handlers|tabs|util\/readiness)/;

/** Issues and checks the tokens and cookies of one server run. Without a login, no request needs credentials. */
export class Auth {
  readonly #login: Login | undefined;
  readonly #mode: LoginMode;
  readonly #fixedToken: string | undefined;
  readonly #tokens = new Set<string>();
  readonly #sessions = new Set<string>();

  constructor(login: Login | undefined, fixedToken: string | undefined) {
    this.#login = login;
    this.#mode = login?.mode ?? "session_or_token";
    this.#fixedToken = fixedToken;
    if (fixedToken !== undefined) this.#tokens.add(fixedToken);
  }

  /** Whether requests need credentials. */
  get isEnabled(): boolean {
    return this.#login !== undefined;
  }

  /** The `auth` part of `GET /api/status`. */
  status(request: IncomingMessage): object {
    if (!this.#login) return { confirmed: true, http_auth_enabled: false, provider: "disabled" };
    return {
      confirmed: this.#hasValidCredentials(request),
      http_auth_enabled: true,
      provider: "local",
    };
  }

  /** Throws 401 if a protected path is requested without valid credentials, even if the path does not exist. */
  check(request: IncomingMessage, path: string): void {
    if (this.#login && protectedPaths.test(path) && !this.#hasValidCredentials(request)) {
      throw problem(401, "Unauthorized", "Authorization is required to complete the request");
    }
  }

  /** `POST /api/login`. Without a configured login every attempt fails, since real servers then have an empty password. */
  signIn(body: unknown): Reply {
    const { username, password } = (body ?? {}) as Record<string, unknown>;
    if (!isNonEmptyText(username) || !isNonEmptyText(password)) {
      const detail = "Username and password should be string";
      throw problem(400, "Error in username or password", detail);
    }
    if (username !== this.#login?.username || password !== this.#login.password) {
      throw problem(401, "Forbidden", "Invalid username or password");
    }
    const headers: Record<string, string> = {};
    if (this.#mode !== "token") {
      const session = randomBytes(24).toString("base64url");
      this.#sessions.add(session);
      const expires = new Date(Date.now() + 31 * 24 * 3_600_000).toUTCString();
      headers["set-cookie"] = `session=${session}; Expires=${expires}; HttpOnly; Path=/`;
    }
    if (this.#mode === "session") return { ...json({}), headers };
    const token = this.#fixedToken ?? `pat_${randomBytes(32).toString("base64url")}`;
    this.#tokens.add(token);
    return { ...json({ token }), headers };
  }

  /** `POST /api/logout`: revokes the token of the request. Cookies stay valid, as on real servers. */
  signOut(request: IncomingMessage): Reply {
    this.#tokens.delete(readBearerToken(request) ?? "");
    const cookie = "session=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; HttpOnly; Path=/";
    return { ...json(""), headers: { "set-cookie": cookie } };
  }

  #hasValidCredentials(request: IncomingMessage): boolean {
    const byToken = this.#tokens.has(readBearerToken(request) ?? "");
    const bySession = this.#sessions.has(readSessionCookie(request) ?? "");
    if (this.#mode === "token") return byToken;
    return this.#mode === "session" ? bySession : byToken || bySession;
  }
}

function isNonEmptyText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** The token of an `Authorization: Bearer …` header; the scheme word is case-sensitive. */
function readBearerToken(request: IncomingMessage): string | undefined {
  const header = request.headers.authorization;
  return header?.startsWith("Bearer ") ? header.slice("Bearer ".length).trim() : undefined;
}

function readSessionCookie(request: IncomingMessage): string | undefined {
  return /(?:^|;\s*)session=([^;]+)/.exec(request.headers.cookie ?? "")?.[1];
}
