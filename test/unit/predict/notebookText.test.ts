import assert from "node:assert/strict";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import {
  emptyNotebook,
  parseNotebook,
  serializeNotebook,
  type NotebookText,
  type TextCell,
} from "../../../src/predict/notebook/notebookText.ts";

const read = (text: string): TextCell[] => parseNotebook(Buffer.from(text)).cells;

/** Cells as they are shown: what they are and what they say. */
function shown(cells: TextCell[]): [kind: string, text: string][] {
  return cells.map(({ kind, language, text }) => [kind === "code" ? language : kind, text]);
}

/** What VS Code does with a notebook between opening and saving: everything goes through JSON. */
function through(notebook: NotebookText): NotebookText {
  return JSON.parse(JSON.stringify(notebook)) as NotebookText;
}

function save(notebook: NotebookText): string {
  return Buffer.from(serializeNotebook(through(notebook))).toString("latin1");
}

/** Lines of the kinds that matter, in all the ways they are written. */
const line = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("```json predict", "```sql predict", "```", "") },
  fc.constantFrom(
    "````json predict",
    "~~~json predict",
    "```json  predict  ",
    " ```json predict",
    "```js",
    "~~~",
    "````",
    "   ```",
    "    ```",
    "```json predict x",
    "```json` predict",
    "> ```json predict",
    "  ",
    "# A title",
    '{"model": "p.m"}',
    "```ünï predict",
    "```JSON predict",
    "- ```js",
    "1. - ~~~sh",
    "  ```",
    "     ~~~",
    "- item",
    "<!-- a",
    "a --> b",
    " <!-- a -->",
    "\ufeffmarked",
    "\ufeff```json predict",
  ),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const lineEnd = fc.oneof(
  { weight: 3, arbitrary: fc.constant("\n") },
  fc.constantFrom("\r\n", "\r"),
);
const file = fc
  .tuple(
    fc.constantFrom("", "\ufeff"),
    fc.array(
      fc.tuple(line, lineEnd).map((pair) => pair.join("")),
      { maxLength: 20 },
    ),
    fc.oneof(fc.constant(""), line),
  )
  .map(([mark, lines, last]) => Buffer.from(mark + lines.join("") + last));
const bytes = fc.oneof(
  file,
  fc.uint8Array({ maxLength: 60 }),
  // Fences between bytes that are no UTF-8.
  fc
    .array(fc.oneof(file, fc.uint8Array({ maxLength: 4 })), { maxLength: 6 })
    .map((parts) => Buffer.concat(parts)),
);

