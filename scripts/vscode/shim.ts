// Stands where a desktop VS Code's executable would: @vscode/test-electron starts it with VS Code's own arguments, it
// runs the tests in our VS Code in a headless browser and ends with their exit code.
import { parseArgs } from "node:util";
import { launchBrowser } from "./browser.ts";
import { startVSCode } from "./server.ts";
import { parseVersion } from "./versions.ts";

/** No suite takes longer. Without a limit, a window that waits for input would never end. */
const limitMs = 40 * 60_000;

const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: "string" },
    extensionTestsPath: { type: "string" },
    "user-data-dir": { type: "string" },
  },
});

function needed(name: keyof typeof values): string {
  const value = values[name];
  if (typeof value !== "string") throw new Error(`--${name} is missing`);
  return value;
}

async function runTests(): Promise<number> {
  const vscode = await startVSCode({
    version: parseVersion(process.env["VSCODE_VERSION"]),
    extensionPath: needed("extensionDevelopmentPath"),
    testsPath: needed("extensionTestsPath"),
    dataFolder: needed("user-data-dir"),
    folder: positionals[0] ?? process.cwd(),
  });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({
      viewport: { width: 800, height: 500 },
      reducedMotion: "reduce",
    });
    // VS Code's page calls this at the end of a test run.
    const exitCode = new Promise<number>((resolve) => {
      void page.exposeFunction("codeAutomationExit", resolve);
    });
    const failure = new Promise<string>((resolve) => {
      page.on("crash", () => {
        resolve("The page of VS Code crashed");
      });
      page.on("close", () => {
        resolve("The browser ended during the suite");
      });
      void vscode.ended.then(() => {
        resolve("VS Code's server ended during the suite");
      });
      setTimeout(() => {
        resolve("The suite did not come to an end");
      }, limitMs);
    });
    await page.goto(vscode.urlWithToken);
    const outcome = await Promise.race([exitCode, failure]);
    if (typeof outcome === "number") return outcome;
    console.error(outcome);
    await page.screenshot({ path: "out/screenshots/host-suite.png" }).catch(() => undefined);
    return 1;
  } finally {
    await browser.close();
    await vscode.stop();
  }
}

process.exit(await runTests());
