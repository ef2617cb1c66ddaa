// One sample server for all windows that share a storage folder. The first window that needs it runs it. The others find
// it by probing a few fixed ports, and one of them takes over when the window that runs it closes.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { StorageProblem } from "../server/savedChanges.ts";
import { openStorageFolder, privateMode } from "../../shared/node/privateFiles.ts";
import { readSecret } from "./secret.ts";
import { askToStop, probe, watch } from "./sharedServerClient.ts";
import { startSampleServer } from "../server/server.ts";
import type { SampleServer } from "../server/server.ts";

/** Options of a window that uses the shared server. */
interface SharedServerOptions {
  /** The folder that stores changes. Windows with the same folder share a server. */
  folder: string;
  /** Called with the new address, or undefined when the server has stopped, even if another window caused it. */
  onChange?: (url: string | undefined) => void;
  onStorageProblem?: (problem: StorageProblem) => void;
  /** Ports to try, in this order. Default: derived from the folder's secret. */
  ports?: readonly number[];
  stepDelay?: number;
}

/** Thrown if other programs use all the ports. */
export class NoFreePortError extends Error {
  readonly ports: readonly number[];
  constructor(ports: readonly number[]) {
    super(`Other programs use the ports ${ports.join(", ")}`);
    this.ports = ports;
  }
}

/** This window's role: it runs the server (owner), or uses the server of another window (guest). */
type Role =
  | { kind: "owner"; url: string; server: SampleServer }
  | { kind: "guest"; url: string; port: number; leave: () => void };