describe("notebook text", () => {
  it("reads marked fenced blocks as cells, and everything else as Markdown", () => {
    const text = [
      "# Rents",
      "",
      "```json predict",
      '{"model": "mindsdb.rentals"}',
      "```",
      "",
      "Then:",
      "```sql predict",
      "SELECT 1",
      "```",
      "```json predict",
      "```",
      "",
    ].join("\n");
    assert.deepEqual(shown(read(text)), [
      ["markdown", "# Rents"],
      ["json", '{"model": "mindsdb.rentals"}'],
      ["markdown", "Then:"],
      ["sql", "SELECT 1"],
      ["json", ""],
    ]);
  });

  it("ignores text that is not a fenced block in Markdown", () => {
    const others = [
      "```json\n{}\n```",
      "    ```json predict\n    {}\n    ```",
      "````\n```json predict\n{}\n```\n````",
      "~~~md\n```json predict\n```\n~~~",
      "```json predict this\n```",
      "> ```json predict\n> ```",
      "<!-- Not now:\n```json predict\n{}\n```\n-->",
      "Text\n  <!--\n\n```sql predict\nDROP TABLE files.t\n```",
    ];
    for (const text of others) assert.deepEqual(shown(read(text)), [["markdown", text]]);
  });

  it("reads longer fences, tildes and a fence that is never closed", () => {
    assert.deepEqual(shown(read("````json predict\n```\n````\n")), [["json", "```"]]);
    assert.deepEqual(shown(read("~~~sql predict\nSELECT 1\n~~~~\n")), [["sql", "SELECT 1"]]);
    assert.deepEqual(shown(read("```json predict\n{}\n")), [["json", "{}"]]);
    assert.deepEqual(shown(read("```json predict")), [["json", ""]]);
  });

  it("reads the same blocks as a Markdown parser", () => {
    const markdown = new MarkdownIt({ html: true });
    const texts = fc
      .array(
        fc.constantFrom(
          ...[
            "```json predict\n{}\n```",
            "~~~~sql predict\n```\n~~~~~",
            "text",
            "# A title",
            "* * *",
          ],
          ...[
            "- ```js\n  x\n  ```",
            "1. ~~~sh\n   ```json predict\n   ~~~",
            "2) a\n\n   ```\n   ```",
          ],
          ...["- - ```json predict\n    {}\n    ```", "> ```js", "      ```", "````md\n```\n````"],
          ...[
            "- ```json predict\n  {}\n  ```",
            "  ```js\n  ```\n",
            "```js`\n",
            "10. ```sh\n    ```",
          ],
          ...[
            "<!-- said -->",
            "<!--\n```json predict\n{}\n```\nend -->",
            "text <!--",
            "<!--",
            "-->",
          ],
        ),
        { maxLength: 6 },
      )
      .map((parts) => `${parts.join("\n\n")}\n`);
    fc.assert(
      fc.property(texts, (text) => {
        const lines = text.split("\n");
        const blocks = markdown.parse(text, {}).filter(({ type, level, info, map }) => {
          const isHere = /^[`~]/.test(lines[map?.[0] ?? 0]!);
          return type === "fence" && level === 0 && isHere && info.endsWith(" predict");
        });
        assert.deepEqual(
          read(text).flatMap(({ kind, text }) => (kind === "code" ? [`${text}\n`] : [])),
          blocks.map(({ content }) => content),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it("reads a language in any case, and keeps its case", () => {
    const notebook = parseNotebook(
      Buffer.from("```JSON predict\n{}\n```\n\n~~~Sql  predict\n~~~\n"),
    );
    assert.deepEqual(shown(notebook.cells), [
      ["json", "{}"],
      ["sql", ""],
    ]);
    notebook.cells[0]!.text = "```";
    assert.equal(save(notebook), "````JSON predict\n```\n````\n\n~~~Sql  predict\n~~~\n");
    notebook.cells[0]!.language = "sql";
    assert.match(save(notebook), /^````sql predict\n/);
  });

  it("reads the id of VS Code's language as SQL, and keeps it", () => {
    const notebook = parseNotebook(Buffer.from("```mindsdb-sql predict\nSELECT 1\n```\n"));
    assert.deepEqual(shown(notebook.cells), [["sql", "SELECT 1"]]);
    notebook.cells[0]!.text = "SELECT 2";
    assert.equal(save(notebook), "```mindsdb-sql predict\nSELECT 2\n```\n");
  });

  it("saves any bytes unchanged", () => {
    fc.assert(
      fc.property(bytes, (bytes) => {
        const notebook = parseNotebook(bytes);
        assert.equal(save(notebook), Buffer.from(bytes).toString("latin1"));
        // VS Code evens out line ends without calling the cell changed.
        for (const cell of notebook.cells) cell.text = cell.text.replace(/\r\n|\r|\n/g, "\n");
        assert.equal(save(notebook), Buffer.from(bytes).toString("latin1"));
        // And it takes a byte order mark in front of a cell's text for none of it.
        for (const cell of notebook.cells) cell.text = cell.text.replace(/^\ufeff/, "");
        assert.equal(save(notebook), Buffer.from(bytes).toString("latin1"));
      }),
      { numRuns: 2_000 },
    );
  });

  it("changes only the lines that were edited", () => {
    const edit = fc.tuple(fc.nat(), fc.nat(), fc.stringMatching(/^[a-z{}"# ]{1,10}$/));
    fc.assert(
      fc.property(bytes, edit, (bytes, [which, where, typed]) => {
        const notebook = parseNotebook(bytes);
        fc.pre(notebook.cells.length > 0);
        const cell = notebook.cells[which % notebook.cells.length]!;
        const lines = cell.text.split(/\r\n|\r|\n/);
        const at = where % (lines.length + 1);
        const before = Buffer.from(bytes).toString("latin1");
        const after = save({
          ...notebook,
          cells: notebook.cells.map((other) =>
            other === cell
              ? { ...other, text: lines.toSpliced(at, 0, `x${typed}x`).join("\n") }
              : other,
          ),
        });
        // Without the new line and its line end (two, where there was no line at all) the file is what it was.
        const start = after.indexOf(`x${typed}x`, sharedLength(before, after) - typed.length - 1);
        const head = after.slice(0, start);
        const tail = after.slice(start + typed.length + 2);
        const without = [
          head + tail.replace(oneEnd, ""),
          head + tail.replace(oneEnd, "").replace(oneEnd, ""),
          head.replace(lastEnd, "") + tail,
          head.replace(lastEnd, "").replace(lastEnd, "") + tail,
          head.replace(lastEnd, "") + tail.replace(oneEnd, ""),
        ];
        assert.ok(start >= 0 && without.includes(before), JSON.stringify({ before, after }));
      }),
      { numRuns: 2_000 },
    );
  });

  it("reads the cells that it has written, for any edits", () => {
    const code = fc
      .tuple(fc.constantFrom("json", "sql"), fc.array(line, { maxLength: 5 }))
      .map(([language, lines]): TextCell => ({ kind: "code", language, text: lines.join("\n") }));
    const prose = fc
      .array(
        line.filter((text) => !/^(`{3,}|~{3,})[ \t]*[^\s`]+[ \t]+predict[ \t]*$/.test(text)),
        { maxLength: 5 },
      )
      .map((lines): TextCell => ({
        kind: "markdown",
        language: "markdown",
        text: lines.join("\n"),
      }));
    fc.assert(
      fc.property(fc.array(fc.oneof(code, prose), { maxLength: 6 }), lineEnd, (typed, lineEnd) => {
        const cells = typed.map((cell) => ({ ...cell, text: cell.text.replace(/\r\n?/g, "\n") }));
        const written = serializeNotebook(through({ ...emptyNotebook, lineEnd, cells }));
        const again = parseNotebook(written);
        assert.deepEqual(shown(again.cells).map(evenEnds), shown(merged(cells)).map(evenEnds));
        assert.equal(save(again), Buffer.from(written).toString("latin1"));
      }),
      { numRuns: 2_000 },
    );
  });

  it("keeps every cell when cells are moved, deleted, copied and added", () => {
    const moves = fc.array(
      fc.tuple(fc.constantFrom("move", "delete", "copy", "add"), fc.nat(), fc.nat()),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(bytes, moves, (bytes, moves) => {
        const notebook = parseNotebook(bytes);
        const cells = [...notebook.cells];
        for (const [what, from, to] of moves) {
          const added: TextCell = { kind: "code", language: "json", text: "{}" };
          const at = cells.length === 0 ? 0 : from % cells.length;
          const [taken = added] =
            what === "move" || what === "delete" ? cells.splice(at, 1) : cells.slice(at, at + 1);
          if (what !== "delete") {
            cells.splice(to % (cells.length + 1), 0, what === "add" ? added : taken);
          }
        }
        const again = parseNotebook(serializeNotebook(through({ ...notebook, cells })));
        const codeOf = (list: TextCell[]): unknown =>
          shown(list.filter(({ kind }) => kind === "code")).map(evenEnds);
        assert.deepEqual(codeOf(again.cells), codeOf(cells));
        // Without what closes fences and comments.
        const proseOf = (list: TextCell[]): string =>
          list
            .flatMap(({ kind, text }) =>
              kind === "markdown" ? (text.replaceAll("-->", " ").match(/[^\s`~]+/g) ?? []) : [],
            )
            .join(" ");
        assert.equal(proseOf(again.cells), proseOf(cells));
      }),
      { numRuns: 2_000 },
    );
  });

  it("gives a cell with a fence in it a longer fence, and keeps the rest", () => {
    const notebook = parseNotebook(Buffer.from("a\r\n\r\n```json predict  \r\n{}\r\n```\r\n\r\nb"));
    notebook.cells[1]!.text = "{}\n```\n{}";
    assert.equal(save(notebook), "a\r\n\r\n````json predict\r\n{}\r\n```\r\n{}\r\n````\r\n\r\nb");
  });

  it("closes a fence that was left open before a cell follows", () => {
    const notebook = parseNotebook(Buffer.from("```json predict\n{}"));
    notebook.cells.push({ kind: "markdown", language: "markdown", text: "```js\nx" });
    notebook.cells.push({ kind: "code", language: "sql", text: "SELECT 1" });
    assert.equal(
      save(notebook),
      "```json predict\n{}\n```\n\n```js\nx\n```\n\n```sql predict\nSELECT 1\n```\n",
    );
  });

  it("deletes the empty lines around a deleted cell", () => {
    const notebook = parseNotebook(Buffer.from("a\n\n```json predict\n{}\n```\n\nb\n"));
    assert.equal(
      save({ ...notebook, cells: notebook.cells.slice(1) }),
      "```json predict\n{}\n```\n\nb\n",
    );
    assert.equal(save({ ...notebook, cells: notebook.cells.slice(0, 1) }), "a\n");
    assert.equal(save({ ...notebook, cells: notebook.cells.slice(2) }), "b\n");
    assert.equal(save({ ...notebook, cells: [] }), "");
  });

  it("writes a new notebook with one empty line between cells", () => {
    const cells: TextCell[] = [
      { kind: "markdown", language: "markdown", text: "# Rents" },
      { kind: "markdown", language: "markdown", text: "" },
      { kind: "code", language: "json", text: '{\n  "model": "mindsdb.rentals"\n}' },
      { kind: "code", language: "sql", text: "" },
    ];
    assert.equal(
      save({ ...emptyNotebook, cells }),
      '# Rents\n\n```json predict\n{\n  "model": "mindsdb.rentals"\n}\n```\n\n```sql predict\n```\n',
    );
  });
});

const oneEnd = /^(\r\n|\r|\n)/;
const lastEnd = /(\r\n|\r|\n)$/;

const evenEnds = ([kind, text]: [string, string]): [string, string] => [
  kind,
  text.replace(/\r\n?/g, "\n"),
];

/** How many characters two texts have in common at the start. */
function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/**
 * The cells that a notebook of these cells has when it is read again: Markdown cells that follow each other are one,
 * those of empty lines alone are none, and a fence that one leaves open is closed before the next cell.
 */
function merged(cells: TextCell[]): TextCell[] {
  const written = cells.filter(({ kind, text }) => kind === "code" || text !== "");
  const result: TextCell[] = [];
  for (const [index, cell] of written.entries()) {
    const marks = cell.kind === "markdown" ? openFence(cell.text) : undefined;
    const isLast = index === written.length - 1;
    const text = marks === undefined || isLast ? cell.text : `${cell.text}\n${marks}`;
    const previous = result.at(-1);
    if (cell.kind === "markdown" && previous?.kind === "markdown") previous.text += `\n\n${text}`;
    else result.push({ ...cell, text });
  }
  const isNothing = ({ kind, text }: TextCell): boolean =>
    kind === "markdown" && /^[ \t\n]*$/.test(text);
  return result.length === 1 ? result : result.filter((cell) => !isNothing(cell));
}

/** What closes the fence that a Markdown text leaves open, by the rules of CommonMark. */
function openFence(text: string): string | undefined {
  let open: string | undefined;
  for (const line of text.split("\n")) {
    const bare = line.trimStart();
    const indent = line.length - bare.length;
    const isFence = /^(`{3,}[^`]*|~{3,}.*)$/s;
    if (open === undefined) {
      const markers = /^((-|1\.) )*/.exec(bare)![0].length;
      const marks = /^(`+|~+)/.exec(bare.slice(markers))?.[0] ?? "";
      const isOpening = /^ {0,3}\S/.test(line) && isFence.test(bare.slice(markers));
      if (isOpening) open = " ".repeat(markers) + marks;
      if (/^ {0,3}<!--/.test(line) && !line.includes("-->")) open = "-->";
    } else if (open === "-->") {
      if (line.includes("-->")) open = undefined;
    } else {
      const marks = open.trimStart();
      const most = open.length - marks.length + 3;
      const isLong =
        bare.startsWith(marks) && bare.trimEnd() === marks[0]!.repeat(bare.trimEnd().length);
      if (isLong && indent <= most && !line.slice(0, indent).includes("\t")) open = undefined;
    }
  }
  return open;
}
