// What real servers make of odd files, held against what the user is told before the upload: a change is told, and nothing else.
import assert from "node:assert/strict";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { dropFile } from "../../src/mindsdb/files.ts";
import { runSql } from "../../src/mindsdb/sql/runSql.ts";
import { listCsvWarnings } from "../../src/tables/csvWarnings.ts";
import { listJsonWarnings } from "../../src/tables/jsonWarnings.ts";
import { listWorkbookWarnings } from "../../src/tables/workbookSheets.ts";
import { uploadAsUser } from "./uploadAsUser.ts";
import { zipArchive } from "../zipArchive.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";

interface Case {
  name: string;
  content: string | Buffer;
  /** The table's rows as texts, with "null" for no value; the columns' names first. */
  table: string;
  /** What the user is told; nothing by default. */
  warning?: RegExp;
}

/** A file with two columns, the second one of these cells. */
function column(cells: string[], read: string[], warning?: RegExp): Case {
  const content = `k,v\n${cells.map((cell) => `x,${cell}\n`).join("")}`;
  const rows = read.map((cell) => `\nx|${cell}`);
  return file("h.csv", content, `k|v${rows.join("")}`, warning);
}

function file(name: string, content: string | Buffer, table: string, warning?: RegExp): Case {
  return { name, content, table, ...(warning && { warning }) };
}

