// Writes the tables of commands, settings and keys in README and docs from package.json. With --check, says what is out
// of date instead.
import fs from "node:fs";
import path from "node:path";
import prettier from "prettier";

type Command = { command: string; title: string; shortTitle?: string };
type Setting = {
  type: string;
  default: unknown;
  minimum?: number;
  maximum?: number;
  description?: string;
  markdownDescription?: string;
};
type Manifest = {
  contributes: {
    commands: Command[];
    configuration: { properties: Record<string, Setting> };
    keybindings: { command: string; key: string; when?: string }[];
    menus: { commandPalette: { command: string; when?: string }[] };
  };
};

const root = path.resolve(import.meta.dirname, "..");
const read = (file: string): string => fs.readFileSync(path.join(root, file), "utf8");

const { contributes } = JSON.parse(read("package.json")) as Manifest;
const texts = JSON.parse(read("package.nls.json")) as Record<string, string>;

/** The English text of a manifest's `%key%`. */
function text(value: string): string {
  return value.startsWith("%") ? (texts[value.slice(1, -1)] ?? value) : value;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}

function settings(): string {
  return table(
    ["Setting", "Default", "Description"],
    Object.entries(contributes.configuration.properties).map(([name, setting]) => [
      `\`${name}\``,
      setting.default === "" ? "" : `\`${JSON.stringify(setting.default)}\``,
      text(setting.markdownDescription ?? setting.description ?? "").replaceAll("\n", " "),
    ]),
  );
}

function commands(): string {
  const hidden = new Set(
    contributes.menus.commandPalette
      .filter(({ when }) => when === "false")
      .map(({ command }) => command),
  );
  const shown = contributes.commands.filter(({ command }) => !hidden.has(command));
  return table(
    ["Command in the palette", "ID"],
    shown.map(({ command, title }) => [`MindsDB: ${text(title)}`, `\`${command}\``]),
  );
}

function keys(): string {
  const names: Record<string, string> = { "notebook.cell.execute": "Run the cell and stay in it" };
  return table(
    ["Key", "Description"],
    contributes.keybindings.map(({ key, command }) => {
      const own = contributes.commands.find((each) => each.command === command);
      const parts = key.split("+").map((part) => part[0]?.toUpperCase() + part.slice(1));
      return [parts.join("+"), names[command] ?? (own ? text(own.title) : command)];
    }),
  );
}

const tables: Record<string, () => string> = { settings, commands, keys };

/** The files with generated tables: between `<!-- NAME: generated -->` and `<!-- end -->`. */
export const generated = ["README.md", "docs/reference.md"];

/** A file's text with its tables made anew from package.json, formatted as `npm run format` does. */
export async function withTables(file: string): Promise<string> {
  const made = read(file).replaceAll(
    /(<!-- (\w+): generated -->)[^]*?(<!-- end -->)/g,
    (_all, begin: string, name: string, end: string) => {
      const make = tables[name];
      if (!make) throw new Error(`${file}: there is no table ${name}`);
      return `${begin}\n\n${make()}\n\n${end}`;
    },
  );
  const options = await prettier.resolveConfig(path.join(root, file));
  return prettier.format(made, { ...options, filepath: file });
}

if (import.meta.filename === process.argv[1]) {
  for (const file of generated) fs.writeFileSync(path.join(root, file), await withTables(file));
}
