// Starts and stops a real MindsDB on loopback.
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { installMindsDB, sitePackages, type Version } from "./install.ts";
import { logTail, startGroup, type ProcessGroup } from "./processes.ts";

const START_LIMIT_MS = 300_000;
/** A server with an open stream does not exit by itself, so a long wait is useless. */
const STOP_GRACE_MS = 3_000;

/** How a server wants its users to sign in; the made-up user is the only one. */
export interface Auth {
  mode: "token" | "session" | "session_or_token";
  username: string;
  password: string;
}

export interface ServerOptions {
  version: Version;
  /** If missing, the server requires no sign-in. */
  auth?: Auth;
  /** A storage folder that is kept. Default: a temporary folder that is deleted at stop. */
  storage?: string;
  port?: number;
  /** Whether jobs and queries run in the background: elsewhere they would disturb what a test measures. */
  background?: boolean;
  /** The Python that runs it, whose pip may use the network. Default: the installed one, without a network. */
  python?: string;
}

/** A running server. */
export interface RealServer {
  readonly version: Version;
  /** `http://127.0.0.1:PORT`, also after a restart. */
  readonly url: string;
  readonly auth: Auth | undefined;
  /** The end of what the server has printed. */
  log(): string;
  /**
   * Ends the server and starts it again with what it has stored: tokens and cookies are not. `kill` lets it finish nothing;
   * `whileDown` runs in between.
   */
  restart(options?: { kill?: boolean; whileDown?: () => Promise<void> }): Promise<void>;
  /** Ends the server and all its processes. */
  stop(): Promise<void>;
}

/** Installs the version if need be, starts it and waits until it answers. */
export async function startMindsDB(options: ServerOptions): Promise<RealServer> {
  const { version, auth, background = false } = options;
  const python = options.python ?? (await installMindsDB(version));
  const network = options.python === undefined ? noNetwork : pipSettings();
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const storage = options.storage ?? fs.mkdtempSync(path.join(os.tmpdir(), `mindsdb-${version}-`));
  const log = path.join(storage, "server.log");
  const config = path.join(storage, "config.json");
  fs.mkdirSync(path.join(storage, "tmp"), { recursive: true });
  fs.writeFileSync(
    config,
    JSON.stringify(serverConfig(storage, port, auth, background), undefined, 2),
  );

  const start = async (): Promise<ProcessGroup> => {
    const args = ["-m", "mindsdb", "--api", "http", "--no_studio", "--config", config];
    const env = { ...serverEnvironment(python, storage), ...network };
    const group = startGroup(python, args, { cwd: storage, env, log });
    try {
      await untilReady(`${url}/api/util/ping`, group);
    } catch (error) {
      await group.stop(0);
      throw new Error(`MindsDB ${version} did not start\n${logTail(log)}`, { cause: error });
    }
    return group;
  };
  let running = await start();
  return {
    version,
    url,
    auth,
    log: () => logTail(log, 100),
    async restart({ kill = false, whileDown } = {}) {
      await running.stop(kill ? 0 : STOP_GRACE_MS);
      try {
        await whileDown?.();
      } finally {
        running = await start();
      }
    },
    async stop() {
      // What a server would still save before it ends matters only where its storage is kept.
      await running.stop(options.storage ? STOP_GRACE_MS : 0);
      if (!options.storage) fs.rmSync(storage, { recursive: true, force: true });
    },
  };
}

function serverConfig(
  storage: string,
  port: number,
  auth: Auth | undefined,
  background: boolean,
): unknown {
  return {
    paths: { root: storage },
    api: { http: { host: "127.0.0.1", port: String(port) } },
    gui: { open_on_start: false, autoupdate: false },
    // In seconds; the server adds up to ten.
    jobs: { disable: !background, check_interval: 2 },
    tasks: { disable: !background },
    auth: auth
      ? {
          http_auth_enabled: true,
          http_auth_type: auth.mode,
          username: auth.username,
          password: auth.password,
        }
      : { http_auth_enabled: false },
  };
}

/** Nothing listens there, so that requests to the internet fail immediately. */
const noNetwork = {
  HTTP_PROXY: "http://127.0.0.1:1",
  HTTPS_PROXY: "http://127.0.0.1:1",
  NO_PROXY: "127.0.0.1",
};

/** What this machine says of the way to its package index. */
function pipSettings(): NodeJS.ProcessEnv {
  const isSetting = ([name]: [string, unknown]) => /^(pip_|https?_proxy$|no_proxy$)/i.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(isSetting));
}

/** Little of this process's environment, and nothing of its home. */
function serverEnvironment(python: string, storage: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env["PATH"],
    LANG: "C.UTF-8",
    HOME: storage,
    TMPDIR: path.join(storage, "tmp"),
    MINDSDB_STORAGE_DIR: storage,
    MINDSDB_NO_STUDIO: "1",
    MINDSDB_GUI_AUTOUPDATE: "false",
    ANONYMIZED_TELEMETRY: "False",
    HF_HUB_OFFLINE: "1",
    LITELLM_LOCAL_MODEL_COST_MAP: "True",
    // The tokenizer's table, which 25.14.1 would else fetch from the internet at every question.
    TIKTOKEN_CACHE_DIR: path.join(
      sitePackages(python),
      "litellm",
      "litellm_core_utils",
      "tokenizers",
    ),
  };
}

/** Resolves when this address answers; rejects if the process has ended or takes too long. */
export async function untilReady(url: string, group: ProcessGroup): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  let ended = false;
  void group.exited.then(() => (ended = true));
  while (!(await answers(url))) {
    if (ended) throw new Error("it ended");
    if (Date.now() > deadline) throw new Error(`no answer within ${START_LIMIT_MS / 1000} s`);
    await sleep(100);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
