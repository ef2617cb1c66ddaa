// Workbooks as zip archives, written here with one part.
import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { readSheetNames } from "../../../src/tables/workbookSheets.ts";
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
