import type { Client } from "../../../src/mindsdb/http/client.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { clientOver } from "../../clientOver.ts";

/** A client of a server, and the paths of the requests that it has sent. */
export function recordClient(url: string): { client: Client; asked: string[] } {
  const asked: string[] = [];
  const transport = createTransport(parseAddress(url));
  const client = clientOver({
    ...transport,
    send: (request) => {
      asked.push(request.path);
      return transport.send(request);
    },
  });
  return { client, asked };
}
