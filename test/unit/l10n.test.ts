// The texts to translate and their translations.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { findTexts } from "../../scripts/findTexts.ts";

const root = path.resolve(import.meta.dirname, "..", "..");
const read = (file: string) =>
  JSON.parse(fs.readFileSync(path.resolve(root, file), "utf8")) as Record<string, string>;

describe("Translations", () => {
  const languages = fs
    .globSync("l10n/bundle.l10n.*.json", { cwd: root })
    .map((file) => path.basename(file).split(".")[2] ?? "");

  it("start from a bundle that holds every text of the source, and no other", () => {
    const texts = new Set<string>();
    for (const file of fs.globSync("src/**/*.{ts,tsx}", { cwd: root })) {
      const source = fs.readFileSync(path.join(root, file), "utf8");
      for (const text of findTexts(file, source)) texts.add(text);
    }
    const keys = Object.keys(read("l10n/bundle.l10n.json"));
    assert.deepEqual([...texts].sort(), keys.sort(), "run: npm run l10n");
  });

  it("exist for German", () => {
    assert.deepEqual(languages, ["de"]);
  });

  for (const language of languages) {
    for (const [english, translated] of [
      ["l10n/bundle.l10n.json", `l10n/bundle.l10n.${language}.json`],
      ["package.nls.json", `package.nls.${language}.json`],
    ] as const) {
      it(`of ${english} into ${language} are complete and keep every placeholder`, () => {
        const texts = read(english);
        const translations = read(translated);
        assert.deepEqual(Object.keys(translations).sort(), Object.keys(texts).sort());
        for (const [key, text] of Object.entries(texts)) {
          const translation = translations[key] ?? "";
          assert.deepEqual(placeholders(translation), placeholders(text), key);
          const spaces = /^\s*|\s*$/g;
          assert.deepEqual(translation.match(spaces), text.match(spaces), key);
        }
      });
    }
  }
});

/** What a translation has to keep: {0}, $(icon), command links, and a final ellipsis. */
function placeholders(text: string): string[] {
  return (text.match(/\{\d+\}|\$\([\w-]+\)|command:[\w.]+|…$/g) ?? []).sort();
}
