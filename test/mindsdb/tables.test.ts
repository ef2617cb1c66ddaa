// Tables of a real server: files of every kind uploaded, read with their columns and types, replaced and deleted.
import assert from "node:assert/strict";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { listTables } from "../../src/mindsdb/dataSources.ts";
import { isAppError } from "../../src/mindsdb/errors.ts";
import { dropFile, uploadFile } from "../../src/mindsdb/files.ts";
import { runSql } from "../../src/mindsdb/sql/runSql.ts";
import { listTableColumns, readFirstRows } from "../../src/mindsdb/tables.ts";
import {
  findChangedCells,
  findChangedColumns,
  isBinary,
  readCsvStart,
} from "../../src/tables/csvChecks.ts";
import { replaceTable } from "../../src/tables/replaceTable.ts";
import { isTableMissing } from "../../src/tables/tableMissing.ts";
import { createUpload, type SourceFile } from "../../src/tables/uploadSource.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";

function fileOf(name: string, text: string): SourceFile {
  const bytes = Buffer.from(text);
  // eslint-disable-next-line @typescript-eslint/require-await
  async function* read(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  }
  return { name, size: bytes.length, read };
}

for (const version of versions) {
  describe(`MindsDB ${version}, tables`, () => {
    let connection: Connection;
    let client: Client;
    const upload = async (name: string, file: SourceFile): Promise<void> =>
      uploadFile(client, name, await createUpload(file, () => undefined));
    const names = async () => (await listTables(client, "files")).map(({ name }) => name);

    before(async () => {
      connection = await connect(fixture(version).server.url);
      client = connection.client;
    });
    after(() => connection.close());

    it("takes CSV, and has its columns with types", async () => {
      await upload("up_csv", fileOf("h.csv", 'id,place,price\n1,"a, b",1.5\n2,,2\n'));
      assert.ok((await names()).includes("up_csv"));
      assert.deepEqual(await listTableColumns(client, ["files", "up_csv"]), [
        { name: "id", type: "number" },
        { name: "place", type: "text" },
        { name: "price", type: "number" },
      ]);
      const { rows } = await readFirstRows(client, ["files", "up_csv"], 100);
      assert.deepEqual(rows, [
        [1, "a, b", 1.5],
        [2, null, 2],
      ]);
    });

    it("takes tab-separated values, and merges rows at a quote that is not closed", async () => {
      await upload("up_tsv", fileOf("h.tsv", 'id\tplace\n1\ta, b\n2\t"c; d"\n'));
      const tsv = await readFirstRows(client, ["files", "up_tsv"], 100);
      assert.deepEqual(tsv.rows, [
        [1, "a, b"],
        [2, "c; d"],
      ]);
      const open = 'id\tplace\n1\t"x\n2\ty"\n3\tz\n';
      await upload("up_quote", fileOf("q.tsv", open));
      const merged = await readFirstRows(client, ["files", "up_quote"], 100);
      assert.equal(merged.rows.length, 2);
      await assert.rejects(upload("up_open", fileOf("o.tsv", 'id\tplace\n1\t"x\n2\ty\n')));
      for (const name of ["up_tsv", "up_quote"]) await dropFile(client, name);
    });

    it("takes UTF-8 as it is, where the server would guess another encoding by its beginning", async () => {
      const last = "3999,Müller,Straße 3999,schön";
      const rows = Array.from({ length: 4_000 }, (_, at) => last.replaceAll("3999", String(at)));
      // A character lies over the end of the first 32 kB.
      const file = fileOf("h.csv", `id,nnn,x,y\n${rows.join("\n")}\n`);
      const read = async (name: string): Promise<string | undefined> => {
        const query = `SELECT * FROM files.${name} WHERE id = 3999`;
        const text = (await runSql(client, query)).rows[0]?.join();
        await dropFile(client, name);
        return text;
      };
      await upload("up_guessed", file);
      assert.notEqual(await read("up_guessed"), last);
      await upload("up_text", { ...file, isText: true });
      assert.equal(await read("up_text"), last);
      const lines = fileOf("h.jsonl", `{"id":3999,"x":"😀"}\n`);
      await upload("up_json", { ...lines, isText: true });
      assert.equal(await read("up_json"), "3999,😀");
    });

    it("takes JSON Lines as an array, 200,000 lines of them", async () => {
      const lines = Array.from({ length: 200_000 }, (_, at) => `{"a":${String(at)},"b":"x"}\n`);
      await upload("up_lines", fileOf("big.jsonl", lines.join("")));
      const { rows } = await runSql(client, "SELECT count(*) FROM files.up_lines");
      assert.equal(Number(rows[0]?.[0]), 200_000);
    });

    it("refuses a name that is taken; after a delete it takes the new file", async () => {
      await assert.rejects(upload("up_csv", fileOf("h.csv", "a\n1\n")), (error) =>
        isAppError(error, "refused"),
      );
      await dropFile(client, "up_csv");
      await upload("up_csv", fileOf("h.csv", "a\n1\n"));
      assert.deepEqual((await readFirstRows(client, ["files", "up_csv"], 5)).columns, ["a"]);
    });

    it("replaces a table once the server has read the file", async () => {
      const open = (file: SourceFile) => createUpload(file, () => undefined);
      const rows = async () => (await readFirstRows(client, ["files", "up_csv"], 5)).rows;
      const before = await names();
      await assert.rejects(
        replaceTable(client, "up_csv", await open(fileOf("h.xlsx", "no sheet"))),
      );
      assert.deepEqual(await rows(), [[1]]);
      await replaceTable(client, "up_csv", await open(fileOf("h.csv", "b\n2\n3\n")));
      assert.deepEqual(await rows(), [[2], [3]]);
      assert.deepEqual(await names(), before);
    });

    it("loses leading zeros of CSV, but not of JSON: why the user is asked", async () => {
      const text = "zip\n01067\n99\n";
      await upload("up_zeros", fileOf("h.csv", text));
      const { rows } = await runSql(client, "SELECT zip FROM files.up_zeros");
      assert.deepEqual(rows, [[1067], [99]]);
      await dropFile(client, "up_zeros");
      await upload("up_zeros", fileOf("h.json", '[{"zip":"01067"},{"zip":"99"}]'));
      const kept = await runSql(client, "SELECT zip FROM files.up_zeros");
      assert.deepEqual(kept.rows, [["01067"], ["99"]]);
      await dropFile(client, "up_zeros");
    });

    it("changes cells of CSV as the user is warned", async () => {
      const rows = [
        [
          "01067",
          "1498392753700442114",
          "+4930",
          "12E3",
          "1.10",
          "inf",
          "TRUE",
          "7",
          "N/A",
          "x",
          "9",
        ],
        ["1", "", "3", "4", "1.9", "1.5", "FALSE", "", "DE", "y", "8"],
      ];
      const header = "zip,id,phone,code,version,load,ok,rooms,land,land,";
      const text = `${header}\n${rows.map((row) => `${row.join()}\n`).join("")}`;
      await upload("up_changed", fileOf("h.csv", text));
      const csv = readCsvStart(text);
      const changed = findChangedCells(csv);
      assert.deepEqual(
        changed.map(({ column }) => column).join(),
        header.slice(0, -"land,".length - 1),
      );
      for (const { kind, column, cell, becomes } of changed) {
        // Only texts show the decimals of whole numbers.
        const shown = kind === "decimal" ? `CAST(${column} AS VARCHAR)` : column;
        const read = await runSql(client, `SELECT ${shown} FROM files.up_changed`);
        assert.equal(String(read.rows[0]?.[0]), becomes, `${column} ${cell}`);
      }
      const names = (await listTableColumns(client, ["files", "up_changed"])).map(
        (one) => one.name,
      );
      for (const { becomes } of findChangedColumns(csv)) {
        assert.ok(names.includes(becomes), becomes);
      }
      await dropFile(client, "up_changed");
    });

    it("makes a table of bytes that are no text: why the user is asked", async () => {
      const bytes = "PK\u0003\u0004\u0000\u0000binary\n\u0000\u0001\n";
      assert.ok(isBinary(Buffer.from(bytes)));
      await upload("up_binary", fileOf("h.csv", bytes));
      assert.ok((await names()).includes("up_binary"));
      await dropFile(client, "up_binary");
    });

    it("reads a table whose name has spaces and columns with capitals", async () => {
      await upload("up two words", fileOf("h.csv", "My Id,Größe\n1,2\n"));
      const columns = await listTableColumns(client, ["files", "up two words"]);
      assert.deepEqual(
        columns.map(({ name }) => name),
        ["My Id", "Größe"],
      );
      await dropFile(client, "up two words");
    });

    it("says that a dropped table is not there, in words that the page knows", async () => {
      for (const name of ["up_csv", "up_lines"]) await dropFile(client, name);
      const left = await names();
      assert.ok(!left.some((name) => name.startsWith("up")), left.join());
      await assert.rejects(
        readFirstRows(client, ["files", "up_csv"], 5),
        (error) => isAppError(error, "sql") && isTableMissing(error, "up_csv"),
      );
    });
  });
}
