// Builds dist/: the host as split ES modules, each page as one script and one style sheet with what pages share, and the icon font.
// Usage: node esbuild.js [--production] [--watch] [--outdir=FOLDER]
import fs from "node:fs";
import path from "node:path";
import * as esbuild from "esbuild";
import subsetFont from "subset-font";
import { findTexts } from "./scripts/findTexts.ts";

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
 * What a room of src/ imports later is one module, of which each `import()` gets its part, and which also imports the
 * extension: it is there by then. So all code of the activation has the same importers, as has a room's, and esbuild leaves
 * it together instead of cutting it into chunks by who shares what. VS Code loads every file through a hook of its own,
 * which takes longer than the code in it, and each file adds some 500 bytes to the VSIX. `common` are sources that each room
 * imports, needed or not, for the same reason.
 * @returns {import("esbuild").Plugin}
 */
const fewChunks = (common) => ({
  name: "few chunks",
  setup(build) {
    const late = [...importedLater("src")].sort();
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path: file }) => ({
      contents: fs.readFileSync(file, "utf8").replace(laterImport, (_, imported) => {
        const target = path.resolve(path.dirname(file), imported);
        return `import("late:${room(target)}").then((late) => late.p${late.indexOf(target)})`;
      }),
      loader: "ts",
    }));
    build.onResolve({ filter: /^late:/ }, ({ path: name }) => ({ path: name, namespace: "late" }));
    build.onLoad({ filter: /.*/, namespace: "late" }, ({ path: name }) => ({
      contents: [
        `import ${JSON.stringify(path.resolve(extension))};`,
        ...common.map((file) => `import ${JSON.stringify(file)};`),
        ...late.map((file, index) =>
          name === `late:${room(file)}`
            ? `export * as p${index} from ${JSON.stringify(file)};`
            : "",
        ),
      ].join("\n"),
      resolveDir: path.resolve("src"),
    }));
  },
});

/**
 * The folder of src/ that a file belongs to. The SQL parser and what formats SQL are rooms of their own: few windows need
 * its tables, and fewer the library.
 */
function room(file) {
  const folders = path.relative("src", file).split(path.sep);
  if (folders[1] === "sqlFormat") return "sqlFormat";
  return folders[2] === "parser" ? "sqlParser" : folders[0];
}

/**
 * Makes the tables of the SQL parser: they are shipped instead of the grammar, of which they would be made in a second.
 * @type {import("esbuild").Plugin}
 */
const sqlTables = {
  name: "SQL tables",
  setup(build) {
    build.onLoad({ filter: /[\\/]sql[\\/]parser[\\/]tables\.ts$/ }, async () => {
      const { packedTables } = await import("./src/mindsdb/sql/parser/tables.ts");
      return { contents: `export const packedTables = ${JSON.stringify(packedTables)};` };
    });
  },
};

/**
 * undici as src/mindsdb/http/connectors.ts uses it. Its index also requires fetch, WebSocket, caches and mocks, which make up
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
        exports.Pool = require("./lib/dispatcher/pool");
        exports.ProxyAgent = require("./lib/dispatcher/proxy-agent");
        exports.Socks5ProxyAgent = require("./lib/dispatcher/socks5-proxy-agent");
        exports.buildConnector = require("./lib/core/connect");
      `,
      resolveDir: path.resolve("node_modules/undici"),
    }));
    // Its parser of headers comes twice, once with SIMD, which makes no request measurably faster: 27 kB of the VSIX.
    build.onLoad({ filter: /[\\/]llhttp[\\/]llhttp_simd-wasm\.js$/ }, ({ path: file }) => ({
      contents: 'module.exports = require("./llhttp-wasm.js");',
      resolveDir: path.dirname(file),
    }));
    // Reads FormData, which no request sends: the client library writes its own multipart. 11 kB of the VSIX.
    build.onLoad({ filter: /[\\/]undici[\\/]lib[\\/]web[\\/]fetch[\\/]body\.js$/ }, () => ({
      contents:
        'exports.extractBody = () => { throw new TypeError("FormData is not supported"); };',
    }));
  },
};

/**
 * The libraries that read test files are in files of their own, which the host and the process for test files share: they
 * would be 47 kB more in the VSIX.
 */
