// The format of predict notebooks: Markdown whose fenced blocks marked "json predict" or "sql predict" are code cells.
// Every byte belongs to one cell, so that an unchanged notebook is saved byte for byte.
import { sqlLanguage } from "../../ids.ts";

/**
 * The bytes that a cell was read from, as Latin-1, so that they can be metadata of the notebook even if they are not
 * UTF-8.
 */
export interface CellSource {
  /** The position of the cell in the file. Cells that are still neighbors need no new empty line between them. */
  index: number;
  /** Everything before the text: empty lines, the opening fence. */
  head: string;
  body: string;
  /** Everything after it: the end of its last line, the closing fence, empty lines. */
  tail: string;
}

export interface TextCell {
  kind: "markdown" | "code";
  /** The lower-case first word after a code cell's fence, "json", or "sql" by any name; "markdown" for other cells. */
  language: string;
  text: string;
  /** Absent for a cell that was added since the file was read. */
  source?: CellSource;
}

export interface NotebookText {
  /** Whether the file starts with a byte order mark. */
  mark: boolean;
  /** The line end of new lines. */
  lineEnd: string;
  cells: TextCell[];
}

/** A new notebook. */
export const emptyNotebook: NotebookText = { mark: false, lineEnd: "\n", cells: [] };

/** A line and its end: "\n", "\r\n", "\r", or "" for the last one. */
interface Line {
  text: string;
  end: string;
}

/** A cell's part of the file that is being written. */
interface CellText extends Omit<CellSource, "index"> {
  cell: TextCell;
  /** A fence that is still open at the end of the cell. */
  openFence: Fence | undefined;
}

/** An opening fence: its marks, and its indentation after a list marker. For an HTML comment, `marks` is its end. */
interface Fence {
  marks: string;
  indent: number;
}

const utf8Mark = "\u00ef\u00bb\u00bf";

/** Parses any bytes without losing one. */
export function parseNotebook(bytes: Uint8Array): NotebookText {
  const file = Buffer.from(bytes).toString("latin1");
  const mark = file.startsWith(utf8Mark);
  const lines = splitLines(mark ? file.slice(utf8Mark.length) : file);
  if (lines.at(-1)?.text === "") lines.pop();
  return { mark, lineEnd: lines[0]?.end || "\n", cells: readCells(lines) };
}

/**
 * The bytes of a notebook; lines that were not edited keep theirs. Adds empty lines, longer fences and closing fences where
 * the file would otherwise be read as different cells. Adjacent Markdown cells are read again as one, and Markdown cells of
 * empty lines as none.
 */
export function serializeNotebook({ mark, lineEnd, cells }: NotebookText): Uint8Array {
  const pieces = cells
    .map((cell) => (cell.kind === "markdown" ? markdownCellText : codeCellText)(cell, lineEnd))
    .filter(isWritten);
  const first = pieces.at(0);
  const last = pieces.at(-1);
  if (first) trimStart(first);
  if (last?.cell.kind === "markdown") last.tail = splitLines(last.tail)[0]?.end ?? "";
  const texts = pieces.map((piece, index) => {
    const next = pieces[index + 1];
    const text = join([piece.head, piece.body, piece.tail]);
    return next ? join([text, createSeparator(text, piece, next, lineEnd)]) : text;
  });
  const text = join(texts);
  // Without a byte order mark, a text that starts with its bytes would lose them.
  const isMarked = mark || text.startsWith(utf8Mark);
  return Buffer.from((isMarked ? utf8Mark : "") + text, "latin1");
}

function decode(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function encode(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** The lines of a text, including the one after the last line end, even if it is empty. */
function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ text: text.slice(start, index), end });
    start = index + end.length;
  }
  lines.push({ text: text.slice(start), end: "" });
  return lines;
}

function joinLines(lines: readonly Line[]): string {
  return join(lines.map(({ text, end }) => text + end));
}

/** Joins texts. A "\r" and a "\n" that meet must not become one line end. */
function join(parts: readonly string[]): string {
  const written = parts.filter((part) => part !== "");
  return written
    .map((part, index) =>
      part.startsWith("\n") && written[index - 1]?.endsWith("\r") ? `\r${part}` : part,
    )
    .join("");
}

function isBlank(line: Line | undefined): boolean {
  return line !== undefined && /^[ \t]*$/.test(line.text);
}

