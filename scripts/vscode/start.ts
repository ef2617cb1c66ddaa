// `npm start`: opens a VS Code with this extension on a sample workspace, connected to the sample server, until Ctrl+C.
// npm start -- [--server URL] [--fresh] [--browser] [--version 1.103] [--port N]
//   --server   a MindsDB server instead of the sample server
//   --fresh    reset the sample server, which otherwise keeps what was made on it
//   --browser  VS Code in the browser, also where a desktop VS Code is installed
//   --version  which VS Code runs in the browser
//   --port     where the browser finds it; kept for the next time
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { startSampleServer, type SampleServer } from "../../src/sample/server/server.ts";
import { readSecret } from "../../src/sample/sharedServer/secret.ts";
import { openStorageFolder } from "../../src/shared/node/privateFiles.ts";
import { buildExtension, root } from "./build.ts";
import { findDesktop, openDesktop } from "./desktop.ts";
import { firstFree, isFree } from "./ports.ts";
import { startVSCode } from "./server.ts";
import type { Settings } from "./settings.ts";
import { parseVersion } from "./versions.ts";

/** Workspaces, VS Code's data and ports: the same at every start, since secrets and state belong to an address. */
const folder = path.join(root, "out", "start");
/** Holds the secret that the sample server and VS Code share, and what was made on the sample server. */
const sampleFolder = path.join(folder, "sampleServer");
const changesFile = path.join(sampleFolder, "changes.json");
const portsFile = path.join(folder, "ports.json");

const extensionEnvironment = { MINDSDB_WORKBENCH_SAMPLE_SERVER: sampleFolder };

interface Ports {
  vscode?: number;
  sample?: number;
}

const { values: options } = parseArgs({
  options: {
    server: { type: "string" },
    fresh: { type: "boolean", default: false },
    browser: { type: "boolean", default: false },
    version: { type: "string" },
    port: { type: "string" },
  },
});

/** The workspace to open. With the user's own server it must not refer to the sample server's data. */
const template = options.server ? "serverWorkspace" : "workspace";
const workspace = path.join(folder, template);

function prepareFolder(): Ports {
  openStorageFolder(folder);
  if (!fs.existsSync(workspace)) {
    fs.cpSync(path.join(import.meta.dirname, template), workspace, { recursive: true });
  }
  return fs.existsSync(portsFile) ? (JSON.parse(fs.readFileSync(portsFile, "utf8")) as Ports) : {};
}

function rememberPorts(ports: Ports): void {
  fs.writeFileSync(portsFile, JSON.stringify(ports));
}

/** Keeps VS Code's port across starts, because the user's state and secrets belong to the origin. */
async function choosePort(ports: Ports): Promise<number> {
  const port = options.port ? Number(options.port) : ports.vscode;
  if (port === undefined) return firstFree(8120);
  if (await isFree(port)) return port;
  throw new Error(
    `Port ${String(port)} is taken. If npm start is not running here already, choose another: npm start -- --port N`,
  );
}

async function startSample(ports: Ports): Promise<SampleServer> {
  const secret = await readSecret(sampleFolder);
  const port = await firstFree(ports.sample ?? 47400);
  if (options.fresh) fs.rmSync(changesFile, { force: true });
  const isChanged = fs.existsSync(changesFile);
  const sample = await startSampleServer({
    port,
    control: { secret },
    changesFile,
    onStorageProblem: ({ error, keptAs = "nowhere" }) => {
      console.error(
        `The sample server was reset: ${String(error)}. Its changes are kept in ${keptAs}.`,
      );
    },
  });
  ports.sample = sample.port;
  console.log(
    `Sample server at ${sample.url}` +
      (isChanged ? ", with the changes from earlier starts (npm start -- --fresh resets it)" : ""),
  );
  return sample;
}

/** The setting that presets the one connection. */
function presetConnection(address: string, isSample: boolean): Settings {
  const connection = isSample
    ? { id: "sample", name: "Sample Server", address }
    : { id: "server", name: new URL(address).host, address };
  return { "mindsdbWorkbench.connections": [connection] };
}

async function runInDesktop(
  code: string,
  preset: Settings,
  stopping: Promise<void>,
): Promise<void> {
  console.log(`Opening the desktop VS Code (${code}). Closing its window or Ctrl+C ends this.`);
  const window = openDesktop(code, {
    extensionPath: root,
    folder: workspace,
    dataFolder: path.join(folder, "desktop"),
    settings: preset,
    env: extensionEnvironment,
  });
  await Promise.race([stopping, window.ended]);
  window.stop();
}

async function runInBrowser(
  port: number,
  preset: Settings,
  stopping: Promise<void>,
): Promise<void> {
  const vscode = await startVSCode({
    version: parseVersion(options.version),
    extensionPath: root,
    folder: workspace,
    dataFolder: path.join(folder, "browser"),
    port,
    // The sample workspace is ours. With a server of their own, users may open folders of their own.
    asksForTrust: options.server !== undefined,
    machineSettings: preset,
    env: extensionEnvironment,
    firstView: "mindsdbWorkbench.explorer",
    settings: { "workbench.startupEditor": "readme" },
  });
  console.log(`\nOpen ${vscode.urlWithToken} in a browser. Ctrl+C ends it.\n`);
  const crashed = vscode.ended.then(() => "crashed" as const);
  const outcome = await Promise.race([stopping, crashed]);
  await vscode.stop();
  if (outcome === "crashed") throw new Error("VS Code ended by itself");
}

/** Resolves at the first Ctrl+C or SIGTERM; the ones that follow (a terminal sends more than one) change nothing. */
function askedToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
      process.on(signal, () => {
        resolve();
      });
    }
  });
}

async function start(): Promise<void> {
  const stopping = askedToStop();
  const ports = prepareFolder();
  const desktop = options.browser ? undefined : findDesktop();
  if (!desktop) ports.vscode = await choosePort(ports);
  buildExtension();
  const sample = options.server ? undefined : await startSample(ports);
  rememberPorts(ports);
  const preset = presetConnection(options.server ?? sample?.url ?? "", sample !== undefined);
  try {
    if (desktop) await runInDesktop(desktop, preset, stopping);
    else await runInBrowser(ports.vscode ?? 0, preset, stopping);
  } finally {
    await sample?.stop();
  }
}

try {
  await start();
  process.exit(0);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