const libraries = {
  yaml: "yaml",
  "@cfworker/json-schema": "jsonSchema",
  "ajv-formats/dist/formats.js": "textFormats",
};

/** @type {import("esbuild").Plugin} */
const sharedLibraries = {
  name: "shared libraries",
  setup(build) {
    build.onResolve(
      { filter: /^(yaml|@cfworker\/json-schema|ajv-formats\/dist\/formats\.js)$/ },
      ({ path: name }) => ({
        path: `./${libraries[name]}.js`,
        external: true,
      }),
    );
  },
};

/**
 * All texts in the order that every language's bundle has after sorting: the tests hold that they have the same ones. The
 * texts of pages are numbers in it, which are 7 kB less of the VSIX than the texts.
 */
const allTexts = Object.keys(JSON.parse(fs.readFileSync("l10n/bundle.l10n.json", "utf8"))).sort();
const numbersOfTexts = new Map(allTexts.map((text, number) => [text, number]));

/**
 * Writes the texts that each page shows and the files that it imports to pages.json: the host gives a page the translations
 * of those, and has it request these at once. The style sheets are outputs of the same build, or of another.
 * @returns {import("esbuild").Plugin}
 */
const writePages = (styleSheets) => ({
  name: "pages",
  setup(build) {
    build.onEnd(({ metafile }) => {
      if (!metafile) return;
      removeEmpty(metafile.outputs);
      const pages = {};
      const texts = {};
      for (const [file, { entryPoint }] of Object.entries(metafile.outputs)) {
        if (!entryPoint?.endsWith(".tsx")) continue;
        const files = importedBy(file, metafile.outputs);
        for (const script of files) {
          texts[path.basename(script)] ??= numbersOfTextsIn(sourcesOf([script], metafile.outputs));
        }
        const styles = removeImports(
          file.replace(/\.js$/, ".css"),
          styleSheets ?? metafile.outputs,
        );
        pages[path.basename(file, ".js")] = {
          imports: files.slice(1).map((name) => path.basename(name)),
          styles: styles.map((name) => path.basename(name)),
        };
      }
      const content = { count: allTexts.length, texts, pages };
      fs.writeFileSync(path.join(outdir, "pages.json"), JSON.stringify(content));
    });
  },
});

/** The numbers of the texts of some files among all texts, sorted. */
function numbersOfTextsIn(sources) {
  const texts = sources.flatMap((source) => [
    ...findTexts(source, fs.readFileSync(source, "utf8")),
  ]);
  return [...new Set(texts)]
    .flatMap((text) => numbersOfTexts.get(text) ?? [])
    .sort((a, b) => a - b);
}

/** Removes the chunks without any code, of which there can be some, and their imports: a page would wait for them. */
function removeEmpty(outputs) {
  const empty = Object.keys(outputs).filter(
    (file) => /page-\w+\.js$/.test(file) && outputs[file].bytes === 0,
  );
  for (const [file, output] of Object.entries(outputs)) {
    const removed = output.imports.filter((one) => empty.includes(one.path));
    if (removed.length === 0) continue;
    output.imports = output.imports.filter((one) => !removed.includes(one));
    const code = removed.reduce(
      (rest, { path: name }) => rest.replace(`import"./${path.basename(name)}";`, ""),
      fs.readFileSync(file, "utf8"),
    );
    fs.writeFileSync(file, code);
    output.bytes = fs.statSync(file).size;
  }
  for (const file of empty) {
    fs.rmSync(file);
    delete outputs[file];
  }
}

/** A script and those that it imports, also through others. */
function importedBy(output, outputs, found = new Set()) {
  if (found.has(output)) return [];
  found.add(output);
  for (const { path: imported } of outputs[output].imports) importedBy(imported, outputs, found);
  return [...found];
}

/**
 * Removes the imports from a style sheet, and from those that it imports. Returns all that have more than imports, the
 * imported ones first: a page has their texts. The others are deleted.
 */
