// Builds dist/: the host as split ES modules, each page as one script and one style sheet, and the icon font.
// Usage: node esbuild.js [--production] [--watch] [--outdir=FOLDER]
import fs from "node:fs";
import path from "node:path";
import * as esbuild from "esbuild";
import subsetFont from "subset-font";

const production = process.argv.includes("--production");
const watch = process.argv.includes("--watch");
const outdir = process.argv.find((option) => option.startsWith("--outdir="))?.slice(9) ?? "dist";

/** @type {import("esbuild").BuildOptions} */
const common = {
  bundle: true,
  outdir,
  minify: production,
  sourcemap: production ? false : "linked",
  legalComments: "none",
  logLevel: "info",
  metafile: true,
};

const extension = "src/extension.ts";

/**
 * What is imported later also imports the extension, which is there by then. So all code of the activation has the same
 * importers, and esbuild leaves it together instead of cutting it into chunks by who shares what: VS Code loads every file
 * through a hook of its own, which takes longer than the code in it.
 * @type {import("esbuild").Plugin}
 */
const activationInOneChunk = {
  name: "activation in one chunk",
  setup(build) {
    const late = importedLater("src");
    build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      if (!late.has(file)) return undefined;
      const source = fs.readFileSync(file, "utf8");
      return {
        contents: `${source}\nimport ${JSON.stringify(path.resolve(extension))};`,
        loader: "ts",
      };
    });
  },
};

/**
 * undici as src/mindsdb/http/transport.ts uses it. Its index also requires fetch, WebSocket, caches and mocks, which make up
 * more than half of it and cannot be left out of CommonJS.
 * @type {import("esbuild").Plugin}
 */
const usedPartsOfUndici = {
  name: "used parts of undici",
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/]undici[\\/]index\.js$/ }, () => ({
      contents: `
        const Dispatcher = require("./lib/dispatcher/dispatcher");
        Object.assign(Dispatcher.prototype, require("./lib/api"));
        exports.Agent = require("./lib/dispatcher/agent");
        exports.EnvHttpProxyAgent = require("./lib/dispatcher/env-http-proxy-agent");
      `,
      resolveDir: path.resolve("node_modules/undici"),
    }));
  },
};

/** The files that some source under a folder imports with `import()`. */
function importedLater(folder) {
  const sources = fs
    .readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => path.resolve(folder, name));
  return new Set(
    sources.flatMap((file) =>
      [...fs.readFileSync(file, "utf8").matchAll(/\bimport\("(\.[^"]+)"\)/g)].map(([, imported]) =>
        path.resolve(path.dirname(file), imported),
      ),
    ),
  );
}

const node = {
  ...common,
  platform: "node",
  target: "node22",
  format: "esm",
  // Bundled CommonJS packages (undici, @vscode/l10n) call require().
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
};

/** The extension host. Chunks stay flat: a worker's URL is resolved against the folder of the chunk that names it. */
const host = {
  ...node,
  entryPoints: { extension },
  splitting: true,
  chunkNames: "[name]-[hash]",
  external: ["vscode"],
  alias: {
    "@vscode/l10n": path.resolve("src/shared/host/l10n.ts"),
    // The package's ES modules, of which unused parts can be left out; Node is given CommonJS.
    yaml: path.resolve("node_modules/yaml/browser/dist/index.js"),
  },
  plugins: [activationInOneChunk, usedPartsOfUndici],
};

/** The worker thread for a run's result. It shares no chunk with the host: the host's activation would load one file more. */
const worker = { ...node, entryPoints: { resultWorker: "src/predict/result/resultWorker.ts" } };

const pages = {
  ...common,
  entryPoints: {
    chat: "src/chat/page/main.ts",
    agent: "src/agents/page/agentPage/main.ts",
    table: "src/tables/page/main.ts",
    model: "src/models/page/main.ts",
    knowledgeBase: "src/knowledgeBases/page/main.ts",
    knowledgeBaseDocuments: "src/knowledgeBases/page/documents/main.ts",
    knowledgeBaseFill: "src/knowledgeBases/page/fill/main.ts",
  },
  platform: "browser",
  target: "es2023",
  format: "iife",
};

/** Forms share the chunk with their controls, which are most of their size. A page's nonce holds for what it imports. */
const forms = {
  ...common,
  entryPoints: {
    agentForm: "src/agents/page/form/main.ts",
    knowledgeBaseForm: "src/knowledgeBases/page/form/main.ts",
    modelTrain: "src/models/page/train/main.ts",
  },
  platform: "browser",
  target: "es2023",
  format: "esm",
  splitting: true,
  chunkNames: "form-[hash]",
};

/** What draws a notebook's outputs is an ES module with its style sheets inside: a shadow root takes them as text. */
const renderers = {
  ...common,
  entryPoints: { result: "src/predict/page/renderer.ts" },
  platform: "browser",
  target: "es2023",
  format: "esm",
  loader: { ".css": "text" },
};

const codicons = "node_modules/@vscode/codicons/dist";

/**
 * Leaves the icons out of the icon font that no built file names, which is most of them. A name is any whole string of the
 * code and any class of a style sheet: some that are no icon's names are among them, which costs little.
 */
async function writeUsedIcons() {
  const built = fs
    .readdirSync(outdir)
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => fs.readFileSync(path.join(outdir, name), "utf8"));
  const names = new Set(
    built.flatMap((text) =>
      [...text.matchAll(/(?<=["'`])[a-z\d-]+(?=["'`])|(?<=codicon-)[a-z\d-]+/g)].map(
        ([name]) => name,
      ),
    ),
  );
  const used = [];
  const css = fs
    .readFileSync(`${codicons}/codicon.css`, "utf8")
    .replace(
      /^\.codicon-([a-z\d-]+):before \{ content: "\\([\da-f]+)" \}\n?/gm,
      (rule, name, code) => {
        if (!names.has(name)) return "";
        used.push(String.fromCodePoint(Number.parseInt(code, 16)));
        return rule;
      },
    );
  const font = fs.readFileSync(`${codicons}/codicon.ttf`);
  fs.writeFileSync(path.join(outdir, "codicon.css"), css);
  fs.writeFileSync(path.join(outdir, "codicon.ttf"), await subsetFont(font, used.join("")));
}

fs.rmSync(outdir, { recursive: true, force: true });
fs.mkdirSync(outdir, { recursive: true });

if (watch) {
  for (const file of ["codicon.css", "codicon.ttf"]) {
    fs.copyFileSync(`${codicons}/${file}`, path.join(outdir, file));
  }
  for (const options of [host, worker, pages, forms, renderers])
    await (await esbuild.context(options)).watch();
} else {
  const results = await Promise.all(
    [host, worker, pages, forms, renderers].map((options) => esbuild.build(options)),
  );
  await writeUsedIcons();
  // For the size report: what each file of dist/ is made of.
  const outputs = Object.assign({}, ...results.map((result) => result.metafile.outputs));
  if (outdir === "dist") {
    fs.mkdirSync("out", { recursive: true });
    fs.writeFileSync("out/bundle.json", JSON.stringify(outputs));
  }
}
