// Runs npm from plain Node, for the bootstrap (before node_modules is there) and for what installs into the cache.
import { spawn } from "node:child_process";
import path from "node:path";

/**
 * Runs npm quietly. Its output is shown only if it fails.
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<string>} what npm printed on stdout
 */
export function npm(args, cwd) {
  const own = process.env["npm_execpath"];
  const inNode = own !== undefined && path.basename(own) === "npm-cli.js";
  const onWindows = process.platform === "win32";
  const command = inNode ? process.execPath : onWindows ? "npm.cmd" : "npm";
  const all = [...(inNode ? [own] : []), ...args, "--no-audit", "--no-fund", "--loglevel=error"];
  return new Promise((resolve, reject) => {
    // Windows starts a .cmd only through a shell.
    const child = spawn(command, all, {
      cwd,
      shell: onWindows && !inNode,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`npm ${args.join(" ")} failed (${String(code)})\n${stdout}${stderr}`));
    });
  });
}