function removeImports(output, outputs) {
  if (!outputs[output]) return [];
  const css = fs.existsSync(output) ? fs.readFileSync(output, "utf8") : "";
  const rest = css.replace(/@import\s*"\.\/\w+\.css";\n?/g, "");
  const isEmpty = rest.trim() === "";
  if (isEmpty) fs.rmSync(output, { force: true });
  else if (rest !== css) fs.writeFileSync(output, rest);
  const imported = outputs[output].imports
    .filter(({ kind }) => kind === "import-rule")
    .flatMap(({ path: name }) => removeImports(path.join(path.dirname(output), name), outputs));
  return [...new Set([...imported, ...(isEmpty ? [] : [output])])];
}

/** The project's files that are in these outputs. */
function sourcesOf(files, outputs) {
  return files
    .flatMap((file) => Object.keys(outputs[file].inputs))
    .filter((file) => /^src\/.*\.tsx?$/.test(file));
}

/** An `import()` of a file of ours. */
const laterImport = /\bimport\("(\.[^"]+)"\)/g;

/** The files that some source under a folder imports with `import()`. */
function importedLater(folder) {
  const sources = fs
    .readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => path.resolve(folder, name));
  return new Set(
    sources.flatMap((file) =>
      [...fs.readFileSync(file, "utf8").matchAll(laterImport)].map(([, imported]) =>
        path.resolve(path.dirname(file), imported),
      ),
    ),
  );
}

/** Bundled CommonJS packages (undici, @vscode/l10n) call require(). */
const defineRequire =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';

const node = {
  ...common,
  platform: "node",
  target: "node22",
  format: "esm",
  banner: { js: defineRequire },
};

/** The extension host. Chunks stay flat: a worker's URL is resolved against the folder of the chunk that names it. */
const host = (common) => ({
  ...node,
  entryPoints: { extension },
  splitting: true,
  chunkNames: "[name]-[hash]",
  external: ["vscode"],
  alias: { "@vscode/l10n": path.resolve("src/shared/host/l10n.ts") },
  plugins: [sqlTables, fewChunks(common), usedPartsOfUndici, sharedLibraries],
});

/**
 * The project's sources that some rooms share and no activation loads, except those with chunks of their own: undici, and
 * the SQL parser. esbuild cuts them into a chunk for each set of rooms, which are some sixty files, most of them smaller than
 * their entry in the VSIX.
 */
async function findCommon() {
  const { metafile } = await esbuild.build({ ...host([]), write: false, logLevel: "silent" });
  const { outputs } = metafile;
  // What is loaded at activation is one chunk, which extension.js imports.
  const { imports } = Object.values(outputs).find((output) => output.entryPoint === extension);
  const activated = imports.map((one) => one.path);
  const late = importedLater("src");
  return Object.entries(outputs)
    .filter(([file]) => path.basename(file).startsWith("chunk-") && !activated.includes(file))
    .map(([, { inputs }]) => Object.keys(inputs))
    .filter((inputs) => !inputs.some((name) => name.includes("/undici/")))
    .flatMap((inputs) => inputs.filter((name) => name.startsWith("src/")))
    .map((name) => path.resolve(name))
    .filter((file) => !late.has(file) && room(file) !== "sqlParser")
    .sort();
}

/**
 * The provider for promptfoo, of which workspaces get a copy: in one file.
 * @type {import("esbuild").BuildOptions}
 */
const promptfooProvider = {
  ...common,
  entryPoints: { promptfooProvider: "src/agentTests/promptfoo/provider.ts" },
  platform: "node",
  target: "node22",
  format: "esm",
  // Names stay, for those who read it.
  minify: false,
  minifySyntax: production,
  minifyWhitespace: production,
  sourcemap: false,
  banner: { js: fs.readFileSync("src/agentTests/promptfoo/providerHeader.txt", "utf8").trimEnd() },
  alias: { "@vscode/l10n": path.resolve("src/agentTests/promptfoo/formatEnglish.ts") },
};

/** The process that parses test files. */
const testFileProcess = {
  ...node,
  entryPoints: { testFileProcessMain: "src/agentTests/files/testFileProcessMain.ts" },
  alias: { "@vscode/l10n": path.resolve("src/agentTests/files/testFileProcessL10n.ts") },
  plugins: [sharedLibraries],
};

