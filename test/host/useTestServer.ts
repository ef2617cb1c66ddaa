import * as vscode from "vscode";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import { createTransport, type Transport } from "../../src/mindsdb/http/transport.ts";
import type { PlannedChange, ServerAccess } from "../../src/shared/connection.ts";
import { Log } from "../../src/shared/host/log.ts";
import { clientOver } from "../clientOver.ts";
import { startFaultProxy, type FaultProxy } from "../proxy/faultProxy.ts";
import { startTestServer } from "../sampleServer/server.ts";
import { askingServers } from "./askingServers.ts";
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
  const used = { log: new Log() } as TestServer;
  let stop: () => Promise<void>;
  before(async () => {
    const server = await startTestServer({ unguarded: true });
    const transport = createTransport(parseAddress(server.url));
    Object.assign(used, { url: server.url, transport, client: clientOver(transport) });
    stop = async () => {
      await transport.close();
      await server.stop();
    };
  });
  after(() => stop());
  return used;
}

/** A sample server and what forms and pages need of the extension: connections that all lead to it. */
interface AskingServer extends TestServer {
  /** The client of the connections: that of the server, unless a test has another one. */
  over: Client;
  /** What the user answers when asked: yes, unless a test says otherwise. */
  answer: boolean;
  /** What was asked in this test before a change. */
  asked: PlannedChange[];
  servers: ServerAccess;
  /** The options of the page of an item. */
  pageOptions: {
    extensionUri: vscode.Uri;
    servers: ServerAccess;
    changes: { onDidChangeServer: () => vscode.Disposable };
    log: Log;
  };
}

/** Starts one for the tests of this block. Its client is there from the first one on. */
export function useAskingServer(): AskingServer {
  const used = useTestServer() as AskingServer;
  const asked: PlannedChange[] = [];
  const servers = askingServers(
    () => used.over,
    asked,
    () => used.answer,
  );
  const changes = { onDidChangeServer: () => new vscode.Disposable(() => undefined) };
  const extensionUri = vscode.Uri.file("/");
  const pageOptions = { extensionUri, servers, changes, log: used.log };
  beforeEach(() => {
    asked.length = 0;
    Object.assign(used, { answer: true, over: used.client });
  });
  return Object.assign(used, { asked, servers, pageOptions });
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
