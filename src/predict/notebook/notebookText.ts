// A predict notebook as text: Markdown whose fenced blocks marked "json predict" or "sql predict" are its code cells.
// Every byte of the text belongs to one cell, which is why an unchanged notebook is saved byte for byte.

/**
 * The bytes a cell was read from, one character (U+0000 to U+00FF) a byte: such a text survives every way that a
 * notebook's metadata goes, and holds bytes that are no UTF-8 as well.
 */
export interface CellSource {
  /** Where the cell was in the file: two neighbours that still are neighbours need nothing new between them. */
  index: number;
  /** What stands before the text: empty lines, the opening fence. */
  head: string;
  body: string;
  /** What stands after it: the end of its last line, the closing fence, empty lines. */
  tail: string;
}

export interface TextCell {
  kind: "markdown" | "code";
  /** The first word of a code cell's fence in small letters, "json" or "sql"; "markdown" for the others. */
  language: string;
  text: string;
  /** Absent for a cell that was never in the file. */
  source?: CellSource;
}

export interface NotebookText {
  /** Whether the file starts with a byte order mark. */
  mark: boolean;
  /** What new lines end with. */
  lineEnd: string;
  cells: TextCell[];
}

/** A notebook that was never saved. */
export const emptyNotebook: NotebookText = { mark: false, lineEnd: "\n", cells: [] };

/** A line and what it ends with: "\n", "\r\n", "\r", or nothing behind the last one. */
interface Line {
  text: string;
  end: string;
}

/** A cell's part of the file while it is put together. */
interface Piece {
  cell: TextCell;
  head: string;
  body: string;
  tail: string;
  /** What nothing in the cell closes. */
  openFence: Fence | undefined;
}

/** A fence that a block begins with: its marks, and how far to the right it stands behind the marker of a list's item. */
interface Fence {
  marks: string;
  indent: number;
}

const utf8Mark = "\u00ef\u00bb\u00bf";

/** Reads any bytes; none are refused and none are lost. */
export function parseNotebook(bytes: Uint8Array): NotebookText {
  const file = Buffer.from(bytes).toString("latin1");
  const mark = file.startsWith(utf8Mark);
  const lines = splitLines(mark ? file.slice(utf8Mark.length) : file);
  if (lines.at(-1)?.text === "") lines.pop();
  return { mark, lineEnd: lines[0]?.end || "\n", cells: readCells(lines) };
}

/**
 * A notebook's bytes: the cells' own, but for lines that were edited. What would not be read again as the cells it was
 * gets what is missing: an empty line, a longer fence, a fence that was left open closed. Markdown cells next to each
 * other are one when they are read again, and Markdown cells of empty lines alone are none.
 */
export function serializeNotebook({ mark, lineEnd, cells }: NotebookText): Uint8Array {
  const pieces = cells.map((cell) => toPiece(cell, lineEnd)).filter(isWritten);
  const first = pieces.at(0);
  const last = pieces.at(-1);
  if (first) trimStart(first);
  if (last?.cell.kind === "markdown") last.tail = splitLines(last.tail)[0]?.end ?? "";
  const texts = pieces.map((piece, index) => {
    const next = pieces[index + 1];
    const text = join([piece.head, piece.body, piece.tail]);
    return next ? join([text, joint(text, piece, next, lineEnd)]) : text;
  });
  const text = join(texts);
  // A text that starts like a marked file would lose its first character without a mark before it.
  const isMarked = mark || text.startsWith(utf8Mark);
  return Buffer.from((isMarked ? utf8Mark : "") + text, "latin1");
}

