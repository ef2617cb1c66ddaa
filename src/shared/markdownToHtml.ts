// Converts Markdown from a server to HTML: without raw HTML and images, and with http, https and mailto links only.
import MarkdownIt, { type MarkdownIt as Parser } from "markdown-it";
import { findLanguage } from "./codeColors.ts";
import { nextFence } from "./fenceText.ts";
import { isLinkAddress } from "./linkAddress.ts";
import { splitLines } from "./textChunks.ts";

const markdownIt = createMarkdownIt();
const withoutLinks = createMarkdownIt().disable(["link", "image"]);
/** For each bracket, markdown-it searches what follows for its end: with thousands in a piece, a page stands still. */
const maxBrackets = 400;
/** Reads only link definitions, which may be far from the links that use them. */
const definitions = new MarkdownIt("zero").enable(["reference", "fence", "code"]);

/**
 * Yields the HTML of a Markdown text in pieces that are small enough to create and lay out one at a time; an empty piece
 * is a place to pause. A text of normal length is one piece of plain CommonMark with tables. A longer one is split between
 * blocks, or inside a very long block.
 */
export function* markdownToHtml(source: string): Generator<string> {
  if (source.length <= usualLength) {
    yield render(source);
    return;
  }
  const pieces: string[] = [];
  const shared = {};
  for (const piece of markdownPieces(source)) {
    pieces.push(piece);
    definitions.parse(piece, shared);
    yield "";
  }
  for (const piece of pieces) yield render(piece, shared);
}

/** The HTML of a piece. Brackets are text where there are more of them than links fit in. */
function render(piece: string, env: Record<string, unknown> = {}): string {
  const isCrowded = piece.split("[", maxBrackets + 2).length > maxBrackets + 1;
  return (isCrowded ? withoutLinks : markdownIt).render(piece, env);
}

function createMarkdownIt(): Parser {
  const md = new MarkdownIt({ html: false, linkify: true });
  md.validateLink = isLinkAddress;
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  const { escapeHtml } = md.utils;

  md.renderer.rules.image = (tokens, index) => {
    const image = tokens[index];
    const [alt, address] = [image?.content ?? "", String(image?.attrGet("src") ?? "")];
    return `<code>![${escapeHtml(alt)}](${escapeHtml(address)})</code>`;
  };
  // With a class of our own alone: text from a server must not choose class names.
  md.renderer.rules.fence = (tokens, index) => {
    const { content = "", info = "" } = tokens[index] ?? {};
    const language = findLanguage(info.trim());
    const attribute = language ? ` class="language-${language}"` : "";
    return `<pre><code${attribute}>${escapeHtml(content)}</code></pre>\n`;
  };

  md.core.ruler.push("page", ({ tokens }) => {
    for (const token of tokens) {
      // h1 and h2 are the page's own headings.
      const level = /^h([1-6])$/.exec(token.tag)?.[1];
      if (level) token.tag = `h${String(Math.min(6, Number(level) + 2))}`;
      // The page's content security policy forbids inline styles.
      const align = /^text-align:(\w+)$/.exec(String(token.attrGet("style") ?? ""))?.[1];
      if (align) token.attrs = [["class", `align-${align}`]];
    }
  });
  return md;
}

const usualLength = 8_000;
/** Target length of a piece, in characters. */
const pieceLength = 4_000;
const pieceLines = 200;

/** Splits a long Markdown text between blocks; inside a block only if it is very long, and never inside a fence. */
function* markdownPieces(source: string): Generator<string> {
  let lines: string[] = [];
  let length = 0;
  let fence: string | undefined;
  /** Index in `lines` of the first line of the current block. */
  let block = 0;

  for (const line of splitLines(source, usualLength)) {
    const startsBlock = block === lines.length && /^\S/.test(line);
    const isLong = length > pieceLength || lines.length > pieceLines;
    const isFull = startsBlock ? isLong : length + line.length > usualLength;
    if (isFull && fence === undefined && lines.length > 0) {
      const table = tableHead(lines.slice(block));
      yield lines.join("\n");
      lines = table;
      length = lines.join("\n").length;
      block = 0;
    }
    lines.push(line);
    length += line.length + 1;
    fence = nextFence(fence, line);
    if (fence === undefined && line.trim() === "") block = lines.length;
  }
  if (lines.length > 0) yield lines.join("\n");
}

/** The first two lines of a table, repeated where it is split; nothing for other blocks. */
function tableHead([head, rule]: string[]): string[] {
  if (head === undefined || rule === undefined) return [];
  const isRule = rule.includes("|") && rule.includes("-") && /^[\s|:-]+$/.test(rule);
  return head.includes("|") && isRule ? [head, rule] : [];
}
