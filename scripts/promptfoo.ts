// promptfoo, the program whose verdicts ours must equal. It has some 730 dependencies (1.5 GB), so it is installed
// only for `npm run test:promptfoo` and recordPromptfooVerdicts.ts.
import { installCachedPackage } from "./cachedPackage.ts";

export const promptfooVersion = "0.123.1";

/** Installs promptfoo if needed, which takes some minutes, and returns the folder that holds its `node_modules`. */
export function installPromptfoo(): Promise<string> {
  return installCachedPackage("promptfoo", promptfooVersion);
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