function decode(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function encode(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** The lines of a text; what stands behind its last line end is a line too, even if it is nothing. */
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

/** A "\r" and a "\n" that were the ends of two lines stay two when they meet. */
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

/** A fence as CommonMark has it: up to three spaces or a list's markers, marks, and behind backticks no backtick. */
const opening = /^ {0,3}((?:(?:[-*+]|\d{1,9}[.)]) {1,4})*)(?:(`{3,})[^`]*|(~{3,}).*)$/s;
const closing = /^( *)(`{3,}|~{3,})[ \t]*$/;
/** What makes a fenced block a cell. */
const cellOpening = /^(`{3,}|~{3,}(?!~))[ \t]*([^\s`]+)[ \t]+predict[ \t]*$/;

function closes({ text }: Line, { marks, indent }: Fence): boolean {
  const [, space = "", found = ""] = closing.exec(text) ?? [];
  return found.startsWith(marks) && space.length <= indent + 3;
}

/** The fence that is open behind a line, if this one was open before it. */
function fenceBehind(line: Line, open: Fence | undefined): Fence | undefined {
  if (open) return closes(line, open) ? undefined : open;
  const [, markers = "", ticks, tildes] = opening.exec(line.text) ?? [];
  const marks = ticks ?? tildes;
  return marks === undefined ? undefined : { marks, indent: markers.length };
}

/** The fence that is open behind these lines. */
function fenceLeftOpen(lines: readonly Line[]): Fence | undefined {
  let open: Fence | undefined;
  for (const line of lines) open = fenceBehind(line, open);
  return open;
}

function readCells(lines: readonly Line[]): TextCell[] {
  const cells: TextCell[] = [];
  let prose: Line[] = [];
  let openFence: Fence | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const match = openFence === undefined ? cellOpening.exec(line.text) : null;
    if (!match) {
      prose.push(line);
      openFence = fenceBehind(line, openFence);
      continue;
    }
    const blankLines = addProse(cells, prose, true);
    prose = [];
    let end = at + 1;
    const fence = { marks: match[1]!, indent: 0 };
    while (end < lines.length && !closes(lines[end]!, fence)) end++;
    cells.push(
      readCode(
        cells.length,
        decode(match[2]!).toLowerCase(),
        [...blankLines, line],
        lines.slice(at + 1, end),
        lines[end],
      ),
    );
    at = end;
  }
  const lastSource = cells.at(-1)?.source;
  const blankLines = addProse(cells, prose, false);
  if (lastSource) lastSource.tail += joinLines(blankLines);
  return cells;
}

/**
 * Makes the lines between two code cells a Markdown cell. One empty line next to a code cell belongs to the layout,
 * further ones to the text. Lines that are all empty are no cell and are given back, unless there is nothing else.
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

function readCode(
  index: number,
  language: string,
  head: Line[],
  body: Line[],
  fence: Line | undefined,
): TextCell {
  const source = toSource(index, head, body, fence ? [fence] : []);
  return { kind: "code", language, text: decode(source.body), source };
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

function toPiece(cell: TextCell, lineEnd: string): Piece {
  return cell.kind === "markdown" ? markdownPiece(cell, lineEnd) : codePiece(cell, lineEnd);
}

function markdownPiece(cell: TextCell, lineEnd: string): Piece {
  const source = cell.source && !findFence(cell.source) ? cell.source : undefined;
  const body = buildBody(source, cell.text, lineEnd);
  return {
    cell,
    head: source?.head ?? "",
    body,
    tail: source?.tail ?? lineEnd,
    openFence: fenceLeftOpen(splitLines(body)),
  };
}

function codePiece(cell: TextCell, lineEnd: string): Piece {
  const fence = cell.source && findFence(cell.source);
  const source = fence ? cell.source : undefined;
  const body = buildBody(source, cell.text, lineEnd);
  const marks = marksAround(body, fence?.marks ?? "```");
  if (!fence || !source) {
    const head = `${marks}${encode(cell.language)} predict${lineEnd}`;
    const tail = (body === "" ? "" : lineEnd) + marks + lineEnd;
    return { cell, head, body, tail, openFence: undefined };
  }
  let { head, tail } = source;
  const isSame = fence.language.toLowerCase() === cell.language;
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

/** The opening fence of a code cell's source, and what stands around it; undefined for a Markdown cell's. */
function findFence(
  source: CellSource,
): { before: string; marks: string; language: string; end: string } | undefined {
  const lines = splitLines(source.head);
  if (lines.at(-1)?.text === "") lines.pop();
  const line = lines.pop();
  const match = line && cellOpening.exec(line.text);
  if (!match) return undefined;
  return { before: joinLines(lines), marks: match[1]!, language: decode(match[2]!), end: line.end };
}

/** Marks that no line of the text closes: the given ones, or as many more as it takes. */
function marksAround(body: string, marks: string): string {
  const runs = splitLines(body)
    .filter((line) => closes(line, { marks, indent: 0 }))
    .map(({ text }) => text.trim().length);
  return runs.length === 0 ? marks : marks[0]!.repeat(Math.max(...runs) + 1);
}

/** A text's bytes: lines before and behind what was edited keep theirs, line ends included. */
function buildBody(source: CellSource | undefined, text: string, lineEnd: string): string {
  const before = splitLines(source?.body ?? "");
  const after = splitLines(text);
  const shorter = Math.min(before.length, after.length);
  const isSame = (old: Line | undefined, line: Line | undefined): boolean => {
    if (!old || !line) return false;
    const text = decode(old.text);
    // VS Code takes a byte order mark at a cell's start away.
    return text === line.text || (old === before[0] && text === `\ufeff${line.text}`);
  };
  let start = 0;
  while (start < shorter && isSame(before[start], after[start])) start++;
  let end = 0;
  while (end < shorter - start && isSame(before.at(-1 - end), after.at(-1 - end))) end++;

  // A new line ends like the one before it.
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

/** A Markdown cell whose text has been deleted leaves nothing behind. */
function isWritten({ cell, body, head, tail }: Piece): boolean {
  if (cell.kind === "code" || body !== "") return true;
  return cell.source?.body === "" && head + tail !== "";
}

/** The empty line that stood between a cell and the one before it goes when that one is gone. */
function trimStart(piece: Piece): void {
  if (piece.cell.kind === "markdown") piece.head = "";
  else if (piece.cell.source?.index !== 0) {
    piece.head = piece.head.replace(/^([ \t]*(\r\n|\n|\r))+/, "");
  }
}

/** What has to stand between two cells so that they are the same cells when the file is read again. */
function joint(text: string, before: Piece, after: Piece, lineEnd: string): string {
  const lineIsOpen = !/[\r\n]$/.test(text);
  let added = lineIsOpen ? lineEnd : "";
  const { openFence } = before;
  if (openFence) added += " ".repeat(openFence.indent) + openFence.marks + lineEnd;
  const spaceBefore = !openFence && endsWithSpace(before);
  if (spaceBefore || startsWithSpace(after)) return added;
  const wereNeighbours =
    before.cell.source !== undefined && before.cell.source.index + 1 === after.cell.source?.index;
  // An empty line at a text's edge would be taken for the layout's.
  const needsSpace =
    !wereNeighbours ||
    openFence !== undefined ||
    isBlank(lastLine(before)) ||
    isBlank(firstLine(after));
  return needsSpace ? added + lineEnd : added;
}

/** Whether there is an empty line of layout behind a cell's text or fence. */
function endsWithSpace({ tail }: Piece): boolean {
  return splitLines(tail).slice(1, -1).some(isBlank);
}

function startsWithSpace({ head }: Piece): boolean {
  return splitLines(head).slice(0, -1).some(isBlank);
}

function firstLine({ cell, body }: Piece): Line | undefined {
  return cell.kind === "markdown" ? splitLines(body)[0] : undefined;
}

function lastLine({ cell, body }: Piece): Line | undefined {
  return cell.kind === "markdown" ? splitLines(body).at(-1) : undefined;
}
