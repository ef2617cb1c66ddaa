// Child processes that never outlive the test run: each runs in a process group of its own, and a guard kills the
// whole group as soon as this process is gone, however it went.
import { spawn } from "node:child_process";
import fs from "node:fs";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

// The guard reads a pipe that only this process holds open: end of file means that this process is gone.
const GUARD = 'read line; kill -s KILL -- "-$1"';
// The command waits for its guard. Without this line, a process killed between the two would leave the command behind.
const START = 'read -r go && exec "$@" </dev/null';

/** What to start, and where; `log` is the file that gets its output, appended. */
export interface GroupOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  log: string;
}

/** A running command and all its descendants. */
export interface ProcessGroup {
  /** Resolves with the command's exit code (null after a signal, or if it could not be started). */
  readonly exited: Promise<number | null>;
  /** Sends a termination signal to the group, and kills what still runs after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** Starts a command as the leader of a new process group. */
export function startGroup(command: string, args: string[], options: GroupOptions): ProcessGroup {
  const output = fs.openSync(options.log, "a");
  const child = spawn("sh", ["-c", START, "start", command, ...args], {
    cwd: options.cwd,
    env: options.env,
    stdio: ["pipe", output, output],
    detached: true,
  });
  fs.closeSync(output);
  const exited = new Promise<number | null>((resolve) => {
    child.once("exit", resolve);
    child.once("error", (error) => {
      fs.appendFileSync(options.log, `${error.message}\n`);
      resolve(null);
    });
  });
  const { pid } = child;
  if (pid === undefined) return { exited, stop: () => Promise.resolve() };

  const guard = spawn("sh", ["-c", GUARD, "guard", String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  // A command that is stopped at once has closed its input.
  child.stdin?.on("error", () => undefined).end("go\n");
  // Neither must keep this process alive.
  child.unref();
  guard.unref();
  (guard.stdin as Socket).unref();
  let stopped: Promise<void> | undefined;
  return {
    exited,
    stop: (graceMs) => (stopped ??= endGroup(pid, graceMs).then(() => void guard.kill("SIGKILL"))),
  };
}

/** Runs a command to its end and throws if it fails or takes longer than `timeoutMs`. */
export async function runGroup(
  command: string,
  args: string[],
  options: GroupOptions & { timeoutMs: number },
): Promise<void> {
  const group = startGroup(command, args, options);
  const limit = new AbortController();
  const code = await Promise.race([
    group.exited,
    sleep(options.timeoutMs, "timeout" as const, { signal: limit.signal }),
  ]);
  limit.abort();
  await group.stop(0);
  if (code === 0) return;
  const how = code === "timeout" ? `took over ${options.timeoutMs / 1000} s` : "failed";
  throw new Error(`${command} ${args.join(" ")} ${how}\n${logTail(options.log)}`);
}

/** The end of a log, for an error message. */
export function logTail(file: string, lines = 20): string {
  return fs.readFileSync(file, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
}

async function endGroup(pid: number, graceMs: number): Promise<void> {
  const deadline = Date.now() + graceMs;
  signalGroup(pid, "SIGTERM");
  while (signalGroup(pid, 0)) {
    if (Date.now() >= deadline) signalGroup(pid, "SIGKILL");
    await sleep(20);
    // The killed need no more than a moment; what is still counted then waits to be reaped by its parent.
    if (Date.now() >= deadline + 5_000) return;
  }
}

/** Signals every process of the group (0 only asks); false when none is left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}
