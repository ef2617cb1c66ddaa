// Reads YAML into plain nodes that know their place in the text. Never throws; limits what a hostile file can cost.
import * as l10n from "@vscode/l10n";
import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Parser,
  type Document,
  type Node,
  type Pair,
  type Scalar,
} from "yaml";
import { hasUnprintable } from "./unprintable.ts";
import { hasFewBrackets, isShallowToken } from "./yamlDepth.ts";

/** A part of a text, as offsets of UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}

export type YamlScalar = string | number | boolean | null;

export interface YamlEntry {
  key: string;
  keyRange: TextRange;
  value: YamlNode;
}

export type YamlNode =
  | { kind: "scalar"; value: YamlScalar; range: TextRange }
  | { kind: "list"; items: YamlNode[]; range: TextRange }
  /** Keys are unique, in the order of the file. */
  | { kind: "map"; entries: YamlEntry[]; range: TextRange };

export type YamlMap = Extract<YamlNode, { kind: "map" }>;

interface YamlProblem {
  message: string;
  range: TextRange;
}

/** Longer files are not read, in characters. */
export const maxFileLength = 1_000_000;
/** Nodes of a file with its aliases written out: an alias repeats what it names. */
const maxNodes = 200_000;
/** Characters of its texts, counted in the same way. */
const maxCharacters = 5 * maxFileLength;
const maxDepth = 60;
/** Pieces that belong to no document, after which the rest is not read: their cost is quadratic (yaml 2.9). */
const maxStrayTokens = 20;

/** The most errors of a text that are kept. */
const maxErrors = 200;

/**
 * Scalars that js-yaml, which promptfoo uses, reads in another way than YAML 1.2's core schema: dates, and numbers with
 * another base or with underscores.
 */
const ambiguousScalar =
  /^(\d{4}-\d{1,2}-\d{1,2}([Tt\s].*)?|[-+]?0[xob][\da-fA-F_]+|[-+]?[\d.][\d.]*_[\d._]*([eE][-+]?\d+)?)$/;

/** Reads one document; `root` is undefined if nothing of it can be used. */
export function readYaml(text: string): { root: YamlNode | undefined; problems: YamlProblem[] } {
  const whole = { start: 0, end: Math.min(text.length, 1) };
  const refuse = (message: string) => ({ root: undefined, problems: [{ message, range: whole }] });
  const refusal = findRefusal(text);
  if (refusal !== undefined) return refuse(refusal);
  try {
    const parsed = parseDocuments(text);
    if (!parsed) return refuse(l10n.t("The file is nested too deeply."));
    const [document, ...others] = parsed;
    if (!document) return refuse(l10n.t("The file is empty."));
    const problems = document.errors.slice(0, maxErrors).map(({ message, pos: [start, end] }) => ({
      message,
      range: { start, end: Math.max(end, start + 1) },
    }));
    const [second] = others;
    if (second) {
      const message = l10n.t("Not supported here: more than one document in a file.");
      problems.push({ message, range: rangeOf(second) });
    }
    const reader = new Reader(text, problems);
    const root = document.contents ? reader.read(document.contents, 0) : undefined;
    return { root: reader.isOverLimit ? undefined : root, problems };
  } catch {
    // The parser is recursive.
    return refuse(l10n.t("The file is nested too deeply."));
  }
}

/**
 * The only document of a text, with its comments, to be changed; undefined if `readYaml` would refuse the text, or if it
 * has errors.
 */
export function parseYamlDocument(text: string): Document | undefined {
  if (findRefusal(text) !== undefined) return undefined;
  try {
    const [document, second] = parseDocuments(text) ?? [];
    return document?.errors.length === 0 && !second ? document : undefined;
  } catch {
    // The parser is recursive.
    return undefined;
  }
}

/** Why a text is not parsed. */
function findRefusal(text: string): string | undefined {
  if (text.length > maxFileLength) {
    return l10n.t("The file is too large: at most {0} characters are read.", maxFileLength);
  }
  // js-yaml ends a line at a carriage return alone, the parser does not.
  if (hasUnprintable(text) || /\r(?!\n)/.test(text)) {
    return l10n.t("The file contains control characters or is not UTF-8.");
  }
  return hasFewBrackets(text) ? undefined : l10n.t("The file is nested too deeply.");
}

/** The first two documents of a text; undefined if it is nested too deeply. */
function parseDocuments(text: string): Document[] | undefined {
  const known = new Set(["document", "comment", "space", "newline", "doc-end", "directive"]);
  const tokens = [];
  let stray = 0;
  for (const token of new Parser().parse(text)) {
    if (!known.has(token.type) && ++stray > maxStrayTokens) break;
    if (!isShallowToken(token)) return undefined;
    tokens.push(token);
  }
  // The parser compares each key with all keys before it, which takes seconds for a large map; the reader does not.
  const composer = new Composer({ merge: false, uniqueKeys: false });
  const documents: Document[] = [];
  for (const document of composer.compose(tokens, false, text.length)) {
    if (documents.push(document) === 2) break;
  }
  return documents;
}

/** The value without places. */
export function toPlainValue(node: YamlNode): unknown {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(toPlainValue);
    case "map":
      // `fromEntries` also makes an own property of `__proto__`.
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, toPlainValue(value)]));
  }
}

