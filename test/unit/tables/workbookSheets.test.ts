// Workbooks as zip archives, written here with one part.
import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import { listWorkbookWarnings, readSheets } from "../../../src/tables/workbookSheets.ts";
import { assertLinear } from "../../linearTime.ts";

/** An archive of one or more parts. */
function zip(name: string, text: string, isStored = false, ...others: [string, string][]): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let start = 0;
  for (const [part, content] of [[name, text], ...others] as [string, string][]) {
    const data = isStored ? Buffer.from(content) : deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(part.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(isStored ? 0 : 8, 10);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt16LE(part.length, 28);
    entry.writeUInt32LE(start, 42);
    locals.push(local, Buffer.from(part), data);
    entries.push(entry, Buffer.from(part));
    start += local.length + part.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1 + others.length, 10);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([...locals, ...entries, end]);
}

const readSheetNames = (file: Buffer) => readSheets(file)?.map(({ name }) => name);

const workbook = (...names: string[]) =>
  `<workbook><sheets>${names.map((name, id) => `<sheet name="${name}" sheetId="${id + 1}"/>`).join("")}</sheets></workbook>`;

describe("The sheets of a workbook", () => {
  it("are read by name", () => {
    for (const isStored of [true, false]) {
      const file = zip("xl/workbook.xml", workbook("One", "Two &amp; &#x33;"), isStored);
      assert.deepEqual(readSheetNames(file), ["One", "Two & 3"]);
    }
  });

  it("are read wherever the program that wrote them has put their list, with any prefix", () => {
    assert.deepEqual(readSheetNames(zip("workbook.xml", workbook("Arrests"))), ["Arrests"]);
    const prefixed = workbook("One").replaceAll("<sheet", "<x:sheet");
    assert.deepEqual(readSheetNames(zip("excel/workbook.xml", prefixed)), ["One"]);
    assert.equal(readSheetNames(zip("xl/workbook.xml.bak", workbook("One"))), undefined);
  });

  it("leave out those of charts, of which servers make no table", () => {
    const list =
      '<workbook><sheets><sheet name="Data" sheetId="1" r:id="rId1"/><sheet name="Chart1" sheetId="2" r:id="rId2"/>' +
      '<sheet name="More" sheetId="3" r:id="rId3"/></sheets></workbook>';
    const relation = (id: string, type: string) =>
      `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="x.xml"/>`;
    const relations = ["worksheet", "chartsheet", "worksheet"]
      .map((type, at) => relation(`rId${at + 1}`, type))
      .join("");
    const part: [string, string] = [
      "xl/_rels/workbook.xml.rels",
      `<Relationships>${relations}</Relationships>`,
    ];
    for (const isStored of [true, false]) {
      const file = zip("xl/workbook.xml", list, isStored, part);
      assert.deepEqual(readSheetNames(file), ["Data", "More"]);
    }
  });

  const filled =
    '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>';
  /** Sheets by name, with their parts. */
  function workbookOf(sheets: Record<string, string>, folder = "xl/", base = ""): Buffer {
    const names = Object.keys(sheets);
    const tags = names.map(
      (name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at}"/>`,
    );
    const relations = names.map(
      (_, at) =>
        `<Relationship Id="r${at}" Type="x/worksheet" Target="${base}worksheets/s${at}.xml"/>`,
    );
    return zip(
      `${folder}workbook.xml`,
      `<workbook><sheets>${tags.join("")}</sheets></workbook>`,
      false,
      [`${folder}_rels/workbook.xml.rels`, `<Relationships>${relations.join("")}</Relationships>`],
      ...Object.values(sheets).map((part, at): [string, string] => [
        `${folder}worksheets/s${at}.xml`,
        part,
      ]),
    );
  }

  it("are known to be empty if no cell has a value", () => {
    const empty = {
      none: "<worksheet><sheetData/></worksheet>",
      rows: '<worksheet><sheetData><row r="1" spans="1:2"/></sheetData></worksheet>',
      styled:
        '<x:worksheet><x:sheetData><x:row><x:c r="A1" s="1"/></x:row></x:sheetData></x:worksheet>',
    };
    const others = {
      number: filled,
      text: '<worksheet><sheetData><row><c t="inlineStr"><is><t>a</t></is></c></row></sheetData></worksheet>',
      formula: "<worksheet><sheetData><row><c><f>A2</f></c></row></sheetData></worksheet>",
      prefixed:
        "<x:worksheet><x:sheetData><x:row><x:c><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>",
      unknown: "<html/>",
      large: `<worksheet><sheetData>${'<c s="1"/>'.repeat(20_000)}<c><v>1</v></c></sheetData></worksheet>`,
    };
    for (const [folder, base] of [
      ["xl/", ""],
      ["xl/", "/xl/"],
      ["", ""],
    ] as const) {
      const sheets = readSheets(workbookOf({ ...empty, ...others }, folder, base));
      assert.deepEqual(sheets, [
        ...Object.keys(empty).map((name) => ({ name, isEmpty: true })),
        ...Object.keys(others).map((name) => ({ name, isEmpty: false })),
      ]);
    }
  });

  it("are said to be empty before the workbook is sent", () => {
    const none = "<worksheet><sheetData/></worksheet>";
    const warn = (sheets: Record<string, string>) =>
      listWorkbookWarnings("h.xlsx", "files.h", workbookOf(sheets));
    assert.deepEqual(warn({ One: filled }), []);
    const count =
      "h.xlsx has 2 sheets. MindsDB creates one table that lists them, and one table per sheet, like files.h.`B`.";
    assert.deepEqual(warn({ B: filled, C: filled }), [count]);
    assert.deepEqual(warn({ A: none, B: filled }), [
      count,
      "The sheet A is empty. Its table can't be read.",
    ]);
    assert.deepEqual(warn({ A: none, B: filled, C: none }), [
      count.replace("2 sheets", "3 sheets"),
      "2 sheets are empty, such as A. Their tables can't be read.",
    ]);
    const allEmpty: Record<string, string>[] = [{ A: none }, { A: none, B: none }];
    for (const sheets of allEmpty) {
      assert.throws(
        () => warn(sheets),
        (error) => isAppError(error, "refused") && error.message === "h.xlsx is empty.",
      );
    }
    assert.deepEqual(listWorkbookWarnings("h.xlsx", "files.h", Buffer.from("PK")), []);
  });

  it("are unknown for other bytes, which never throw", () => {
    const file = zip("xl/workbook.xml", workbook("One", "Two"));
    assert.equal(readSheetNames(zip("word/document.xml", "<document/>")), undefined);
    for (let length = 0; length < file.length - 2; length++) {
      assert.equal(readSheetNames(file.subarray(0, length)), undefined);
    }
    for (let at = 0; at < file.length; at++) {
      const damaged = Buffer.from(file);
      damaged[at] = 0xff;
      readSheetNames(damaged);
    }
  });

  it("are found in linear time, and not in a part that is larger than any list of sheets", () => {
    for (const tag of ["<sheet ", "<a:sheet x", '<sheet name="', "<sheet name=", " name="]) {
      const make = (size: number): Buffer =>
        zip("xl/workbook.xml", `<sheet ${tag.repeat(size / tag.length)}`);
      assertLinear({ name: tag, make, run: readSheetNames, size: 100_000 });
    }
    const large = workbook(...Array<string>(40_000).fill("Sheet"));
    for (const isStored of [true, false]) {
      assert.equal(readSheetNames(zip("xl/workbook.xml", large, isStored)), undefined);
    }
  });
});
