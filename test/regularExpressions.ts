// The regular expressions in the sources, and for each the inputs that are worst for it.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { RegExpParser, visitRegExpAST, type AST } from "@eslint-community/regexpp";
import ts from "typescript";

export interface FoundRegExp {
  /** Like "src/mindsdb/sql/runSql.ts:57". */
  place: string;
  /** Its pattern, without slashes. */
  source: string;
  flags: string;
  /** Whether it is used to find all matches in a text, and not only the first one. */
  findsAll: boolean;
}

export interface FoundRegExps {
  literals: FoundRegExp[];
  /** Files with `new RegExp(…)`, whose patterns cannot be read from the source. */
  constructing: Set<string>;
}

/** All regular expressions of the TypeScript files in a folder, in the order of files and lines. */
export function findRegExps(folder: string): FoundRegExps {
  const found: FoundRegExps = { literals: [], constructing: new Set() };
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    if (!/\.tsx?$/.test(name)) continue;
    const file = path.join(folder, name);
    const text = fs.readFileSync(file, "utf8");
    const sourceFile = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const shownName = `${path.basename(folder)}/${name.replaceAll(path.sep, "/")}`;
    visit(sourceFile, sourceFile, shownName, found);
  }
  return found;
}

function visit(node: ts.Node, file: ts.SourceFile, name: string, found: FoundRegExps): void {
  const line = (): string =>
    String(file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1);
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf("/");
    const flags = node.text.slice(end + 1);
    const findsAll = /[gy]/.test(flags) || isSplitBy(node);
    found.literals.push({
      place: `${name}:${line()}`,
      source: node.text.slice(1, end),
      flags,
      findsAll,
    });
  }
  const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
  if (isCall && ts.isIdentifier(node.expression) && node.expression.text === "RegExp") {
    found.constructing.add(name);
  }
  ts.forEachChild(node, (child) => visit(child, file, name, found));
}

function isSplitBy(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    parent.expression.name.text === "split"
  );
}

/**
 * The regular expressions that a file makes of texts, when it is loaded and when `drive` uses it. The file is loaded a
 * second time, beside the one that others import.
 */
export async function recordConstructed(
  file: string,
  drive: (module: Record<string, unknown>) => void,
): Promise<FoundRegExp[]> {
  const recorded: FoundRegExp[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, args: [pattern: string | RegExp, flags?: string], newTarget) {
      const expression = Reflect.construct(target, args, newTarget) as RegExp;
      const { source, flags } = expression;
      recorded.push({ place: file, source, flags, findsAll: /[gy]/.test(flags) });
      return expression;
    },
  });
  try {
    const url = `${pathToFileURL(file).href}?recorded`;
    drive((await import(url)) as Record<string, unknown>);
  } finally {
    globalThis.RegExp = original;
  }
  return recorded;
}

/** A text that begins with `prefix`, goes on with `pump` again and again, and ends with `suffix`. */
export interface WorstInput {
  prefix: string;
  pump: string;
  suffix: string;
}

/** Characters that mean something in what servers and files send. */
const usualCharacters = [..."aA0 _-.,:;'\"`\\/*#[]({<|=@%&é中\t\n"];

const maxOwnPumps = 80;
const maxPrefixes = 3;

/** Inputs made of what the expression looks for, with ends at which it fails after all. */
export function worstInputs({ source, flags }: FoundRegExp): WorstInput[] {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes("u"),
    unicodeSets: flags.includes("v"),
  });
  const examples = new Examples(source, flags);
  const pumps = new Set<string>();
  const prefixes = new Set<string>([""]);
  /** What begins a search through the rest of a text, which each repetition begins again; also as words. */
  const starts = new Set<string>();
  visitRegExpAST(pattern, {
    onAlternativeEnter({ elements }) {
      const search = elements.findIndex((one) => one.type === "Quantifier" && one.max >= 10);
      for (const text of examples.ofSequence(elements.slice(0, Math.max(0, search))).slice(0, 2)) {
        if (text !== "") starts.add(text).add(`${text} `);
      }
      for (let from = 0; from < elements.length; from++) {
        for (let to = elements.length; to > from; to--) {
          for (const text of examples.ofSequence(elements.slice(from, to)).slice(0, 3)) {
            pumps.add(text);
          }
        }
      }
    },
    onQuantifierEnter({ element, max }) {
      if (max < 10) return;
      for (const text of examples.of(element)) pumps.add(text);
    },
  });
  for (const { elements } of pattern.alternatives) {
    for (let to = elements.length; to > 0; to--) {
      for (const text of examples.ofSequence(elements.slice(0, to)).slice(0, 1)) {
        prefixes.add(text);
      }
    }
  }
  pumps.delete("");
  // The short ones first: of those, any expression has few.
  const own = [...pumps].sort((a, b) => a.length - b.length).slice(0, maxOwnPumps);
  const inputs: WorstInput[] = [];
  for (const pump of new Set([...own, ...starts, ...usualCharacters])) {
    inputs.push({ prefix: "", pump, suffix: "" });
    // Hardly any expression has a place for this character: what has matched so far was in vain.
    for (const prefix of [...prefixes].slice(0, maxPrefixes)) {
      inputs.push({ prefix, pump, suffix: "\u0000" });
    }
  }
  return inputs;
}

export function textOf({ prefix, pump, suffix }: WorstInput, size: number): string {
  return prefix + pump.repeat(Math.ceil(size / pump.length)) + suffix;
}

const maxExamples = 4;

/** Short texts that parts of an expression match. */
class Examples {
  readonly #flags: string;
  /** Characters to try for sets. */
  readonly #candidates: string[];

  constructor(source: string, flags: string) {
    this.#flags = flags.replace(/[gy]/g, "");
    this.#candidates = [...new Set([...usualCharacters, ...source])];
  }

  ofSequence(elements: readonly AST.Element[]): string[] {
    let texts = [""];
    for (const element of elements) {
      const next = this.of(element);
      texts = texts.flatMap((text) => next.map((more) => text + more)).slice(0, 3 * maxExamples);
    }
    return [...new Set(texts)].slice(0, maxExamples);
  }

  of(element: AST.Element): string[] {
    switch (element.type) {
      case "Character":
        return [String.fromCodePoint(element.value)];
      case "CharacterSet":
      case "CharacterClass":
      case "ExpressionCharacterClass":
        return this.#ofSet(element.raw);
      case "Group":
      case "CapturingGroup":
        return element.alternatives
          .flatMap(({ elements }) => this.ofSequence(elements))
          .slice(0, 2 * maxExamples);
      case "Quantifier": {
        const texts = this.of(element.element);
        const repeated = texts.map((text) => text.repeat(Math.max(1, element.min)));
        return element.min === 0 ? [...repeated, ""] : repeated;
      }
      case "Assertion":
      case "Backreference":
        return [""];
    }
  }

  #ofSet(raw: string): string[] {
    const set = new RegExp(`^${raw}$`, this.#flags.includes("s") ? this.#flags : `${this.#flags}s`);
    const matching = this.#candidates.filter((character) => set.test(character));
    return matching.slice(0, 3);
  }
}
