// The memory of a process, as Linux counts it.
import { execFileSync } from "node:child_process";
import fs from "node:fs";

/** Begins to measure a process's memory. The function returns how far it was above what it is now at its peak, in MB. */
export function measurePeak(pid: number): () => number {
  // Resets the peak.
  fs.writeFileSync(`/proc/${String(pid)}/clear_refs`, "5");
  const idle = readStatus(pid, "VmRSS");
  return () => readStatus(pid, "VmHWM") - idle;
}

/** The extension host of a VS Code, which is in its process group. */
export function findExtensionHost(vscodePid: number): number {
  const processes = execFileSync("ps", ["-o", "pid=,args=", "-g", String(vscodePid)], {
    encoding: "utf8",
  });
  const host = processes.split("\n").find((line) => line.includes("--type=extensionHost"));
  if (host === undefined) throw new Error("No extension host runs.");
  return Number.parseInt(host);
}

/** A value of a process in MB. */
function readStatus(pid: number, key: "VmRSS" | "VmHWM"): number {
  const status = fs.readFileSync(`/proc/${String(pid)}/status`, "utf8");
  const [, kilobytes] = new RegExp(`^${key}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
  return Number(kilobytes) / 1_024;
}
