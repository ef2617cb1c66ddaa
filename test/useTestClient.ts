// A sample server and the product's client on it, for the tests of a block.
import type { Client, ClientOptions } from "../src/mindsdb/http/client.ts";
import { parseAddress } from "../src/mindsdb/http/serverAddress.ts";
import { createTransport, type Transport } from "../src/mindsdb/http/transport.ts";
import type { SampleServer } from "../src/sample/server/server.ts";
import { clientOver } from "./clientOver.ts";
import { startTestServer } from "./sampleServer/server.ts";

/** A server and a client; both are set before the first test of the block. */
interface TestClient {
  server: SampleServer;
  client: Client;
}

/** Starts a server before the tests of this block, and stops it after them. */
export function useTestClient(
  start: () => Promise<SampleServer> = startTestServer,
  options: ClientOptions = {},
): TestClient {
  const sample = {} as TestClient;
  let transport: Transport | undefined;
  before("start the server", async () => {
    sample.server = await start();
    transport = createTransport(parseAddress(sample.server.url));
    sample.client = clientOver(transport, options);
  });
  after("stop the server", async () => {
    await transport?.close();
    await sample.server.stop();
  });
  return sample;
}
