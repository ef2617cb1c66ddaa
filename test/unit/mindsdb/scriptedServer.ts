// A client whose server answers by path, for tests of what its lists lead to.
import { Readable } from "node:stream";
import type { Client, ClientOptions } from "../../../src/mindsdb/http/client.ts";
import type { HttpRequest } from "../../../src/mindsdb/http/transport.ts";
import { clientOver } from "../../clientOver.ts";

/**
 * The server has these answers by path, one default project unless they list databases, and `missing` (500) for all other
 * paths. A function makes its answer of a statement. Requests are added to `seen`.
 */
export function clientOf(
  answers: Record<string, unknown>,
  {
    missing = 500,
    seen = [],
    ...options
  }: { missing?: number; seen?: HttpRequest[] } & ClientOptions = {},
): Client {
  const all: Record<string, unknown> = {
    "/api/databases/": [{ name: "mindsdb", type: "project", deletable: false }],
    ...answers,
  };
  const transport = {
    send: (request: HttpRequest) => {
      seen.push(request);
      let answer: unknown = all[request.path] ?? {};
      if (typeof answer === "function") {
        const { query } = JSON.parse(request.body as string) as { query: string };
        answer = (answer as (query: string) => unknown)(query);
      }
      return Promise.resolve({
        status: request.path in all ? 200 : missing,
        headers: { "content-type": "application/json" },
        body: Readable.from([Buffer.from(JSON.stringify(answer))]),
      });
    },
    close: () => Promise.resolve(),
  };
  return clientOver(transport, options);
}