/** @type {import("esbuild").BuildOptions} */
const testFileLibraries = {
  ...node,
  entryPoints: {
    // The package's ES modules; Node is given CommonJS.
    [libraries.yaml]: "node_modules/yaml/browser/dist/index.js",
    [libraries["@cfworker/json-schema"]]: "node_modules/@cfworker/json-schema/dist/esm/index.js",
    [libraries["ajv-formats/dist/formats.js"]]: "node_modules/ajv-formats/dist/formats.js",
  },
};

/** The worker thread for a run's result. It shares no chunk with the host: the host's activation would load one file more. */
const tableWorker = {
  ...node,
  entryPoints: { tableWorker: "src/predict/result/tableWorker.ts" },
};

const workers = [tableWorker, testFileProcess, testFileLibraries];

/**
 * Style sheets that many pages import, also through one another: each is a file of its own, instead of a copy in every
 * page, which would be 2 kB more of the VSIX for each.
 */
const sharedStyles = {
  base: "src/shared/page/base.css",
  document: "src/shared/page/documentParts.css",
  form: "src/shared/page/form/form.css",
  grid: "src/shared/page/grid/grid.css",
};

/** @type {import("esbuild").Plugin} */
const importSharedStyles = {
  name: "shared style sheets",
  setup(build) {
    const names = new Map(
      Object.entries(sharedStyles).map(([name, file]) => [path.resolve(file), name]),
    );
    build.onResolve({ filter: /\.css$/ }, ({ path: imported, ...from }) => {
      const file = path.resolve(from.resolveDir, imported);
      if (from.with.type === "text") return undefined;
      if (from.kind === "entry-point" || !names.has(file)) return undefined;
      return from.kind === "import-rule"
        ? { path: `./${names.get(file)}.css`, external: true }
        : { path: file, namespace: "shared style" };
    });
    // A script imports no file from outside: it imports a style sheet that does.
    build.onLoad({ filter: /.*/, namespace: "shared style" }, ({ path: file }) => ({
      contents: `@import ${JSON.stringify(file)};`,
      resolveDir: path.dirname(file),
      loader: "css",
    }));
  },
};

/** Pages that share the chunk with most of their size. A page's nonce holds for what it imports. */
const sharing = (entryPoints, chunkNames) => ({
  ...common,
  entryPoints,
  platform: "browser",
  target: "es2023",
  format: "esm",
  splitting: true,
  chunkNames,
});

const itemPages = sharing(
  {
    chat: "src/chat/page/chatPage.tsx",
    agent: "src/agents/page/agentPage.tsx",
    agentForm: "src/agents/page/agentForm.tsx",
    dataSourceForm: "src/dataSources/page/dataSourceForm.tsx",
    mlEngine: "src/dataSources/page/mlEnginePage.tsx",
    viewForm: "src/views/page/viewForm.tsx",
    job: "src/jobs/page/jobPage.tsx",
    jobForm: "src/jobs/page/jobForm.tsx",
    serverSettings: "src/serverSettings/page/settingsForm.tsx",
    trigger: "src/triggers/page/triggerPage.tsx",
    triggerForm: "src/triggers/page/triggerForm.tsx",
    model: "src/models/page/modelPage.tsx",
    modelTrain: "src/models/page/trainPage.tsx",
    knowledgeBase: "src/knowledgeBases/page/knowledgeBasePage.tsx",
    knowledgeBaseForm: "src/knowledgeBases/page/knowledgeBaseForm.tsx",
    knowledgeBaseFill: "src/knowledgeBases/page/fill/fillPage.tsx",
    agentResults: "src/agentTests/page/resultsPage.tsx",
    table: "src/tables/page/tablePage.tsx",
    whatIf: "src/predict/page/whatIf/whatIfPage.tsx",
    sqlResults: "src/predict/page/sqlResults/sqlResultsPage.tsx",
    // What draws a notebook's outputs: its style sheets are texts in it, which a shadow root takes.
    result: "src/predict/page/renderer.tsx",
    knowledgeBaseDocuments: "src/knowledgeBases/page/documents/documentsPage.tsx",
  },
  "page-[hash]",
);
itemPages.alias = {
  "@vscode/l10n": path.resolve("src/shared/page/l10n.ts"),
  entities: path.resolve("src/shared/page/htmlEntities.ts"),
};

