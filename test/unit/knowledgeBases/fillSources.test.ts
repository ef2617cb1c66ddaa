// What fills a knowledge base besides files of rows: text files, and rows of a server.
import assert from "node:assert/strict";
import { findInexactNumber } from "../../../src/knowledgeBases/fill/inexactNumber.ts";
import { toRows } from "../../../src/knowledgeBases/fill/tableRows.ts";
import {
  findRelativePaths,
  isTextFileName,
  toTextFileRow,
} from "../../../src/knowledgeBases/fill/textFiles.ts";
import { readText } from "../../../src/knowledgeBases/fill/documentReader.ts";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import { readRowPages, type RowPageOptions } from "../../../src/mindsdb/rowPages.ts";
import { kindOfSql } from "../../../src/mindsdb/sql/statementKind.ts";
import { sendJson, useServer } from "../mindsdb/httpServer.ts";

describe("text files as rows", () => {
  const read = (path: string, bytes: Uint8Array | string) =>
    toTextFileRow(path, Buffer.from(bytes))?.map((row) =>
      Object.fromEntries(row.shape.names.map((name) => [name, readText(row, name)])),
    );

  it("are a document each, with the path as the id", () => {
    const content = 'A "quoted" text,\nwith 🏠 and \u2028.';
    assert.deepEqual(read("rules/pets.md", `\ufeff${content}`), [
      { id: "rules/pets.md", content, file: "pets.md", folder: "rules" },
    ]);
    assert.deepEqual(read("pets.md", ""), [{ id: "pets.md", content: "", file: "pets.md" }]);
  });

  it("are UTF-8, or left out", () => {
    assert.equal(read("a.md", Buffer.from([0x66, 0xfc, 0x72])), undefined);
    assert.equal(read("a.md", Buffer.from("UTF-16", "utf16le")), undefined);
    assert.deepEqual(["a.MD", "b.txt", "c.png", "md", "d.md.gz"].map(isTextFileName), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("are named by their paths in the folder that all of them are in", () => {
    assert.deepEqual(findRelativePaths(["/a/b/c.md"]), ["c.md"]);
    assert.deepEqual(findRelativePaths(["/a/b/c.md", "/a/d.md", "/a/b/e/f.md"]), [
      "b/c.md",
      "d.md",
      "b/e/f.md",
    ]);
    assert.deepEqual(findRelativePaths(["/x.md", "/a/x.md"]), ["x.md", "a/x.md"]);
  });
});

describe("rows of a server", () => {
  /** What the server's table holds. */
  let table: unknown[][] = [];
  /** Of the rows that a page should have, so many are sent. */
  let lost = 0;
  const queries = (): string[] =>
    used.server.seen.map(({ body }) => (JSON.parse(body) as { query: string }).query);

  const used = useServer(({ method, body }, response) => {
    if (method === "GET") return sendJson(response, 404, {});
    const { query } = JSON.parse(body) as { query: string };
    if (query.includes("count(*)")) {
      sendJson(response, 200, { type: "table", column_names: ["n"], data: [[table.length]] });
      return;
    }
    const [, limit = "0", offset = "0"] = /LIMIT (\d+) OFFSET (\d+)$/.exec(query) ?? [];
    const data = table.slice(Number(offset), Number(offset) + Number(limit) - lost);
    sendJson(response, 200, { type: "table", column_names: ["id", "text"], data });
  });
  beforeEach(() => {
    lost = 0;
  });

  async function read(options: RowPageOptions): Promise<string[]> {
    const ids: string[] = [];
    for await (const page of readRowPages(used.client, { table: ["files", "notes"] }, options)) {
      ids.push(...toRows(page).map((row) => readText(row, "id")));
    }
    return ids;
  }

  it("come page by page, in the order of the id", async () => {
    table = Array.from({ length: 25 }, (_, at) => [at, `text ${String(at)}`]);
    const ids = await read({ pageRows: 10, orderBy: "id" });
    assert.deepEqual(
      ids,
      table.map(([id]) => String(id)),
    );
    assert.deepEqual(queries(), [
      "SELECT count(*) AS row_count FROM `files`.`notes`",
      "SELECT * FROM `files`.`notes` LIMIT 10 OFFSET 0",
      "SELECT * FROM `files`.`notes` ORDER BY `id` LIMIT 10 OFFSET 0",
      "SELECT * FROM `files`.`notes` ORDER BY `id` LIMIT 10 OFFSET 10",
      "SELECT * FROM `files`.`notes` ORDER BY `id` LIMIT 10 OFFSET 20",
    ]);
    table = [];
    assert.deepEqual(await read({}), []);
  });

  it("are read on after a page of fewer rows, and missed if the server gives too few", async () => {
    table = Array.from({ length: 30 }, (_, at) => [at, "text"]);
    lost = 3;
    assert.equal((await read({ pageRows: 10 })).length, 30);
    lost = 10;
    await assert.rejects(read({ pageRows: 10 }), (error) => isAppError(error, "badAnswer"));
  });

  it("keep their values, and are checked for numbers that lost digits", () => {
    const result = {
      columns: ["id", "text", "text"],
      rows: [
        [2 ** 53, "a", "b"],
        [7, null, undefined],
      ],
    };
    const rows = toRows(result);
    assert.deepEqual(
      rows.map((row) => ["id", "text", "text_1"].map((name) => readText(row, name))),
      [
        ["9007199254740992", "a", "b"],
        ["7", "", ""],
      ],
    );
    assert.equal(findInexactNumber(result, "id"), 2 ** 53);
    assert.equal(findInexactNumber(result, "text"), undefined);
    assert.deepEqual(toRows({ columns: [], rows: [] }), []);
  });

  it("come from a SELECT in parentheses, out of which no text leads", async () => {
    table = [[1, "a"]];
    const select = "SELECT id, text FROM files.notes WHERE id > 0 -- all of them;\n;";
    for await (const page of readRowPages(used.client, { select })) {
      assert.equal(page.rows.length, 1);
    }
    assert.match(queries()[0] ?? "", /FROM \(SELECT .* -- all of them\n\) AS source_rows$/);
    for (const query of queries()) assert.equal(kindOfSql(query), "read");
    for (const hostile of [
      "SELECT 1; DROP TABLE files.notes",
      "SELECT 1) AS a; DROP TABLE files.notes; SELECT * FROM (SELECT 1",
      "SELECT * FROM files (DROP TABLE notes)",
      "SELECT 1 /*",
    ]) {
      assert.equal(kindOfSql(hostile), "write", hostile);
    }
  });
});
