// Starts and stops a real Arize Phoenix, a collector of traces, on loopback.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { installPhoenix } from "./install.ts";
import { logTail, startGroup } from "./processes.ts";
import { freePort, untilReady } from "./server.ts";

export interface Phoenix {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Ends it and all its processes, and deletes what it stored. */
  stop(): Promise<void>;
}

/** Installs it if need be, starts it and waits until it answers. */
export async function startPhoenix(): Promise<Phoenix> {
  const python = await installPhoenix();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const storage = fs.mkdtempSync(path.join(os.tmpdir(), "phoenix-"));
  const log = path.join(storage, "server.log");
  const group = startGroup(python, ["-m", "phoenix.server.main", "serve"], {
    cwd: storage,
    log,
    // Little of this process's environment, nothing of its home, and no way to the network beyond loopback.
    env: {
      PATH: process.env["PATH"],
      LANG: "C.UTF-8",
      HOME: storage,
      TMPDIR: storage,
      HTTP_PROXY: "http://127.0.0.1:1",
      HTTPS_PROXY: "http://127.0.0.1:1",
      NO_PROXY: "127.0.0.1",
      PHOENIX_WORKING_DIR: storage,
      PHOENIX_HOST: "127.0.0.1",
      PHOENIX_PORT: String(port),
      PHOENIX_GRPC_PORT: String(await freePort()),
      PHOENIX_TELEMETRY_ENABLED: "false",
      PHOENIX_ALLOW_EXTERNAL_RESOURCES: "false",
    },
  });
  const stop = async (): Promise<void> => {
    await group.stop(0);
    fs.rmSync(storage, { recursive: true, force: true });
  };
  try {
    await untilReady(`${url}/readyz`, group);
  } catch (error) {
    const failure = new Error(`Phoenix did not start\n${logTail(log)}`, { cause: error });
    await stop();
    throw failure;
  }
  return { url, stop };
}