/** With style sheets: each page has its own, and links to those that it shares. */
const styledPages = {
  ...itemPages,
  entryPoints: { ...sharedStyles, ...itemPages.entryPoints },
  plugins: [importSharedStyles],
};

/**
 * Makes every page import these sources, needed or not: what pages share is then one chunk, instead of one for each set of
 * pages. A page waits for each file that it requests longer than for the code in it.
 * @returns {import("esbuild").Plugin}
 */
const importInAllPages = (files) => ({
  name: "shared by all pages",
  setup(build) {
    build.onLoad({ filter: /[\\/]shared[\\/]page[\\/]startPage\.tsx$/ }, ({ path: file }) => ({
      contents: [
        fs.readFileSync(file, "utf8"),
        ...files.map((name) => `import ${JSON.stringify(name)};`),
      ].join("\n"),
      loader: "tsx",
    }));
    // The style sheets come from a build without these imports: with them, each page would have all of them.
    build.onLoad({ filter: /\.css$/ }, ({ with: how }) =>
      how.type === "text" ? undefined : { contents: "", loader: "empty" },
    );
  },
});

/** Writes the pages' style sheets, and returns their outputs and the project's sources that pages share. */
async function buildStyles() {
  const { metafile, outputFiles } = await esbuild.build({
    ...styledPages,
    write: false,
    logLevel: "silent",
  });
  for (const { path: file, contents } of outputFiles) {
    if (file.endsWith(".css")) fs.writeFileSync(file, contents);
  }
  const outputs = Object.entries(metafile.outputs);
  return {
    styles: Object.fromEntries(outputs.filter(([file]) => file.endsWith(".css"))),
    shared: outputs
      .filter(([file, { entryPoint }]) => file.endsWith(".js") && !entryPoint)
      .flatMap(([, { inputs }]) => Object.keys(inputs))
      .filter((name) => /^src\/.*\.tsx?$/.test(name))
      .map((name) => path.resolve(name))
      .sort(),
  };
}

/** Removes the definition of require() from the files that do not call it, which is most of a hundred and more. */
function removeUnusedRequire(outputs) {
  for (const [file, output] of Object.entries(outputs)) {
    if (!file.endsWith(".js")) continue;
    const code = fs.readFileSync(file, "utf8");
    const rest = code.replace(`${defineRequire}\n`, "");
    if (rest.length === code.length || /\brequire\b/.test(rest)) continue;
    fs.writeFileSync(file, rest);
    output.bytes = fs.statSync(file).size;
  }
}

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
  const woff2 = css.replace(/url\("[^"]+"\) format\("truetype"\)/, 'url("./codicon.woff2")');
  const { code } = await esbuild.transform(woff2, { loader: "css", minify: production });
  fs.writeFileSync(path.join(outdir, "codicon.css"), code);
  const subset = await subsetFont(font, used.join(""), { targetFormat: "woff2" });
  fs.writeFileSync(path.join(outdir, "codicon.woff2"), subset);
}

fs.rmSync(outdir, { recursive: true, force: true });
fs.mkdirSync(outdir, { recursive: true });

if (watch) {
  for (const file of ["codicon.css", "codicon.ttf"]) {
    fs.copyFileSync(`${codicons}/${file}`, path.join(outdir, file));
  }
  styledPages.plugins.push(writePages());
  for (const options of [host([]), ...workers, promptfooProvider, styledPages])
    await (await esbuild.context(options)).watch();
} else {
  const common = await findCommon();
  const { styles, shared } = await buildStyles();
  itemPages.plugins = [writePages(styles), importInAllPages(shared)];
  const results = await Promise.all(
    [host(common), ...workers, promptfooProvider, itemPages].map((options) =>
      esbuild.build(options),
    ),
  );
  await writeUsedIcons();
  // For the size report: what each file of dist/ is made of.
  const outputs = Object.assign(styles, ...results.map((result) => result.metafile.outputs));
  // Source maps count lines.
  if (production) removeUnusedRequire(outputs);
  if (outdir === "dist") {
    fs.mkdirSync("out", { recursive: true });
    fs.writeFileSync("out/bundle.json", JSON.stringify(outputs));
  }
}
