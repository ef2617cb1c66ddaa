// The login of a web server in front of MindsDB: HTTP Basic (RFC 7617), which MindsDB's maintainers advise for servers
// without users of their own.
import { abortable } from "./abortable.ts";
import type { HttpRequest, HttpResponse, Transport } from "./transport.ts";

export interface BasicLogin {
  username: string;
  password: string;
}

/** Whether a response asks for a login by HTTP Basic. MindsDB itself never does (seen on 26.1.0 and 25.14.1). */
export function asksForBasic({
  status,
  headers,
}: Pick<HttpResponse, "status" | "headers">): boolean {
  const challenges = [headers["www-authenticate"] ?? []].flat();
  return status === 401 && challenges.some((challenge) => /(^|,)\s*basic\b/i.test(challenge));
}

/**
 * A transport that answers a gateway that asks for a login, and from then on sends it with each request. Servers that do
 * not ask never get it. A request with an Authorization of its own keeps it: there can be only one.
 */
export function withGatewayLogin(
  transport: Transport,
  current: () => Promise<Partial<BasicLogin> | undefined>,
): Transport {
  let isAsked = false;
  let isUsed = false;
  const sendWithLogin = async (request: HttpRequest): Promise<HttpResponse | undefined> => {
    const login = await abortable(current(), request.signal);
    isUsed = login?.password !== undefined;
    if (!isUsed) return undefined;
    const pair = `${login?.username ?? ""}:${login?.password ?? ""}`;
    const authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
    return transport.send({ ...request, headers: { ...request.headers, authorization } });
  };
  return {
    async send(request) {
      const isFree = request.headers?.["authorization"] === undefined;
      const withLogin = isAsked && isFree ? await sendWithLogin(request) : undefined;
      if (withLogin) return withLogin;
      const response = await transport.send(request);
      if (!isFree || !asksForBasic(response)) return response;
      isAsked = true;
      const second = await sendWithLogin(request);
      // Closes the socket of an answer that nobody reads.
      if (second) await response.body[Symbol.asyncIterator]().return?.();
      return second ?? response;
    },
    close: () => transport.close(),
    usesBasic: () => isUsed,
  };
}
