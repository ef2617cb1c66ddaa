// The lint rule against searches in loops.
import path from "node:path";
import { RuleTester } from "eslint";
import tseslint from "typescript-eslint";
import { nestedSearch } from "../../scripts/nestedSearch.mjs";

// The rule asks for types. The file need not exist.
const filename = path.resolve("nested.ts");
const tester = new RuleTester({
  languageOptions: {
    parser: tseslint.parser,
    parserOptions: {
      projectService: { allowDefaultProject: ["nested.ts"] },
      tsconfigRootDir: process.cwd(),
    },
  },
});

/** With lists of which nothing is known. */
const inFunction = (code: string) => ({
  name: code,
  filename,
  code: `export {}; interface Item { names: string[]; ids: Set<string>; items: Item[] }
export async function run(names: readonly string[], others: string[], items: Item[], text: string, ...rest: (() => string[])[]) {
${code}
}`,
});

const searches = [
  "names.filter((name) => others.includes(name));",
  "names.filter((name) => !others.some((other) => other === name));",
  "for (const name of names) if (others.indexOf(name) > 0) return;",
  "for (const [at, name] of names.entries()) if (others.findIndex((one) => one === name) < at) return;",
  "let n = 0; while (names.includes(`${text}${String(n)}`)) n++;",
  "let n = 0; do n++; while (n < names.lastIndexOf(text));",
  "for (let n = 0; n < others.indexOf(text); n++) text += n;",
  "new Set(names).forEach((name) => others.find((other) => other === name));",
  "Array.from(names, (name) => others.findLast((other) => other === name));",
  "names.reduce((sum, name) => sum + others.findLastIndex((other) => other === name), 0);",
  "names.toSorted((a, b) => others.indexOf(a) - others.length);",
  // Of one item, but searched for each of its items.
  "for (const item of items) item.items.filter((one) => item.names.includes(text));",
  // Optional, possibly missing, and behind a call.
  "const found = items[0]?.names; names.map((name) => found?.includes(name));",
  "names.map((name) => rest[0]!().includes(name));",
  "names.map((name) => Object.keys(others).includes(name));",
  // Copied in the loop.
  "names.map((name) => { const copy = others.slice(1); return copy.includes(name); });",
  // Inside of a function that is called in the loop.
  "names.map((name) => rest.push(() => [name].filter(() => others.includes(name))));",
  // The list that grows.
  "const seen: string[] = []; for (const name of names) if (!seen.includes(name)) seen.push(name);",
  // The comment gives a reason, and stands at the search.
  "names.filter((name) => others.includes(name)); // few:\n",
  "// names are few: two\nnames.filter((name) => others.includes(name));",
];

const fine = [
  "others.includes(text); names.filter((name) => name !== text);",
  "names.filter((name) => text.includes(name)); names.map((name) => name.indexOf(text));",
  "const known = new Set(others); names.filter((name) => known.has(name));",
  // Lists of the items, which all together are as long as what is looped over.
  "items.filter(({ names }) => names.includes(text));",
  "items.map((item) => { const found = item.names.filter(Boolean); return found.includes(text); });",
  "for (const { items: inner } of items) if (inner.some(({ names }) => names.includes(text))) return;",
  "items.map((item) => Object.keys(item).includes(text));",
  "items.map((item) => (item?.names ?? []).find((name) => name === text));",
  "for (const name of names) { const read = await Promise.resolve(others); read.includes(name); }",
  // Lists that are written out.
  `names.filter((name) => ["a", "b"].includes(name));`,
  `const few = ["a", "b"]; names.filter((name) => few.includes(name));`,
  `["a", "b"].filter((name) => others.includes(name));`,
  `for (const name of ["a", "b"] as const) others.includes(name);`,
  "const pair: [string, string] = [text, text]; names.filter((name) => pair.includes(name));",
  // What a loop begins with.
  "for (const name of others.filter((one) => one === text)) text += name;",
  "for (let n = others.indexOf(text); n > 0; n--) text += n;",
  // Named exceptions.
  "// few: two names\nnames.filter((name) => others.includes(name));",
  "names.filter((name) => others.includes(name)); // few: two names",
];

describe("The lint rule against searches in loops", () => {
  RuleTester.describe = (_: string, run: () => void) => run();
  RuleTester.it = it;
  tester.run("nested-search", nestedSearch, {
    valid: [
      ...fine.map(inFunction),
      {
        filename,
        code: `export const known = Object.keys({ a: 1 }); export const has = (names: string[]) => names.every((name) => known.includes(name));`,
      },
    ],
    invalid: [
      ...searches.map((code) => ({ ...inFunction(code), errors: [{ messageId: "search" }] })),
      {
        filename,
        code: `const seen: string[] = []; export const has = (names: string[]) => names.filter((name) => seen.includes(name) || seen.push(name));`,
        errors: [{ messageId: "search" }],
      },
      {
        ...inFunction("// few: too far away\n\nnames.filter((name) => others.includes(name));"),
        errors: [{ messageId: "unused" }, { messageId: "search" }],
      },
      {
        ...inFunction("// few: two names\nnames.filter((name) => name === text);"),
        errors: [{ messageId: "unused" }],
      },
    ],
  });
});