/** A workbook of one sheet with two columns, the second one of these cells; styles 1 to 3 are a date, a duration, five digits. */
function workbook(cells: string[], read: string[], warning?: RegExp): Case {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const relations = "http://schemas.openxmlformats.org/package/2006/relationships";
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const types = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const rows = [text("v"), ...cells].map(
    (cell, at) => `<row r="${at + 1}">${cell && text(at === 0 ? "k" : "x") + cell}</row>`,
  );
  const list = (name: string, inside: string): string =>
    `<${name} xmlns="${relations}">${inside}</${name}>`;
  const content = zipArchive([
    [
      "[Content_Types].xml",
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
        `<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/>` +
        `<Override PartName="/xl/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
    ],
    [
      "_rels/.rels",
      list(
        "Relationships",
        `<Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/>`,
      ),
    ],
    [
      "xl/workbook.xml",
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    ],
    [
      "xl/_rels/workbook.xml.rels",
      list(
        "Relationships",
        `<Relationship Id="r1" Type="${office}/worksheet" Target="sheet1.xml"/>` +
          `<Relationship Id="r2" Type="${office}/styles" Target="styles.xml"/>`,
      ),
    ],
    [
      "xl/styles.xml",
      `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="00000"/></numFmts>` +
        "<fonts><font/></fonts><fills><fill><patternFill/></fill></fills><borders><border/></borders>" +
        `<cellStyleXfs><xf/></cellStyleXfs><cellXfs>${[0, 14, 46, 164].map((id) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`).join("")}</cellXfs></styleSheet>`,
    ],
    [
      "xl/sheet1.xml",
      `<worksheet xmlns="${main}"><sheetData>${rows.join("")}</sheetData></worksheet>`,
    ],
  ]);
  const lines = read.map((cell, at) => `\n${cells[at] ? "x" : "null"}|${cell}`);
  return file("h.xlsx", content, `k|v${lines.join("")}`, warning);
}

const number = (value: string, style = 0): string => `<c s="${style}"><v>${value}</v></c>`;
const truth = '<c t="b"><v>1</v></c>';
const asDecimals = /reads its whole numbers as decimals/;

const cases: Case[] = [
  column([" x", "y "], [" x", "y "]),
  column([" 5", "6 "], ["5", "6"]),
  column(["19.90", "5.00"], ["19.9", "5.0"]),
  column(["19.90", "5"], ["19.9", "5.0"], /19\.90 in the column v as 19\.9\./),
  column(["1.10", "1.9"], ["1.1", "1.9"], /1\.10 in the column v as 1\.1\./),
  column(["0.000000000012345678901234", "1.5"], ["1.23456e-11", "1.5"], /as 1\.23456e-11\./),
  column(["123456789.123456789", "1.5"], ["123456789.12345678", "1.5"], /as 123456789\.12345678\./),
  column(["52.520008123456789", "1.5"], ["52.52000812345679", "1.5"]),
  column(["1e-400", "1.5"], ["0.0", "1.5"], /1e-400 in the column v as 0\./),
  column(
    ["007", "NA"],
    ["7.0", "null"],
    /007 in the column v as 7\..*\n.*NA in the column v as null/,
  ),
  column(["true", "False"], ["true", "false"], /False in the column v as false/),
  file(
    "h.csv",
    "a, b\nx,y\n",
    "a|b\nx|y",
    /removes spaces and tabs around column names, as in “ b”/,
  ),
  file("h.csv", "a\t,b\nx,y\n", "a|b\nx|y", /around column names, as in “a\t”/),
  file("h.json", '[{" a":"x","b":"y"}]', "a|b\nx|y", /around column names, as in “ a”/),
  file("h.csv", "A,a\n1,2\n", "A|a_1\n1|2", /renames the second column a to a_1/),
  file("h.csv", "k,,Unnamed: 1\n1,2,3\n", "k|Unnamed: 1.1|Unnamed: 1\n1|2|3", /Unnamed: 1\.1\./),
  file("h.csv", "a,b\nx,y\n,\nz,w\n", "a|b\nx|y\nnull|null\nz|w", /first is row 2/),
  file("h.csv", "a,b\nx,1\n \t\nz,2\n", "a|b\nx|1\nz|2"),
  file("h.csv", "a,b\r\nx,1\ny,2\r", "a|b\nx|1\ny|2"),
  file("h.csv", "a,b\r\r\nx,1\r\r\ny,2\r\r\n", "a|b\nx|1\ny|2"),
  file("h.csv", 'a,b\n"x"y,1\n', "a|b\nxy|1", /"x"y becomes xy/),
  file("h.csv", 'a,b\n"x\\"y",1\n', 'a|b\nx\\y"|1', /becomes x\\y"/),
  file("h.csv", "a,b\n1,2,3\n4,5\n", "a|b\n1|2\n4|5", /drops the extra cells/),
  file("h.csv", "a;b, c\n1;2\n3;4\n", "a;b|c\n1;2|null\n3;4|null", /splits them at “,”/),
  file("h.tsv", "a, b\tc\n1\t2\n3\t4\n", "a|b\tc\n1\t2|null\n3\t4|null", /separated by “\\t”/),
  file("h.csv", "a:b\n1:2\n3:4\n", "a:b\n1:2\n3:4", /read a single column/),
  file(
    "h.json",
    '{"data":[{"a":1},{"a":2}]}',
    "data\n[{'a': 1}, {'a': 2}]",
    /reads h\.json as one row/,
  ),
  workbook(
    ['<c t="e"><v>#DIV/0!</v></c>', number("1.5")],
    ["null", "1.5"],
    /reads #DIV\/0! in the column v as null/,
  ),
  file("h.csv", "\na;b\n1;2\n", "a;b\n1;2", /read a single column/),
  file("h.json", '[{"a":NaN},{"a":1}]', "a\nnull\n1.0", /NaN, which is not valid JSON/),
  file("h.json", '[{"a":1},{"a":null}]', "a\n1.0\nnull", asDecimals),
  file(
    "h.jsonl",
    '{"a":{"b":9007199254740993}}\n{"a":{"b":null}}\n',
    "a\n{'b': 9007199254740992.0}\n{'b': NULL}",
    /column a\.b as 9007199254740992\./,
  ),
  file(
    "h.json",
    '[{"a":{"b":1}},{"a":{"c":"x"}}]',
    "a\n{'b': 1.0, 'c': NULL}\n{'b': NULL, 'c': x}",
    /different keys/,
  ),
  workbook([number("1.5"), number("2.5")], ["1.5", "2.5"]),
  workbook(
    [number("1067", 3), number("10115", 3)],
    ["1067", "10115"],
    /01067 in the column v as 1067/,
  ),
  workbook(
    [number("45000", 1), number("45001", 1)],
    ["2023-03-15 00:00:00", "2023-03-16 00:00:00"],
  ),
  workbook(
    [number("45000", 1), number("5")],
    ["2023-03-15 00:00:00", "1970-01-01 00:00:00.000005"],
    /reads 5 in the column v as 1970-01-01/,
  ),
  workbook([number("1.25", 2), number("0.5", 2)], ["1 day 06:00:00", "12:00:00"], /as nanoseconds/),
  workbook(
    ['<c t="inlineStr"><is><t>a_x000D_b</t></is></c>'],
    ["a_x000D_b"],
    /MindsDB keeps _x000D_ in the text/,
  ),
  workbook([truth, number("5")], ["1", "5"], /true in the column v as 1/),
  workbook([number("1.5"), "", number("2.5")], ["1.5", "null", "2.5"], /first is row 3/),
];

const refused: [name: string, content: string, message: RegExp][] = [
  [
    "h.csv",
    "a,b\n1,2\n3,4,5\n",
    /^h\.csv, line 3, column 1: This row has 3 cells and the header has 2\. /,
  ],
  [
    "h.csv",
    'a,b\n1,2\n"3,4\n',
    /^h\.csv, line 3, column 1: The quote that opens a cell on this line is never closed/,
  ],
  ["h.json", "[[1,2]]", /^h\.json, line 1, column 2: /],
  ["h.json", "5", /^h\.json, line 1, column 1: /],
];

function listWarnings({ name, content }: Case): string[] {
  const bytes = Buffer.from(content);
  if (name.endsWith(".xlsx")) return listWorkbookWarnings(name, "files.h", bytes);
  return name.includes(".json")
    ? listJsonWarnings(name, bytes)
    : listCsvWarnings({ name, size: bytes.length }, bytes);
}

for (const version of versions) {
  describe(`MindsDB ${version}, changes of uploads`, () => {
    let connection: Connection;
    let client: Client;
    before(async () => {
      connection = await connect(fixture(version).server.url);
      client = connection.client;
    });
    after(() => connection.close());

    const upload = (name: string, content: string | Buffer): Promise<void> =>
      uploadAsUser(client, "odd", { name, content, isText: typeof content === "string" });

    it("are those that the user is told", async () => {
      for (const one of cases) {
        await upload(one.name, one.content);
        const { columns } = await runSql(client, "SELECT * FROM files.odd LIMIT 1");
        // Results show some values in another way than texts do.
        const texts = columns.map((name) => `CAST(\`${name}\` AS VARCHAR)`);
        const { rows } = await runSql(client, `SELECT ${texts.join()} FROM files.odd`);
        await dropFile(client, "odd");
        const table = [columns, ...rows].map((row) => row.map(String).join("|")).join("\n");
        assert.equal(table, one.table, String(one.content));
        const warnings = listWarnings(one);
        if (one.warning) assert.match(warnings.join("\n"), one.warning);
        else assert.deepEqual(warnings, [], String(one.content));
      }
    });

    it("are refusals in words about the file", async () => {
      for (const [name, content, message] of refused) {
        await assert.rejects(upload(name, content), ({ message: said }: Error) => {
          assert.match(said, message);
          return true;
        });
      }
    });
  });
}
