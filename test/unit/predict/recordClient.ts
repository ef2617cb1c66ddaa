import type { ServerAccess } from "../../../src/shared/connection.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { startSampleServer } from "../../../src/sample/server/server.ts";
import { clientOver } from "../../clientOver.ts";

/** What a test file has of its sample server. */
interface RecordedServer {
  /** The paths of the requests that the test has sent. */
  asked: string[];
  /** Access to the server with a client whose requests are recorded. */
  servers: ServerAccess;
}

/** Starts a sample server for the tests of this block. Each test has a client of its own. */
export function useRecordedServer(): RecordedServer {
  let server: Awaited<ReturnType<typeof startSampleServer>>;
  const recorded = {} as RecordedServer;
  before("start a server", async () => {
    server = await startSampleServer({});
  });
  beforeEach("record a client", () => {
    const { client, asked } = recordClient(server.url);
    const servers = { client: () => Promise.resolve(client) } as never;
    Object.assign(recorded, { asked, servers });
  });
  after("stop the server", () => server.stop());
  return recorded;
}

/** A client of a server, and the paths of the requests that it has sent. */
function recordClient(url: string): { client: Client; asked: string[] } {
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