/** An opening fence in CommonMark: up to three spaces or list markers, then marks; no backtick after backticks. */
const opening = /^ {0,3}((?:(?:[-*+]|\d{1,9}[.)]) {1,4})*)(?:(`{3,})[^`]*|(~{3,}).*)$/s;
const closing = /^( *)(`{3,}|~{3,})[ \t]*$/;
const commentEnd = "-->";
const cellOpening = /^(`{3,}|~{3,}(?!~))[ \t]*([^\s`]+)[ \t]+predict[ \t]*$/;

/** The opening fence of a code cell; undefined for any other line. */
function readCellOpening({ text }: Line): { marks: string; language: string } | undefined {
  const [, marks, language] = cellOpening.exec(text) ?? [];
  if (marks === undefined || language === undefined) return undefined;
  return { marks, language: decode(language) };
}

/** The language of a cell by the word after its fence. */
function languageOf(word: string): string {
  const language = word.toLowerCase();
  return language === sqlLanguage ? "sql" : language;
}

function closes({ text }: Line, { marks, indent }: Fence): boolean {
  if (marks === commentEnd) return text.includes(commentEnd);
  const [, space = "", found = ""] = closing.exec(text) ?? [];
  return found.startsWith(marks) && space.length <= indent + 3;
}

/** The fence or comment that is open after a line. */
function nextFence(line: Line, open: Fence | undefined): Fence | undefined {
  if (open) return closes(line, open) ? undefined : open;
  if (/^ {0,3}<!--/.test(line.text)) {
    return line.text.includes(commentEnd) ? undefined : { marks: commentEnd, indent: 0 };
  }
  const [, markers = "", ticks, tildes] = opening.exec(line.text) ?? [];
  const marks = ticks ?? tildes;
  return marks === undefined ? undefined : { marks, indent: markers.length };
}

/** The fence that is open after these lines. */
function findOpenFence(lines: readonly Line[]): Fence | undefined {
  let open: Fence | undefined;
  for (const line of lines) open = nextFence(line, open);
  return open;
}

function readCells(lines: readonly Line[]): TextCell[] {
  const cells: TextCell[] = [];
  let prose: Line[] = [];
  let openFence: Fence | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const opened = openFence === undefined ? readCellOpening(line) : undefined;
    if (!opened) {
      prose.push(line);
      openFence = nextFence(line, openFence);
      continue;
    }
    const blankLines = addProse(cells, prose, true);
    prose = [];
    let end = at + 1;
    const fence = { marks: opened.marks, indent: 0 };
    while (end < lines.length && !closes(lines[end]!, fence)) end++;
    const source = toSource(
      cells.length,
      [...blankLines, line],
      lines.slice(at + 1, end),
      lines.slice(end, end + 1),
    );
    const language = languageOf(opened.language);
    cells.push({ kind: "code", language, text: decode(source.body), source });
    at = end;
  }
  const lastSource = cells.at(-1)?.source;
  const blankLines = addProse(cells, prose, false);
  if (lastSource) lastSource.tail += joinLines(blankLines);
  return cells;
}

/**
 * Adds the lines between two code cells as a Markdown cell. One empty line next to a code cell is layout, further ones are
 * text. Empty lines alone are not a cell and are returned, unless the notebook has nothing else.
 */
function addProse(cells: TextCell[], lines: Line[], codeFollows: boolean): Line[] {
  const codeBefore = cells.length > 0;
  if (lines.length === 0 || (lines.every(isBlank) && (codeBefore || codeFollows))) return lines;
  const from = codeBefore && isBlank(lines[0]) ? 1 : 0;
  const to = codeFollows && isBlank(lines.at(-1)) ? lines.length - 1 : lines.length;
  const source = toSource(
    cells.length,
    lines.slice(0, from),
    lines.slice(from, to),
    lines.slice(to),
  );
  cells.push({ kind: "markdown", language: "markdown", text: decode(source.body), source });
  return [];
}

function toSource(index: number, head: Line[], body: Line[], tail: Line[]): CellSource {
  const lastEnd = body.at(-1)?.end ?? "";
  const text = joinLines(body);
  return {
    index,
    head: joinLines(head),
    body: text.slice(0, text.length - lastEnd.length),
    tail: lastEnd + joinLines(tail),
  };
}

function markdownCellText(cell: TextCell, lineEnd: string): CellText {
  const source = cell.source && !findFence(cell.source) ? cell.source : undefined;
  const body = buildBody(source, cell.text, lineEnd);
  return {
    cell,
    head: source?.head ?? "",
    body,
    tail: source?.tail ?? lineEnd,
    openFence: findOpenFence(splitLines(body)),
  };
}

function codeCellText(cell: TextCell, lineEnd: string): CellText {
  const fence = cell.source && findFence(cell.source);
  const source = fence ? cell.source : undefined;
  const body = buildBody(source, cell.text, lineEnd);
  const marks = chooseMarks(body, fence?.marks ?? "```");
  if (!fence || !source) {
    const head = `${marks}${encode(cell.language)} predict${lineEnd}`;
    const tail = (body === "" ? "" : lineEnd) + marks + lineEnd;
    return { cell, head, body, tail, openFence: undefined };
  }
  let { head, tail } = source;
  const isSame = languageOf(fence.language) === cell.language;
  if (fence.marks !== marks || !isSame) {
    const language = encode(isSame ? fence.language : cell.language);
    head = `${fence.before}${marks}${language} predict${fence.end}`;
    tail = tail.replace(/^(\r\n|\n|\r|)( {0,3})[`~]+/, `$1$2${marks}`);
  }
  if (body !== "" && !/[\r\n]$/.test(head)) head += lineEnd;
  const isClosed = /[`~]/.test(tail);
  if (body !== "" && isClosed && !/^[\r\n]/.test(tail)) tail = lineEnd + tail;
  return { cell, head, body, tail, openFence: isClosed ? undefined : { marks, indent: 0 } };
}

/** The opening fence of a code cell's source; undefined for Markdown cells. */
function findFence(
  source: CellSource,
): { before: string; marks: string; language: string; end: string } | undefined {
  const lines = splitLines(source.head);
  if (lines.at(-1)?.text === "") lines.pop();
  const line = lines.pop();
  const opened = line && readCellOpening(line);
  return opened && { ...opened, before: joinLines(lines), end: line.end };
}

/** Fence marks that no line of the text closes: the given ones, or longer ones. */
function chooseMarks(body: string, marks: string): string {
  const runs = splitLines(body)
    .filter((line) => closes(line, { marks, indent: 0 }))
    .map(({ text }) => text.trim().length);
  return runs.length === 0 ? marks : marks.charAt(0).repeat(Math.max(...runs) + 1);
}

/** The bytes of a text. Lines before and after the edited ones keep theirs, including line ends. */
function buildBody(source: CellSource | undefined, text: string, lineEnd: string): string {
  const before = splitLines(source?.body ?? "");
  const after = splitLines(text);
  const shorter = Math.min(before.length, after.length);
  const isSame = (old: Line | undefined, line: Line | undefined): boolean => {
    if (!old || !line) return false;
    const text = decode(old.text);
    // VS Code removes a byte order mark at the start of a cell.
    return text === line.text || (old === before[0] && text === `\ufeff${line.text}`);
  };
  let start = 0;
  while (start < shorter && isSame(before[start], after[start])) start++;
  let end = 0;
  while (end < shorter - start && isSame(before.at(-1 - end), after.at(-1 - end))) end++;

  // A new line gets the line end of the one before it.
  const tailEnd = source && splitLines(source.tail)[0]?.end;
  let usualEnd = before[0]?.end || tailEnd || lineEnd;
  const kept = [
    ...before.slice(0, start),
    ...Array<undefined>(after.length - start - end),
    ...before.slice(before.length - end),
  ];
  const lines = after.map((line, index) => {
    const old = kept[index];
    if (old?.end) usualEnd = old.end;
    const isLast = index === after.length - 1;
    return { text: old?.text ?? encode(line.text), end: isLast ? "" : usualEnd };
  });
  return joinLines(lines);
}

/** False for Markdown cells whose text was deleted. */
function isWritten({ cell, body, head, tail }: CellText): boolean {
  if (cell.kind === "code" || body !== "") return true;
  return cell.source?.body === "" && head + tail !== "";
}

/** Removes the empty line before a cell that has become the first. */
function trimStart(piece: CellText): void {
  if (piece.cell.kind === "markdown") piece.head = "";
  else if (piece.cell.source?.index !== 0) {
    piece.head = piece.head.replace(/^([ \t]*(\r\n|\n|\r))+/, "");
  }
}

/** The text needed between two cells so that the file is read again as the same cells. */
function createSeparator(text: string, before: CellText, after: CellText, lineEnd: string): string {
  const lineIsOpen = !/[\r\n]$/.test(text);
  let added = lineIsOpen ? lineEnd : "";
  const { openFence } = before;
  if (openFence) added += " ".repeat(openFence.indent) + openFence.marks + lineEnd;
  const spaceBefore = !openFence && endsWithSpace(before);
  if (spaceBefore || startsWithSpace(after)) return added;
  const wereNeighbours =
    before.cell.source !== undefined && before.cell.source.index + 1 === after.cell.source?.index;
  // An empty line at the start or end of a text would be read as layout.
  const needsSpace =
    !wereNeighbours ||
    openFence !== undefined ||
    isBlank(lastLine(before)) ||
    isBlank(firstLine(after));
  return needsSpace ? added + lineEnd : added;
}

/** Whether a cell ends with an empty line of layout. */
function endsWithSpace({ tail }: CellText): boolean {
  return splitLines(tail).slice(1, -1).some(isBlank);
}

function startsWithSpace({ head }: CellText): boolean {
  return splitLines(head).slice(0, -1).some(isBlank);
}

function firstLine({ cell, body }: CellText): Line | undefined {
  return cell.kind === "markdown" ? splitLines(body)[0] : undefined;
}

function lastLine({ cell, body }: CellText): Line | undefined {
  return cell.kind === "markdown" ? splitLines(body).at(-1) : undefined;
}
