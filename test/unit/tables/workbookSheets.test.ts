// Workbooks as zip archives, written here with one part.
import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { readSheetNames } from "../../../src/tables/workbookSheets.ts";
import { assertLinear } from "../../linearTime.ts";

function zip(name: string, text: string, isStored = false): Buffer {
  const data = isStored ? Buffer.from(text) : deflateRawSync(text);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(isStored ? 0 : 8, 10);
  entry.writeUInt32LE(data.length, 20);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(30 + name.length + data.length, 16);
  return Buffer.concat([local, Buffer.from(name), data, entry, Buffer.from(name), end]);
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
