import type { Client } from "../../src/mindsdb/http/client.ts";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import { createTransport, type Transport } from "../../src/mindsdb/http/transport.ts";
import { Log } from "../../src/shared/host/log.ts";
import { clientOver } from "../clientOver.ts";
import { startFaultProxy, type FaultProxy } from "../proxy/faultProxy.ts";
import { startTestServer } from "../sampleServer/server.ts";
import { closeAllEditors, workbench } from "./workbench.ts";

/** A sample server with a client, for the tests of a block. */
interface TestServer {
  url: string;
  transport: Transport;
  client: Client;
  log: Log;
}

/** Starts a sample server for the tests of this block; what it returns is there from the first one on. */
export function useTestServer(): TestServer {
  const used = {} as TestServer;
  let stop: () => Promise<void>;
  before(async () => {
    const server = await startTestServer({ unguarded: true });
    const transport = createTransport(parseAddress(server.url));
    Object.assign(used, { url: server.url, transport, client: clientOver(transport) });
    used.log = new Log();
    stop = async () => {
      await transport.close();
      await server.stop();
    };
  });
  after(() => stop());
  return used;
}

/** A sample server behind a proxy that can fail, as a connection of the extension. */
interface TestConnection {
  id: string;
  proxy: FaultProxy;
}

/** Starts one for the tests of this block; what it returns is there from the first one on. */
export function useTestConnection(
  name: string,
  options: Parameters<typeof startTestServer>[0] = {},
): TestConnection {
  const used = {} as TestConnection;
  let stop: () => Promise<void>;
  before(async () => {
    const { connections } = await workbench();
    const server = await startTestServer({ unguarded: true, ...options });
    const proxy = await startFaultProxy({ target: server.url });
    const { id } = await connections.save({ name, address: proxy.url });
    Object.assign(used, { id, proxy });
    stop = async () => {
      await closeAllEditors();
      await connections.remove(id);
      await proxy.stop();
      await server.stop();
    };
  });
  after(() => stop());
  return used;
}
