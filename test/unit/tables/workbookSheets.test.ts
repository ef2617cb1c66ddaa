// Workbooks as zip archives of the parts that matter.
import assert from "node:assert/strict";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import { listWorkbookWarnings, readSheets } from "../../../src/tables/workbookSheets.ts";
import { assertLinear, millisecondsOf } from "../../linearTime.ts";
import { zipArchive } from "../../zipArchive.ts";

function zip(name: string, text: string, isStored = false, ...others: [string, string][]): Buffer {
  return zipArchive([[name, text], ...others], { isStored });
}

const warningsIn = (file: Buffer) => listWorkbookWarnings("h.xlsx", "files.h", file);

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
    '<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>a</v></c></row></sheetData></worksheet>';
  /** Sheets by name, with their parts. */
  function workbookOf(
    sheets: Record<string, string>,
    folder = "xl/",
    base = "",
    styles?: string,
  ): Buffer {
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
      ...(styles === undefined ? [] : [["xl/styles.xml", styles] as [string, string]]),
      ...Object.values(sheets).map((part, at): [string, string] => [
        `${folder}worksheets/s${at}.xml`,
        part,
      ]),
    );
  }

  const warningsOf = (sheets: Record<string, string>, styles?: string): string[] =>
    warningsIn(workbookOf(sheets, "xl/", "", styles));

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
    assert.deepEqual(warningsOf({ One: filled }), []);
    const count =
      "h.xlsx has 2 sheets. MindsDB creates one table that lists them, and one table per sheet, like files.h.`B`.";
    assert.deepEqual(warningsOf({ B: filled, C: filled }), [count]);
    assert.deepEqual(warningsOf({ A: none, B: filled }), [
      count,
      "The sheet A is empty. Its table can't be read.",
    ]);
    assert.deepEqual(warningsOf({ A: none, B: filled, C: none }), [
      count.replace("2 sheets", "3 sheets"),
      "2 sheets are empty, such as A. Their tables can't be read.",
    ]);
    const allEmpty: Record<string, string>[] = [{ A: none }, { A: none, B: none }];
    for (const sheets of allEmpty) {
      assert.throws(
        () => warningsOf(sheets),
        (error) => isAppError(error, "refused") && error.message === "h.xlsx is empty.",
      );
    }
    assert.deepEqual(warningsIn(Buffer.from("PK")), []);
  });

  /** A sheet of rows; a cell is its XML without the reference, or a text. */
  function sheetOf(rows: string[][], after = ""): string {
    const cells = (row: string[], line: number): string =>
      row
        .map((cell, at) => {
          const ref = `r="${String.fromCharCode(65 + at)}${line + 1}"`;
          if (cell.startsWith("<c")) return cell.replace("<c", `<c ${ref}`);
          return cell && `<c ${ref} t="inlineStr"><is><t>${cell}</t></is></c>`;
        })
        .join("");
    const lines = rows.map((row, line) => `<row r="${line + 1}">${cells(row, line)}</row>`);
    return `<worksheet><sheetData>${lines.join("")}</sheetData>${after}</worksheet>`;
  }
  const number = (value: string): string => `<c><v>${value}</v></c>`;

  // What MindsDB makes of the cells was seen with pandas 2.3.1 in its reader.
  it("have texts that MindsDB reads as numbers, booleans, and nothing", () => {
    const rows = [
      ["zip", "version", "state", "ok", "name", "", "name"],
      ["00123", "1.10", "NA", "TRUE", "a", "b", "c"],
      ["04567", "1.9", "CA", "False", "a", number("5.3542667370758412E-2"), number("2")],
    ];
    assert.deepEqual(warningsOf({ One: sheetOf(rows) }), [
      "MindsDB reads 00123 in the column zip as 123. To keep it, upload JSON with the value as text.",
      "MindsDB reads 1.10 in the column version as 1.1. To keep it, upload JSON with the value as text.",
      "MindsDB reads NA in the column state as null. To keep it, upload JSON with the value as text.",
      "MindsDB reads TRUE in the column ok as true. To keep it, upload JSON with the value as text.",
      "MindsDB names unnamed columns Unnamed: 5.",
      "MindsDB renames the second column name to name.1.",
    ]);
    const [, first] = warningsOf({ A: sheetOf([["x"], ["y"]]), B: sheetOf([["zip"], ["01"]]) });
    assert.match(first ?? "", /^MindsDB reads 01 in the column B: zip as 1\./);
  });

  it("have cells that MindsDB reads as they are", () => {
    const dated = '<c s="3"><v>45000.5</v></c>';
    const yes = '<c t="b"><v>1</v></c>';
    const rows = [
      ["plain", "gap", "date", "share", "ok"],
      ["01067", number("1.5"), dated, number("0.30000000000000004"), yes],
      ["D-99", "", "", number("6.8999999999999997E-4"), yes],
      ["x", number("2"), dated, number("1.5"), '<c t="b"><f>A1</f><v>0</v></c>'],
    ];
    assert.deepEqual(warningsOf({ One: sheetOf(rows) }), []);
    // Cells and rows with a style alone add no column.
    const styled = [["a", '<c s="1"/>'], ["b", '<c s="1"></c>'], ['<c s="1"/>']];
    assert.deepEqual(warningsOf({ One: sheetOf(styled) }), []);
    const texts: [string, string] = [
      "xl/sharedStrings.xml",
      "<sst><si><t>code</t></si><si><r><t>0</t></r><r><t>7</t></r><rPh><t>9</t></rPh></si></sst>",
    ];
    const shared = (at: number): string => `<c t="s"><v>${at}</v></c>`;
    const sheet = sheetOf([[shared(0)], [shared(1)]]);
    const file = zip(
      "xl/workbook.xml",
      '<workbook><sheets><sheet name="One" r:id="r1"/></sheets></workbook>',
      false,
      [
        "xl/_rels/workbook.xml.rels",
        '<Relationships><Relationship Id="r1" Target="s.xml"/></Relationships>',
      ],
      ["xl/s.xml", sheet],
      texts,
    );
    assert.deepEqual(warningsIn(file), [
      "MindsDB reads 07 in the column code as 7. To keep it, upload JSON with the value as text.",
    ]);
  });

  it("have errors, which MindsDB reads as null", () => {
    const error = (text: string): string => `<c t="e"><v>${text}</v></c>`;
    const sheet = sheetOf([
      ["k", "v"],
      ["x", error("#DIV/0!")],
      [error("#REF!"), number("2.5")],
    ]);
    const sentence = (text: string, name: string): string =>
      `MindsDB reads ${text} in the column ${name} as null. To keep it, upload JSON with the value as text.`;
    assert.deepEqual(warningsOf({ One: sheet }), [
      sentence("#REF!", "k"),
      sentence("#DIV/0!", "v"),
    ]);
  });

  it("have errors in place of names", () => {
    const sheet = sheetOf([
      ['<c t="e"><v>#REF!</v></c>', "v"],
      ["x", number("2.5")],
    ]);
    assert.deepEqual(warningsOf({ One: sheet }), ["MindsDB names unnamed columns Unnamed: 0."]);
  });

  it("have errors in a column without a name and any value", () => {
    const sheet = sheetOf([["k"], ["x", '<c t="e"><v>#VALUE!</v></c>']]);
    assert.deepEqual(warningsOf({ One: sheet }), [
      "MindsDB reads #VALUE! in the column Unnamed: 1 as null. To keep it, upload JSON with the value as text.",
      "MindsDB names unnamed columns Unnamed: 1.",
    ]);
  });

  it("have codes for characters, which MindsDB keeps", () => {
    const warning = (ref: string, code: string): string =>
      `The text in ${ref} has a character that the workbook stores as ${code}. MindsDB keeps ${code} in the text.`;
    const warn = (...rows: string[][]): string[] => warningsOf({ One: sheetOf(rows) });
    assert.deepEqual(warn(["a"], ["x"], ["one_x000D_\ntwo"]), [warning("A3", "_x000D_")]);
    assert.deepEqual(warn(["a", "b_x0009_c"], ["x", "y_x000A_"]), [warning("B1", "_x0009_")]);
    assert.deepEqual(warn(["a"], ["_x005F_x000D_"], ["_x000_"], ["x000D_"], ["_x00G0_"]), []);
    const [, second] = warningsOf({
      A: sheetOf([["x"], ["y"]]),
      B: sheetOf([["a_x001F_"], ["b"]]),
    });
    assert.equal(second, warning("B: A1", "_x001F_"));
  });

  it("are not checked in the format before .xlsx", () => {
    const file = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
    assert.match(
      listWorkbookWarnings("h.XLS", "files.h", file).join(),
      /^The cells of \.xls files/,
    );
    assert.deepEqual(warningsIn(file), []);
  });

  const styles = (...codes: string[]): string =>
    `<styleSheet><numFmts>${codes.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join("")}</numFmts>` +
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/>' +
    `${codes.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join("")}</cellXfs></styleSheet>`;
  const styledNumber = (value: string, style: number): string =>
    `<c s="${style}"><v>${value}</v></c>`;

  it("take no long format of numbers, which thousands of cells and styles can have", () => {
    const warn = (digits: number, rows: number, code = "0"): string[] => {
      const cells = Array.from({ length: rows }, () => ["a", styledNumber("1", 2)]);
      const formats = `${'<xf numFmtId="164"/>'.repeat(rows)}</cellXfs>`;
      const book = styles(code.repeat(digits)).replace("</cellXfs>", formats);
      return warningsOf({ One: sheetOf([["a", "b"], ...cells]) }, book);
    };
    for (const code of ["0", "x"]) {
      assertLinear({
        name: `a long format of ${code}`,
        make: (size) => size,
        run: (size) => warn(100 * size, size, code),
        size: 900,
      });
    }
    assert.match(warn(300, 2)[0] ?? "", /^MindsDB reads 0+…/);
  });

  it("have numbers that MindsDB reads by their formats and neighbors", () => {
    const book = styles(
      "00000",
      "[h]:mm:ss",
      "yyyy\\-mm\\-dd;@",
      "[$-409]h:mm AM/PM",
      "0.00&quot;d&quot;",
    );
    const warn = (...cells: string[]): string[] => {
      const rows = [["a", "b"], ...cells.map((cell) => ["x", cell])];
      return warningsOf({ One: sheetOf(rows) }, book);
    };
    const becomes = (cell: string, becomes: string): string =>
      `MindsDB reads ${cell} in the column b as ${becomes}. To keep it, upload JSON with the value as text.`;
    assert.deepEqual(warn(styledNumber("1067", 2), styledNumber("10115", 2)), [
      becomes("01067", "1067"),
    ]);
    assert.deepEqual(warn(styledNumber("1.25", 3), styledNumber("0.0001", 3)), [
      "MindsDB shows the durations in the column b as nanoseconds.",
    ]);
    const mixed = becomes("5", "1970-01-01");
    assert.deepEqual(warn(styledNumber("0.5", 5), number("5")), [becomes("5", "00:00:00")]);
    for (const style of [1, 4, 5]) {
      assert.deepEqual(warn(styledNumber("45000", style), number("5")), [mixed]);
      assert.deepEqual(warn(styledNumber("45000", style), "", styledNumber("45001", style)), []);
    }
    assert.deepEqual(warn(styledNumber("45000", 1), "", number("5")), [mixed]);
    assert.deepEqual(warn(styledNumber("1.5", 6), number("5")), []);
    const yes = '<c t="b"><v>1</v></c>';
    assert.deepEqual(warn(yes, number("5")), [becomes("true", "1")]);
    assert.deepEqual(warn(yes, "", yes), [becomes("true", "1")]);
    assert.deepEqual(warn('<c t="b"><v>0</v></c>', "NA")[0], becomes("false", "0"));
    assert.deepEqual(warn(yes, '<c t="b"><v>0</v></c>'), []);
    assert.deepEqual(warn(number("7"), "", number("8")), [
      "The column b has empty cells, so MindsDB reads its whole numbers as decimals: in text, 7 becomes 7.0.",
    ]);
  });

  it("have rows without a value, which MindsDB keeps", () => {
    const rows = [["a", "b"], ["x", "y"], [], ["z", "w"]];
    const warning = (row: string): string =>
      `MindsDB keeps rows without any value as rows of nulls. The first is row ${row}.`;
    assert.deepEqual(warningsOf({ One: sheetOf(rows) }), [warning("3")]);
    const [, second] = warningsOf({ A: sheetOf([["x"], ["y"]]), B: sheetOf(rows) });
    assert.equal(second, warning("B: 3"));
    assert.deepEqual(warningsOf({ One: sheetOf([...rows.slice(0, 2), [], []]) }), []);
  });

  it("are read with references to characters that do not exist", () => {
    for (const reference of ["&#x110000;", "&#1114112;", "&#99999999999999999999;"]) {
      assert.deepEqual(warningsOf({ One: sheetOf([["name"], [reference], ["07"]]) }), []);
      assert.deepEqual(readSheetNames(zip("xl/workbook.xml", workbook(`A${reference}`))), [
        `A${reference}`,
      ]);
    }
  });

  it("lose the results of formulas that were never computed, and the values of merged cells", () => {
    const rows = [
      ["a", "b"],
      ["x", '<c t="str"><f>""</f><v></v></c>'],
      ["y", "<c><f>1+1</f><v></v></c>"],
    ];
    const merged = '<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>';
    assert.deepEqual(warningsOf({ One: sheetOf(rows, merged) }), [
      "The formula in B3 has no stored result, so MindsDB reads no value. Save the workbook in a spreadsheet program first.",
      "The cells A2:A3 are merged. MindsDB reads a value in the first one only.",
    ]);
  });

  it("are refused without names of columns, and in the strict format", () => {
    const refusal = (file: Buffer): string => {
      try {
        return warningsIn(file).join();
      } catch (error) {
        assert.ok(isAppError(error, "refused"));
        return error.message;
      }
    };
    const numbered = sheetOf([
      ["a", number("2024")],
      ["x", number("1")],
    ]);
    assert.match(
      refusal(workbookOf({ One: numbered })),
      /^The first row of h\.xlsx must name the columns/,
    );
    assert.match(
      refusal(workbookOf({ One: sheetOf([["a"], ["x"]]), Two: numbered })),
      /^The first row of h\.xlsx, Two, must name the columns/,
    );
    const namespace = ' xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"';
    const strict = workbook("One").replace("<workbook", `<workbook${namespace}`);
    assert.equal(
      refusal(zip("xl/workbook.xml", strict)),
      "h.xlsx is a Strict Open XML workbook, in which MindsDB finds no sheets. Save it as Excel Workbook (.xlsx).",
    );
  });

  it("are checked in linear time, also where they are cut or damaged", () => {
    for (const tag of [
      "<c>",
      "<row>",
      '<c r="A1" t="s"><v>',
      "<mergeCell ",
      '<row r="1999"><c>',
      "<t><![CDATA[",
    ]) {
      const make = (size: number): Buffer =>
        workbookOf({
          One: `${filled.replace("</sheetData></worksheet>", "")}${tag.repeat(size / tag.length)}`,
        });
      assertLinear({ name: tag, make, run: warningsIn, size: 100_000 });
    }
  });

  it("of one long text or of long numbers are checked in less than a second", () => {
    const names: [string, string] = [
      "xl/workbook.xml",
      `<workbook><sheets>${'<sheet name="A" r:id="r"/>'.repeat(5)}</sheets></workbook>`,
    ];
    const relations: [string, string] = [
      "xl/_rels/workbook.xml.rels",
      '<Relationships><Relationship Id="r" Target="s.xml"/></Relationships>',
    ];
    const check = (rows: string, text = ""): number => {
      const texts = `<sst><si><t>head</t></si><si><t>${text}</t></si></sst>`;
      const sheet = `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
      const parts: [string, string][] = [
        ["xl/s.xml", sheet],
        ["xl/sharedStrings.xml", texts],
      ];
      const file = zip(...names, false, relations, ...parts);
      return millisecondsOf(() => warningsIn(file));
    };
    const head = '<c t="s"><v>0</v></c>';
    const zeros = '<row><c t="s"><v>1</v></c></row>';
    assert.ok(check(`<row>${head}</row>${zeros.repeat(1_000)}`, "0".repeat(900_000)) < 1_000);
    const large = `<row>${"<c><v>1e308</v></c>".repeat(490)}</row>`;
    assert.ok(check(`<row>${head.repeat(490)}</row>${large.repeat(400)}`) < 2_000);
    assert.ok(check("<".repeat(4_900_000)) < 1_000);
  });

  it("are named by the beginning of a long text in what is said about them", () => {
    const name = "n".repeat(300_000);
    const none = "<worksheet><sheetData/></worksheet>";
    const merged = sheetOf([["a"], ["b"]], `<mergeCell ref="${"Z".repeat(300_000)}"/>`);
    for (const sheets of [
      { [name]: filled, B: none },
      { B: merged, [name]: none },
    ]) {
      const warnings = warningsOf(sheets);
      assert.ok(warnings.length > 1);
      for (const warning of warnings) assert.ok(warning.length < 500, warning.slice(0, 80));
    }
    const unnamed = sheetOf([[number("1")], ["x"]]);
    assert.throws(
      () => warningsOf({ [name]: unnamed, B: filled }),
      (error) => isAppError(error, "refused") && error.message.length < 500,
    );
  });

  it("are checked at their beginning also if it grows much", () => {
    const rows = Array.from({ length: 120_000 }, () => ["01"]);
    assert.deepEqual(warningsOf({ One: sheetOf([["zip"], ...rows]) }), [
      "MindsDB reads 01 in the column zip as 1. To keep it, upload JSON with the value as text.",
    ]);
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
    // Thousands of sheets can have one part, at a long path.
    const shared = (sheets: number, path: number, folder = "xl"): Buffer =>
      zip(
        `${folder}/workbook.xml`,
        `<workbook><sheets>${'<sheet name="A" r:id="r"/>'.repeat(sheets)}</sheets></workbook>`,
        false,
        [
          `${folder}/_rels/workbook.xml.rels`,
          `<Relationships><Relationship Id="r" Target="${"t".repeat(path)}"/></Relationships>`,
        ],
      );
    assertLinear({
      name: "a long path of all sheets",
      make: (size) => shared(size / 25, size),
      run: readSheetNames,
      size: 200_000,
    });
    assert.equal(readSheetNames(shared(2, 10, "x".repeat(30_000))), undefined);
    const large = workbook(...Array<string>(40_000).fill("Sheet"));
    for (const isStored of [true, false]) {
      assert.equal(readSheetNames(zip("xl/workbook.xml", large, isStored)), undefined);
    }
  });
});