/** One window's access to the shared sample server. */
export class SharedSampleServer {
  readonly #options: SharedServerOptions;
  readonly #stoppedMarker: string;
  readonly #changesFile: string;
  /** Read with the first use. */
  #secret = "";
  #ports: readonly number[] = [];
  #role: Role | undefined;
  #announced: string | undefined;
  #isClosed = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: SharedServerOptions) {
    this.#options = options;
    const { folder } = options;
    this.#stoppedMarker = path.join(folder, "stopped");
    this.#changesFile = path.join(folder, "changes.json");
  }

  /** Returns the server's address, after starting it if no window runs it. Throws NoFreePortError. */
  start(): Promise<string> {
    return this.#enqueue(async () => {
      fs.rmSync(this.#stoppedMarker, { force: true });
      return this.#join();
    });
  }

  /** Like `start`, but returns undefined if the user has stopped the server in any window. */
  connect(): Promise<string | undefined> {
    return this.#enqueue(async () => {
      if (!this.#isStopped()) return this.#join();
      await this.#leave();
      return undefined;
    });
  }

  /** Stops the server in whichever window runs it, until `start` is called. Throws if it keeps running. */
  stop(): Promise<void> {
    return this.#enqueue(async () => {
      openStorageFolder(this.#options.folder);
      fs.writeFileSync(this.#stoppedMarker, "", { mode: privateMode });
      await this.#leave();
      await Promise.all(this.#ports.map((port) => askToStop(port, this.#secret)));
    });
  }

  /** Deletes all changes. Every server on this folder applies that with its next request. */
  reset(): void {
    fs.rmSync(this.#changesFile, { force: true });
  }

  /** Leaves the shared server. If this window runs it, another window takes over. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#enqueue(() => this.#leave());
  }

  #isStopped(): boolean {
    return fs.existsSync(this.#stoppedMarker);
  }

  /** Runs operations one after the other, in the order of the calls. */
  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#work.then(async () => {
      await this.#loadSecret();
      return work();
    });
    this.#work = result.catch(() => undefined);
    return result;
  }

  async #loadSecret(): Promise<void> {
    if (this.#secret !== "") return;
    const { folder, ports } = this.#options;
    this.#secret = await readSecret(folder);
    this.#ports = ports ?? choosePorts(this.#secret);
  }

  async #join(): Promise<string> {
    if (this.#isClosed) throw new Error("This window is closing");
    const role = this.#role;
    if (role?.kind === "owner") return role.url;
    if (role && (await probe(role.port, this.#secret)) === "ours") return role.url;
    this.#clearRole();
    const found = await Promise.all(this.#ports.map((port) => probe(port, this.#secret)));
    for (const [at, port] of this.#ports.entries()) {
      if (found[at] === "ours" && (await this.#follow(port))) return this.#announce();
    }
    for (const [at, port] of this.#ports.entries()) {
      if (found[at] === "foreign") continue;
      if (await this.#serveOrFollow(port)) return this.#announce();
    }
    throw new NoFreePortError(this.#ports);
  }

  /** Runs the server on a port or joins the one there. False if another program uses the port. */
  async #serveOrFollow(port: number): Promise<boolean> {
    // While a server starts or stops, it holds the port but may not answer.
    for (let attempt = 0; attempt < 20; attempt++) {
      if (await this.#serve(port)) return true;
      const found = await probe(port, this.#secret);
      if (found === "foreign") return false;
      if (found === "ours" && (await this.#follow(port))) return true;
      await sleep(50);
    }
    return false;
  }

  /** Runs the server on a port. False if the port is in use or not permitted. */
  async #serve(port: number): Promise<boolean> {
    const { onStorageProblem, stepDelay } = this.#options;
    const control = { secret: this.#secret, stop: () => void this.#stopOnRequest() };
    try {
      const server = await startSampleServer({
        port,
        control,
        changesFile: this.#changesFile,
        onStorageProblem,
        stepDelay,
      });
      this.#role = { kind: "owner", url: server.url, server };
      return true;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (code === "EADDRINUSE" || code === "EACCES") return false;
      throw error;
    }
  }

  /** Becomes a guest of the server on a port. False if it has stopped in the meantime. */
  async #follow(port: number): Promise<boolean> {
    const leave = await watch(port, this.#secret, () => {
      void this.#enqueue(() => this.#takeOver(port)).catch(() => undefined);
    });
    if (!leave) return false;
    this.#role = { kind: "guest", url: `http://127.0.0.1:${port}`, port, leave };
    return true;
  }

  /** Takes over from a window that closed or crashed. Does nothing if the user stopped the server. */
  async #takeOver(port: number): Promise<void> {
    if (this.#role?.kind !== "guest" || this.#role.port !== port) return;
    if ((await probe(port, this.#secret)) === "ours") {
      this.#clearRole();
      if (await this.#follow(port)) return;
    }
    this.#clearRole();
    try {
      if (!this.#isClosed && !this.#isStopped()) await this.#join();
    } finally {
      this.#announce();
    }
  }

  /** Stops the server for another window, which has already written the marker file. */
  #stopOnRequest(): Promise<void> {
    return this.#enqueue(() => this.#leave());
  }

  async #leave(): Promise<void> {
    const role = this.#role;
    this.#clearRole();
    if (role?.kind === "owner") await role.server.stop();
    this.#announce();
  }

  #clearRole(): void {
    if (this.#role?.kind === "guest") this.#role.leave();
    this.#role = undefined;
  }

  /** Reports the address if it changed, and returns it. */
  #announce(): string {
    const url = this.#role?.url;
    if (url !== this.#announced) {
      this.#announced = url;
      if (!this.#isClosed) this.#options.onChange?.(url);
    }
    return url ?? "";
  }
}

/**
 * Returns ten ports that depend only on the secret, so that all windows with it probe the same ones. They are below the
 * ephemeral port range and spread out, because Windows reserves whole ranges of ports.
 */
function choosePorts(secret: string): number[] {
  const digest = createHash("sha256").update(`ports ${secret}`).digest();
  const first = digest.readUInt32BE();
  return Array.from({ length: 10 }, (_, at) => 20_000 + ((first + at * 1_009) % 10_000));
}
