// Exports every text that a user can see from src/ to l10n/bundle.l10n.json, for translators.
// Usage: node scripts/l10n.ts [--check]   (--check changes nothing and fails where the file is not what an export gives)
import fs from "node:fs";
import path from "node:path";
import { getL10nJson } from "@vscode/l10n-dev";

const root = path.resolve(import.meta.dirname, "..");

/** The English texts, as the keys of their translations: `{"Open Chat": "Open Chat", …}`. */
const bundlePath = path.join(root, "l10n", "bundle.l10n.json");

/** Reads the texts of all calls of l10n.t in src/. */
async function exportTexts(): Promise<Record<string, unknown>> {
  const files = fs.globSync("src/**/*.{ts,tsx}", { cwd: root }).sort();
  const texts = await getL10nJson(
    files.map((file) => ({
      extension: path.extname(file) as ".ts" | ".tsx",
      contents: fs.readFileSync(path.join(root, file), "utf8"),
    })),
  );
  return Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const texts = `${JSON.stringify(await exportTexts(), null, 2)}\n`;
if (process.argv.includes("--check")) {
  const isCurrent = fs.existsSync(bundlePath) && fs.readFileSync(bundlePath, "utf8") === texts;
  if (!isCurrent) console.log("l10n/bundle.l10n.json is out of date: run npm run l10n");
  process.exit(isCurrent ? 0 : 1);
}
fs.mkdirSync(path.dirname(bundlePath), { recursive: true });
fs.writeFileSync(bundlePath, texts);
