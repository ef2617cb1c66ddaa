// The process that is a VS Code: VS Code's own server code behind a small http server of ours, on 127.0.0.1 alone.
// Started by server.ts with its options as JSON; answers {port, token} or {error} over IPC and ends when its parent does.
import crypto from "node:crypto";
import fs from "node:fs";
import type http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { createGate } from "./gate.ts";

/** What serve.ts is started with. Paths are absolute. */
export interface ServeOptions {
  /** The folder that holds `out/server-main.js`. */
  vscodeFolder: string;
  /** The Node for extension hosts. */
  node: string;
  /** User data, server data, extensions and the key that encrypts secrets. */
  dataFolder: string;
  /** 0 takes a free one. */
  port: number;
  /** The folder or `.code-workspace` file a page without one is sent to. */
  folder: string;
  /** Whether VS Code asks before it trusts a folder. */
  asksForTrust: boolean;
  extensionPath?: string;
  testsPath?: string;
  /** The id of the view that a window shows the first time it is opened. */
  firstView?: string;
}

/** The exports of VS Code's server-main.js, which has no typings. */
interface CodeServer {
  handleRequest(request: http.IncomingMessage, response: http.ServerResponse): void;
  handleUpgrade(request: http.IncomingMessage, socket: Socket): void;
  dispose(): void;
}

const options = JSON.parse(process.argv[2] ?? "") as ServeOptions;

async function loadVSCode(): Promise<CodeServer> {
  // VS Code forks its extension hosts with the executable it finds here.
  process.execPath = options.node;
  // With this set, the module exports its parts instead of starting a server.
  process.env["CODE_SERVER_PARENT_PID"] = String(process.pid);
  const main = pathToFileURL(path.join(options.vscodeFolder, "out", "server-main.js"));
  const { loadCodeWithNls } = (await import(main.href)) as {
    loadCodeWithNls: () => Promise<{
      createServer(address: null, args: Record<string, unknown>): Promise<CodeServer>;
    }>;
  };
  const vscode = await loadCodeWithNls();
  return vscode.createServer(null, {
    host: "127.0.0.1",
    port: options.port,
    compatibility: "1.64",
    "accept-server-license-terms": true,
    "without-connection-token": true,
    "disable-workspace-trust": !options.asksForTrust,
    "disable-experiments": true,
    "disable-telemetry": true,
    "disable-update-check": true,
    "telemetry-level": "off",
    "user-data-dir": path.join(options.dataFolder, "user"),
    "server-data-dir": path.join(options.dataFolder, "server"),
    "extensions-dir": path.join(options.dataFolder, "extensions"),
    _: [],
  });
}

/** The server's half of the key that encrypts SecretStorage in the page; secrets last as long as this file. */
function secretKey(): Buffer {
  const file = path.join(options.dataFolder, "secret-key");
  if (!fs.existsSync(file)) fs.writeFileSync(file, crypto.randomBytes(32), { mode: 0o600 });
  return fs.readFileSync(file);
}

/** Adds the extension under development, its tests and the first layout to the configuration that the page starts with. */
function configurePage(html: string, authority: string): string {
  const uri = (file: string) => {
    const slashes = file.replaceAll("\\", "/");
    const path = slashes.startsWith("/") ? slashes : `/${slashes}`;
    return { scheme: "vscode-remote", authority, path };
  };
  return html.replace(
    /(id="vscode-workbench-web-configuration" data-settings=")([^"]*)"/,
    (_match, start: string, escaped: string) => {
      const json = escaped.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
      const configuration = JSON.parse(json) as {
        developmentOptions?: Record<string, unknown>;
        defaultLayout?: Record<string, unknown>;
      };
      configuration.developmentOptions = {
        ...configuration.developmentOptions,
        ...(options.extensionPath && { extensions: [uri(options.extensionPath)] }),
        ...(options.testsPath && { extensionTestsPath: uri(options.testsPath) }),
      };
      if (options.firstView) configuration.defaultLayout = { views: [{ id: options.firstView }] };
      const text = JSON.stringify(configuration);
      return `${start}${text.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;
    },
  );
}

/** Lets VS Code render its page and modifies the page before it is sent. */
function answerPage(
  vscode: CodeServer,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  const writeHead = response.writeHead.bind(response);
  const end = response.end.bind(response);
  response.writeHead = ((status: number, headers: http.OutgoingHttpHeaders = {}) => {
    const others = Object.entries(headers).filter(([name]) => !/^content-length$/i.test(name));
    return writeHead(status, { ...Object.fromEntries(others), "Cache-Control": "no-store" });
  }) as typeof response.writeHead;
  response.end = ((body: string | Buffer = "") =>
    end(configurePage(body.toString(), request.headers.host ?? ""))) as typeof response.end;
  delete request.headers["accept-encoding"];
  vscode.handleRequest(request, response);
}

function answer(
  vscode: CodeServer,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  if (request.method === "POST" && request.url === "/mint-key") response.end(secretKey());
  else vscode.handleRequest(request, response);
}

/** Started with the options on a command line that other users can read, so the token is made here. */
async function serve(): Promise<{ port: number; token: string }> {
  const vscode = await loadVSCode();
  const { server, token } = createGate(options, {
    answerPage: (request, response) => answerPage(vscode, request, response),
    answer: (request, response) => answer(vscode, request, response),
    upgrade: (request, socket) => vscode.handleUpgrade(request, socket as Socket),
  });
  const stop = () => {
    vscode.dispose();
    server.closeAllConnections();
    server.close();
    // Extension hosts notice within moments; whatever does not goes with this process's group.
    setTimeout(() => {
      if (process.platform !== "win32") process.kill(-process.pid, "SIGKILL");
      process.exit(0);
    }, 300);
  };
  process.once("SIGTERM", stop);
  process.once("disconnect", stop);
  // Ctrl+C reaches the whole terminal; the parent decides when this ends.
  process.on("SIGINT", () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port, "127.0.0.1", resolve);
  });
  return { port: (server.address() as AddressInfo).port, token };
}

try {
  process.send?.(await serve());
} catch (error) {
  process.send?.({ error: (error as Error).message }, () => process.exit(1));
}
