// package.json and the code say the same, both ways.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as ids from "../../src/ids.ts";
import { rowsFileEndings } from "../../src/predict/rows/readRows.ts";
import { uploadEndings } from "../../src/tables/uploadSource.ts";
import type { CommandTable } from "../../src/shared/host/commands.ts";

const root = path.resolve(import.meta.dirname, "..", "..");
const read = (file: string) => fs.readFileSync(path.join(root, file), "utf8");

interface MenuItem {
  command?: string;
  when?: string;
  group?: string;
}
interface Command extends MenuItem {
  command: string;
  title: string;
  category: string;
  enablement?: string;
}
interface WalkthroughStep {
  title: string;
  description: string;
  media: { svg: string; altText: string };
  completionEvents: string[];
}
interface Manifest {
  contributes: {
    commands: Command[];
    menus: Record<string, MenuItem[]>;
    views: Record<string, { id: string; name: string; when?: string }[]>;
    viewsContainers: Record<string, { id: string; icon: string }[]>;
    notebooks: { type: string; selector: { filenamePattern: string }[] }[];
    notebookRenderer: { id: string; entrypoint: string; mimeTypes: string[] }[];
    jsonValidation: { fileMatch: string; url: string }[];
    viewsWelcome: { view: string; contents: string; when: string }[];
    walkthroughs: { id: string; steps: WalkthroughStep[] }[];
    configuration: { properties: Record<string, Record<string, unknown>> };
  };
  activationEvents: string[];
  icon: string;
}

const manifestText = read("package.json");
const manifest = JSON.parse(manifestText) as Manifest;
const texts = JSON.parse(read("package.nls.json")) as Record<string, string>;
const { contributes } = manifest;
const sources = fs
  .globSync("src/**/*.{ts,tsx}", { cwd: root })
  .filter((file) => !file.endsWith(path.join("src", "ids.ts")))
  .map(read)
  .join("\n");

type CommandId = (typeof ids.commands)[keyof typeof ids.commands];
/** Does not compile if a command's handler is missing in the types that check the arguments of commands. */
const isEachTyped: [Exclude<CommandId, keyof CommandTable>] extends [never] ? true : false = true;
/** Does not compile if a command takes anything else. */
const jobEditTakes: Parameters<CommandTable["mindsdbWorkbench.job.edit"]> extends [
  { connectionId: string; project: string; name: string },
]
  ? true
  : false = true;

const sorted = (items: Iterable<string>) => [...items].sort();
const prefix = "mindsdbWorkbench.";

/** Every `when` and `enablement` clause. */
function clauses(): string[] {
  return [
    ...contributes.commands.flatMap(({ enablement }) => enablement ?? []),
    ...Object.values(contributes.menus).flatMap((items) => items.flatMap(({ when }) => when ?? [])),
    ...contributes.viewsWelcome.map(({ when }) => when),
    ...Object.values(contributes.views).flatMap((views) => views.flatMap(({ when }) => when ?? [])),
    ...completions("onContext:"),
  ];
}

/** What steps of the walkthrough wait for, of one kind. */
function completions(kind: string): string[] {
  return contributes.walkthroughs
    .flatMap(({ steps }) => steps.flatMap(({ completionEvents }) => completionEvents))
    .filter((event) => event.startsWith(kind))
    .map((event) => event.slice(kind.length));
}

/** Whether a clause of the tree's menu lets an item stand at a node of this kind. */
function isFor(clause: string, kind: string): boolean {
  const [, same, pattern] = /viewItem (?:== (\S+)|=~ \/(.+)\/)$/.exec(clause) ?? [];
  return pattern === undefined ? same === kind : new RegExp(pattern).test(kind);
}

/** Our own keys in a clause: not view ids, which stand to the right of `view ==`. */
function keysIn(clause: string): string[] {
  const withoutViews = clause
    .replaceAll(/\b(view|activeWebviewPanelId|notebookType|controllerId)\s*==\s*\S+/g, "")
    .replaceAll(/\bview\.\S+\.visible\b/g, "");
  return withoutViews.match(/mindsdbWorkbench\.[\w.]+/g) ?? [];
}

