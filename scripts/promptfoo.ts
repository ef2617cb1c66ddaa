// promptfoo, the program whose verdicts ours must equal. It has some 730 dependencies (1.5 GB), so it is no dependency of this
// project: it is installed into the cache folder, for `npm run test:promptfoo` and recordPromptfooVerdicts.ts.
import fs from "node:fs";
import path from "node:path";
import { cacheFolder } from "./cache.ts";
import { npm } from "./npm.mjs";

export const promptfooVersion = "0.123.1";

/** Installs promptfoo if needed, and returns the folder that holds its `node_modules`. */
export async function installPromptfoo(): Promise<string> {
  const folder = path.join(cacheFolder(), `promptfoo-${promptfooVersion}`);
  if (fs.existsSync(folder)) return folder;
  console.log(`Installing promptfoo ${promptfooVersion} (once, some minutes)`);
  // Made beside its place and moved there when whole.
  const partial = `${folder}.${process.pid}`;
  try {
    fs.mkdirSync(partial, { recursive: true });
    fs.writeFileSync(path.join(partial, "package.json"), '{ "private": true }\n');
    await npm(["install", `promptfoo@${promptfooVersion}`], partial);
    if (!fs.existsSync(folder)) fs.renameSync(partial, folder);
  } finally {
    fs.rmSync(partial, { recursive: true, force: true });
  }
  return folder;
}

/** The environment of a run that sends nothing to promptfoo's makers, and keeps its data in `home`. */
export function promptfooEnvironment(home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env["PATH"],
    HOME: home,
    TMPDIR: home,
    PROMPTFOO_CONFIG_DIR: home,
    PROMPTFOO_DISABLE_TELEMETRY: "1",
    PROMPTFOO_DISABLE_UPDATE: "1",
    // One request remains, to an address where nothing listens.
    HTTPS_PROXY: "http://127.0.0.1:9",
    NO_PROXY: "127.0.0.1",
  };
}