class Reader {
  readonly #text: string;
  readonly #problems: YamlProblem[];
  readonly #anchors = new Map<string, Node>();
  readonly #open = new Set<Node>();
  #nodes = 0;
  #characters = 0;
  isOverLimit = false;

  constructor(text: string, problems: YamlProblem[]) {
    this.#text = text;
    this.#problems = problems;
  }

  read(node: Node, depth: number, at = rangeOf(node)): YamlNode {
    const nothing: YamlNode = { kind: "scalar", value: null, range: at };
    if (this.isOverLimit) return nothing;
    if (isScalar(node)) this.#characters += node.source?.length ?? 0;
    this.#nodes++;
    if (this.#isTooMuch(at)) return nothing;
    if (depth > maxDepth) {
      this.#refuse(l10n.t("The file is nested too deeply."), at);
      return nothing;
    }
    if (isAlias(node)) return this.#readAlias(node.source, depth, at) ?? nothing;
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    if (isScalar(node)) return this.#readScalar(node, at);
    this.#checkTag(node, at);
    this.#open.add(node);
    try {
      if (isSeq(node)) {
        const items = (node.items as Node[]).map((item) => this.read(item, depth + 1));
        return { kind: "list", items, range: at };
      }
      if (isMap(node)) return this.#readMap(node.items as Pair<Node, Node | null>[], depth, at);
      return nothing;
    } finally {
      this.#open.delete(node);
    }
  }

  /** Reports it once. */
  #isTooMuch(at: TextRange): boolean {
    if (this.isOverLimit) return true;
    if (this.#nodes <= maxNodes && this.#characters <= maxCharacters) return false;
    this.#refuse(l10n.t("The file has too many values, including aliases."), at);
    return true;
  }

  #refuse(message: string, at: TextRange): void {
    this.isOverLimit = true;
    this.#report(message, at);
  }

  #readAlias(source: string, depth: number, at: TextRange): YamlNode | undefined {
    const target = this.#anchors.get(source);
    if (!target || this.#open.has(target)) {
      this.#report(l10n.t("Not supported here: a circular alias."), at);
      return undefined;
    }
    // Problems are reported at the alias too, since that is where the value is used.
    return this.read(target, depth + 1, at);
  }

  #readScalar(node: Scalar, at: TextRange): YamlNode {
    const { value } = node;
    this.#checkScalar(node, at);
    const isKnown = value === null || ["string", "number", "boolean"].includes(typeof value);
    return { kind: "scalar", value: isKnown ? (value as YamlScalar) : null, range: at };
  }

  #checkScalar(node: Scalar, at: TextRange): void {
    const { value, source = "", type } = node;
    this.#checkTag(node, at);
    const isInfinite = typeof value === "number" && !Number.isFinite(value) && /\d/.test(source);
    if (type === "PLAIN" && (isInfinite || ambiguousScalar.test(source))) {
      this.#report(
        l10n.t("promptfoo reads {0} differently from YAML 1.2. Put it in quotes.", source),
        at,
      );
    }
    // The parser takes an escaped quotation mark at the end of a line for the last one (yaml 2.9).
    const isOpen = /(?<!\\)(\\\\)*\\"$/.test(this.#text.slice(at.start, at.end));
    if (type === "QUOTE_DOUBLE" && isOpen) this.#report(l10n.t("A quotation mark is missing."), at);
  }

  #checkTag({ tag }: Node, at: TextRange): void {
    if (tag !== undefined) this.#report(l10n.t("Not supported here: the tag {0}.", tag), at);
  }

  #readMap(pairs: Pair<Node, Node | null>[], depth: number, at: TextRange): YamlMap {
    const own: YamlEntry[] = [];
    const merged: YamlEntry[] = [];
    const names = new Set<string>();
    for (const { key, value } of pairs) {
      const keyRange = rangeOf(key);
      // A value is counted when it is read.
      if (isScalar(key)) this.#characters += key.source?.length ?? 0;
      if (!isScalar(key) || !value) this.#nodes++;
      if (this.#isTooMuch(keyRange)) break;
      if (!isScalar(key)) {
        this.#report(l10n.t("Not supported here: a key that is not a string."), keyRange);
        continue;
      }
      this.#checkScalar(key, keyRange);
      const read: YamlNode = value
        ? this.read(value, depth + 1)
        : { kind: "scalar", value: null, range: keyRange };
      if (key.value === "<<" && key.type === "PLAIN") {
        const sources = read.kind === "list" ? read.items : [read];
        for (const source of sources) {
          if (source.kind === "map") for (const entry of source.entries) merged.push(entry);
          else this.#report(l10n.t("Only a map can be merged with <<."), keyRange);
        }
      } else {
        const name = String(key.value);
        if (names.has(name)) this.#report(l10n.t("{0} appears twice.", name), keyRange);
        else own.push({ key: name, keyRange, value: read });
        names.add(name);
      }
    }
    const added: YamlEntry[] = [];
    for (const entry of merged) {
      if (names.has(entry.key)) continue;
      names.add(entry.key);
      added.push(entry);
    }
    return { kind: "map", entries: [...own, ...added], range: at };
  }

  #report(message: string, range: TextRange): void {
    if (this.#problems.length >= 2 * maxErrors) return;
    this.#problems.push({ message, range });
  }
}

function rangeOf(node: unknown): TextRange {
  const { range } = node as { range?: [number, number, number] | null };
  const [start, end] = range ?? [0, 1];
  return { start, end: Math.max(end, start + 1) };
}