describe("manifest", () => {
  it("declares the commands that the code names, and no other", () => {
    assert.deepEqual(
      sorted(contributes.commands.map(({ command }) => command)),
      sorted(Object.values(ids.commands)),
    );
  });

  it("knows the arguments of every command", () => {
    assert.ok(isEachTyped && jobEditTakes);
  });

  for (const [name, id] of Object.entries(ids.commands)) {
    it(`has ${id} registered exactly once`, () => {
      const registrations = sources.match(new RegExp(`\\[commands\\.${name}\\]: `, "g"));
      assert.equal(registrations?.length, 1);
    });
  }

  it("gives every command the category and a title in Title Case", () => {
    for (const { command, title, category } of contributes.commands) {
      assert.equal(category, "MindsDB", command);
      const text = texts[title.replaceAll("%", "")] ?? "";
      assert.match(text, /^[A-Z]/, command);
      for (const word of text
        .split(" ")
        // promptfoo writes its name so.
        .filter((part) => part.length > 4 && /^[a-z]/i.test(part) && part !== "promptfoo")) {
        assert.match(word, /^[A-Z]/, `${command}: ${text}`);
      }
    }
  });

  it("uses declared commands only, in menus, welcome texts and the walkthrough", () => {
    const declared = new Set(contributes.commands.map(({ command }) => command));
    const inMenus = Object.values(contributes.menus).flatMap((items) =>
      items.flatMap(({ command }) => command ?? []),
    );
    const inTexts = Object.values(texts).flatMap((text) =>
      [...text.matchAll(/\(command:([\w.]+)/g)].map((match) => match[1] ?? ""),
    );
    assert.ok(inTexts.length > 0);
    // VS Code makes a command that shows a view, for each view.
    declared.add(`${ids.views.explorer}.focus`);
    for (const command of [...inMenus, ...inTexts, ...completions("onCommand:")]) {
      assert.ok(declared.has(command), command);
    }
  });

  it("offers to change the language where a SQL file of another language is edited", () => {
    const offered = ["editor/context", "editor/title", "commandPalette"].map((menu) =>
      contributes.menus[menu]?.some(
        ({ command, when }) =>
          command?.endsWith(ids.commands.sqlUseLanguage) &&
          when?.startsWith("editorLangId == sql "),
      ),
    );
    assert.deepEqual(offered, [true, true, true]);
  });

  it("offers commands on files of every ending that they read, and no other", () => {
    const readers: [command: string, endings: readonly string[]][] = [
      [ids.commands.predictFromFile, rowsFileEndings],
      [ids.commands.tableUpload, uploadEndings],
    ];
    const others = ["md", "xls", "csv.bak", "yaml", "tsvx", "xcsv", ""];
    for (const [command, endings] of readers) {
      const items = Object.values(contributes.menus).flat();
      const clauses = items.flatMap(({ when = "", ...item }) =>
        item.command === command && when.includes("resourceExtname") ? when : [],
      );
      assert.ok(clauses.length > 0, command);
      for (const clause of clauses) {
        const [, pattern = ""] = /resourceExtname =~ \/(.*)\/i/.exec(clause) ?? [];
        const isOffered = (ending: string): boolean =>
          new RegExp(pattern, "i").test(path.extname(`a.${ending}`));
        const expected = [...endings].sort();
        assert.deepEqual([...endings, ...others].filter(isOffered).sort(), expected, clause);
        assert.ok(isOffered("TSV") && isOffered("Ndjson"), clause);
      }
    }
  });

  it("sets every key that a clause reads, and reads every key that it sets", () => {
    const keys = new Set(clauses().flatMap(keysIn));
    for (const [name, key] of Object.entries(ids.contextKeys)) {
      assert.match(sources, new RegExp(`contextKeys\\.${name}\\b`), `${key} is never set`);
    }
    assert.deepEqual(sorted(keys), sorted(Object.values(ids.contextKeys)));
  });

  it("declares the settings that the code reads, each with description and default", () => {
    const { section, ...names } = ids.settings;
    const declared = Object.entries(contributes.configuration.properties);
    assert.deepEqual(
      sorted(declared.map(([id]) => id)),
      sorted(Object.values(names).map((name) => `${section}.${name}`)),
    );
    for (const [name] of Object.entries(names)) {
      const read = new RegExp(`(ids|settings)\\.${name}\\b|number\\("${name}"\\)`);
      assert.match(sources, read, `${name} is never read`);
    }
    for (const [id, setting] of declared) {
      assert.ok(setting["description"] ?? setting["markdownDescription"], id);
      assert.ok("default" in setting, id);
      if (setting["type"] === "number") assert.ok("minimum" in setting && "maximum" in setting, id);
    }
  });

  it("has a text for every %key% and uses every text", () => {
    const used = new Set(
      [...manifestText.matchAll(/"%([\w.]+)%"/g)].map((match) => match[1] ?? ""),
    );
    assert.deepEqual(sorted(used), sorted(Object.keys(texts)));
  });

  it("begins the menu of a node with what a click on it does", () => {
    const items = contributes.menus["view/item/context"] ?? [];
    const { knowledgeBaseShow, agentAsk, modelShow } = ids.commands;
    for (const [kind, command] of [
      ["knowledgeBase", knowledgeBaseShow],
      ["knowledgeBase.named", knowledgeBaseShow],
      ["agent", agentAsk],
      ["agent.named", agentAsk],
      ["model", modelShow],
      ["modelVersion", modelShow],
    ] as const) {
      const menu = items
        .filter(({ when = "", group = "" }) => isFor(when, kind) && !group.startsWith("inline"))
        .sort((a, b) => ((a.group ?? "") < (b.group ?? "") ? -1 : 1));
      assert.equal(menu[0]?.command, command, kind);
    }
  });

  it("declares the views and panels that the code makes", () => {
    const views = Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id));
    assert.deepEqual(views, [ids.views.explorer, ids.views.conversations, ids.views.sqlResults]);
    assert.ok(
      contributes.viewsContainers["activitybar"]?.some(({ id }) => id === ids.views.container),
    );
    assert.ok(
      contributes.viewsContainers["panel"]?.some(({ id }) => id === ids.views.sqlContainer),
    );
    assert.deepEqual(
      sorted(manifest.activationEvents),
      sorted([
        ...Object.values(ids.panels).map((panel) => `onWebviewPanel:${panel}`),
        ...Object.values(ids.fileSystems).map((scheme) => `onFileSystem:${scheme}`),
        // Files of the language "sql" that the user has chosen to use as MindsDB's.
        "onLanguage:sql",
        // Agent tests are there before the user has looked at anything of the extension.
        "onView:workbench.view.testing",
        "workspaceContains:**/*.agent-test.{yaml,yml}",
        "workspaceContains:**/promptfooconfig*.{yaml,yml}",
      ]),
    );
  });

  it("declares the predict notebook, what draws its results and the schema of its recipes", () => {
    const { type, renderer, mime, ending } = ids.notebooks;
    const [notebook] = contributes.notebooks;
    assert.equal(notebook?.type, type);
    assert.deepEqual(notebook.selector, [{ filenamePattern: `*${ending}` }]);
    const [declared] = contributes.notebookRenderer;
    assert.equal(declared?.id, renderer);
    assert.deepEqual(declared.mimeTypes, [mime]);
    assert.match(
      read("esbuild.js"),
      new RegExp(`${path.basename(declared.entrypoint, ".js")}: "src/predict/page`),
    );
    const [schema] = contributes.jsonValidation;
    assert.equal(schema?.fileMatch, `*${ending}`);
  });

  it("is packed with every file that it names", () => {
    const packed = read(".vscodeignore").match(/(?<=^!).+/gm) ?? [];
    const named = read("package.json").match(/(?<=": "(\.\/)?)(media|dist)\/[^"]+/g) ?? [];
    assert.ok(named.length > 10);
    for (const file of named) {
      assert.ok(
        packed.some((pattern) => path.matchesGlob(file, pattern)),
        file,
      );
    }
  });

  it("leads from no server to a prediction in five steps, each with a way on and an end", () => {
    const [walkthrough] = contributes.walkthroughs;
    assert.equal(walkthrough?.id, ids.walkthrough);
    assert.equal(walkthrough.steps.length, 5);
    for (const { description, media, completionEvents } of walkthrough.steps) {
      assert.match(texts[description.replaceAll("%", "")] ?? "", /\n\[.+\]\(command:/);
      assert.notEqual(completionEvents.length, 0);
      assert.match(read(media.svg), /^<svg [^]*--vscode-/);
      // VS Code shows it under a policy that lets no style sheet in.
      assert.doesNotMatch(read(media.svg), /<style|style=|class=/);
    }
    assert.equal(completions("onContext:").length, 5);
  });

  it("names one first way to begin, in the empty view and in the first steps", () => {
    const firstWay = (text = "") =>
      /\[.+?\]\(command:[\w.]+\)/.exec(texts[text.replaceAll("%", "")] ?? "");
    const [welcome] = contributes.viewsWelcome;
    const [connect] = contributes.walkthroughs[0]?.steps ?? [];
    assert.ok(firstWay(welcome?.contents));
    assert.deepEqual(firstWay(welcome?.contents)?.[0], firstWay(connect?.description)?.[0]);
  });

  it("ships the pictures it names", () => {
    const pictures = [
      manifest.icon,
      ...Object.values(contributes.viewsContainers).flatMap((list) => list.map(({ icon }) => icon)),
    ];
    for (const picture of pictures) assert.ok(fs.existsSync(path.join(root, picture)), picture);
  });

  it("starts every id with the product's name, never with another extension's", () => {
    for (const id of Object.values({ ...ids.commands, ...ids.contextKeys, ...ids.panels })) {
      assert.ok(id.startsWith(prefix), id);
    }
  });
});
