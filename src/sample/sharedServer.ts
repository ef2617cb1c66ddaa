// One sample server for all windows that share a storage folder. The first window that needs it serves; the others find it
// by asking a few fixed addresses who is there, and one of them takes over when the window that serves goes.
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { StorageProblem } from "./savedChanges.ts";
import { askToStop, probe, watch } from "./sharedServerClient.ts";
import { startSampleServer } from "./server.ts";
import type { SampleServer } from "./server.ts";

/** How a window takes part in the shared server. */
export interface SharedServerOptions {
  /** Where changes are kept; the same folder means the same server. */
  folder: string;
  /** The address has changed; undefined when the server has stopped. Also called when another window is the cause. */
  onChange?: (url: string | undefined) => void;
  onStorageProblem?: (problem: StorageProblem) => void;
  /** Ports to try, in this order; made from the folder unless given. */
  ports?: readonly number[];
  stepDelay?: number;
}

/** Thrown when other programs have all the ports. */
export class NoFreePortError extends Error {
  readonly ports: readonly number[];
  constructor(ports: readonly number[]) {
    super(`Other programs use the ports ${ports.join(", ")}`);
    this.ports = ports;
  }
}

/** This window's part: it serves, or it is the guest of a window that does. */
type Role =
  | { kind: "owner"; url: string; server: SampleServer }
  | { kind: "guest"; url: string; port: number; leave: () => void };

/** The sample server as one window sees it. */
export class SharedSampleServer {
  readonly #options: SharedServerOptions;
  readonly #identity: string;
  readonly #ports: readonly number[];
  readonly #stoppedMarker: string;
  readonly #changesFile: string;
  #role: Role | undefined;
  #announced: string | undefined;
  #isClosed = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: SharedServerOptions) {
    this.#options = options;
    const { folder } = options;
    this.#identity = createHash("sha256").update(`${os.hostname()}\0${folder}`).digest("hex");
    this.#ports = options.ports ?? portsFor(this.#identity);
    this.#stoppedMarker = path.join(folder, "stopped");
    this.#changesFile = path.join(folder, "changes.json");
  }

  /** The server's address, after starting it if no window serves. Throws NoFreePortError. */
  start(): Promise<string> {
    return this.#inTurn(async () => {
      fs.rmSync(this.#stoppedMarker, { force: true });
      return this.#join();
    });
  }

  /** Like `start`, unless the user has stopped the server in any window: then undefined. */
  connect(): Promise<string | undefined> {
    return this.#inTurn(async () => {
      if (!this.#isStopped()) return this.#join();
      await this.#leave();
      return undefined;
    });
  }

  /** Stops the server, whichever window serves; it stays stopped until `start`. Throws if it goes on. */
  stop(): Promise<void> {
    return this.#inTurn(async () => {
      fs.mkdirSync(this.#options.folder, { recursive: true });
      fs.writeFileSync(this.#stoppedMarker, "");
      await this.#leave();
      await Promise.all(this.#ports.map((port) => askToStop(port, this.#identity)));
    });
  }

  /** Takes all changes back. Every server on this folder sees that with its next request. */
  reset(): void {
    fs.rmSync(this.#changesFile, { force: true });
  }

  /** Ends this window's part. If it serves, another window takes over. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#inTurn(() => this.#leave());
  }

  #isStopped(): boolean {
    return fs.existsSync(this.#stoppedMarker);
  }

  /** One thing after the other, in the order in which they were asked for. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#work.then(work);
    this.#work = result.catch(() => undefined);
    return result;
  }

  async #join(): Promise<string> {
    if (this.#isClosed) throw new Error("This window is closing");
    const role = this.#role;
    if (role?.kind === "owner") return role.url;
    if (role && (await probe(role.port, this.#identity)) === "ours") return role.url;
    this.#drop();
    const found = await Promise.all(this.#ports.map((port) => probe(port, this.#identity)));
    for (const [at, port] of this.#ports.entries()) {
      if (found[at] === "ours" && (await this.#follow(port))) return this.#announce();
    }
    for (const [at, port] of this.#ports.entries()) {
      if (found[at] === "foreign") continue;
      if (await this.#serveOrFollow(port)) return this.#announce();
    }
    throw new NoFreePortError(this.#ports);
  }

  /** False if the port is another program's. */
  async #serveOrFollow(port: number): Promise<boolean> {
    // A server that is just coming or going has the port and may not answer yet, or not any more.
    for (let attempt = 0; attempt < 20; attempt++) {
      if (await this.#serve(port)) return true;
      const found = await probe(port, this.#identity);
      if (found === "foreign") return false;
      if (found === "ours" && (await this.#follow(port))) return true;
      await sleep(50);
    }
    return false;
  }

  /** False if the port is taken, or forbidden. */
  async #serve(port: number): Promise<boolean> {
    const { onStorageProblem, stepDelay } = this.#options;
    const control = { identity: this.#identity, stop: () => void this.#stopForAnother() };
    try {
      const server = await startSampleServer({
        port,
        control,
        changesFile: this.#changesFile,
        ...(onStorageProblem && { onStorageProblem }),
        ...(stepDelay !== undefined && { stepDelay }),
      });
      this.#role = { kind: "owner", url: server.url, server };
      return true;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (code === "EADDRINUSE" || code === "EACCES") return false;
      throw error;
    }
  }

  /** False if the server there has gone in the meantime. */
  async #follow(port: number): Promise<boolean> {
    const leave = await watch(port, () => {
      void this.#inTurn(() => this.#ownerWent(port)).catch(() => undefined);
    });
    if (!leave) return false;
    this.#role = { kind: "guest", url: `http://127.0.0.1:${port}`, port, leave };
    return true;
  }

  /** Takes over from a window that was closed or has crashed; a server that was stopped stays so. */
  async #ownerWent(port: number): Promise<void> {
    if (this.#role?.kind !== "guest" || this.#role.port !== port) return;
    if ((await probe(port, this.#identity)) === "ours") {
      this.#drop();
      if (await this.#follow(port)) return;
    }
    this.#drop();
    try {
      if (!this.#isClosed && !this.#isStopped()) await this.#join();
    } finally {
      this.#announce();
    }
  }

  /** Another window has asked for it, and has said so on disk. */
  #stopForAnother(): Promise<void> {
    return this.#inTurn(() => this.#leave());
  }

  async #leave(): Promise<void> {
    const role = this.#role;
    this.#drop();
    if (role?.kind === "owner") await role.server.stop();
    this.#announce();
  }

  #drop(): void {
    if (this.#role?.kind === "guest") this.#role.leave();
    this.#role = undefined;
  }

  /** Tells of a change, and gives the address. */
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
 * Ten ports that depend on the storage folder alone, so that all its windows look in the same places. They are below the
 * ports that systems give to outgoing connections, and apart, since Windows reserves whole ranges.
 */
function portsFor(identity: string): number[] {
  const first = Number.parseInt(identity.slice(0, 8), 16);
  return Array.from({ length: 10 }, (_, at) => 20_000 + ((first + at * 1_009) % 10_000));
}
