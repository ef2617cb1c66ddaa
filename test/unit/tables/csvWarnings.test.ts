// What MindsDB changes in CSV files without a message, and the sentences that say so before an upload.
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  checkedBytes,
  findChangedCells,
  findChangedColumns,
  readCsvStart,
} from "../../../src/tables/csvChecks.ts";
import { assertLinear } from "../../linearTime.ts";
import { listCsvWarnings } from "../../../src/tables/csvWarnings.ts";

function warningsOf(text: string, size = Buffer.byteLength(text)): string[] {
  return listCsvWarnings({ name: "homes.csv", size }, Buffer.from(text));
}

function columnOf(cells: readonly string[], name = "b"): string {
  return `a,${name}\n${cells.map((cell) => `x,${cell}\n`).join("")}`;
}

// Each "becomes" and "kept" is what pandas 2.3.1 was seen making of it in MindsDB's reader.
describe("what MindsDB changes in CSV without a message", () => {
  it("is the text of cells in columns of numbers", () => {
    const changed: [cells: string[], cell: string, becomes: string][] = [
      [["99", "", " 01067"], "01067", "1067"],
      [["01234", "3"], "01234", "1234"],
      [["1498392753700442114", ""], "1498392753700442114", "1498392753700442000"],
      [["9007199254740993", "0.5"], "9007199254740993", "9007199254740992"],
      [["+4930", "12"], "+4930", "4930"],
      [["12E3", "7"], "12E3", "12000"],
      [["1e5", "7"], "1e5", "100000"],
      // Zeros at the beginning are digits, too: seventeen of them are read.
      [["0.12345678901234567890"], "0.12345678901234567890", "0.1234567890123456"],
      [["0.0000012345678901234567"], "0.0000012345678901234567", "0.0000012345678901"],
      [["0.000000000012345678901234"], "0.000000000012345678901234", "1.23456e-11"],
      [["123456789.123456789"], "123456789.123456789", "123456789.12345678"],
      [["-12345678901234567.5"], "-12345678901234567.5", "-12345678901234568"],
      [["1.5", "1.25e-400"], "1.25e-400", "0"],
      [["1.9", "1.10"], "1.10", "1.1"],
      [["2.0", "1.10", "1.1"], "1.10", "1.1"],
      [["0.10", "0.100"], "0.100", "0.1"],
      [["19.90", "5"], "19.90", "19.9"],
      [["3", "1.10", "1.20"], "1.10", "1.1"],
    ];
    for (const [cells, cell, becomes] of changed) {
      assert.deepEqual(
        findChangedCells(readCsvStart(columnOf(cells))),
        [{ kind: "number", column: "b", cell, becomes }],
        cells.join(),
      );
    }
    for (const name of ["version", "appVersion", "RELEASE_NO", "Section", "sku"]) {
      const [change] = findChangedCells(readCsvStart(columnOf(["1.10", "1.20"], name)));
      assert.equal(change?.becomes, "1.1", name);
    }
  });

  it("is an infinite number, a boolean in capitals, and a whole number beside empty cells", () => {
    const changed: [cells: string[], kind: string, cell: string, becomes: string][] = [
      [["inf", "1"], "infinity", "inf", "null"],
      [["1.5", "-Infinity", ""], "infinity", "-Infinity", "null"],
      [["2", "INF"], "infinity", "INF", "null"],
      [["TRUE", "FALSE"], "boolean", "TRUE", "true"],
      [["true", "False", ""], "boolean", "False", "false"],
      [["tRUE"], "boolean", "tRUE", "true"],
      [["7", ""], "decimal", "7", "7.0"],
      [["", "-12", "3"], "decimal", "-12", "-12.0"],
      [["0", ""], "decimal", "0", "0.0"],
    ];
    for (const [cells, kind, cell, becomes] of changed) {
      const found = findChangedCells(readCsvStart(columnOf(cells)));
      assert.deepEqual(found, [{ kind, column: "b", cell, becomes }], cells.join());
    }
  });

  it("is a word that means no value, in any column", () => {
    for (const cell of ["N/A", "NA", "null", "None", "nan", "#N/A"]) {
      const found = findChangedCells(readCsvStart(`a,land\n1,DE\n2,\n3,${cell}\n`));
      assert.deepEqual(found, [{ kind: "null", column: "land", cell, becomes: "null" }]);
    }
    for (const kept of ["na", "NONE", " ", "\t", " NA", "None "]) {
      assert.deepEqual(findChangedCells(readCsvStart(`a,b\n1,x\n2,${kept}\n`)), [], kept);
    }
  });

  it("is not a text that stays as it is", () => {
    const kept = [
      ["01067", "D-99"],
      ["0.5", "0", "1e-4"],
      ["01", "1e400"],
      ["1498392753700442114", "5"],
      ["12345678901234567890123", ""],
      ["01", "18446744073709551616"],
      ["01", "9223372036854775808", "-1"],
      ["9223372036854775808", "", "+1"],
      ["18446744073709551616", "1.50", "1.5"],
      ["1,5"],
      [""],
      // Blanks keep the whole column as text.
      ["007", " "],
      ["007", " NA"],
      ["TRUE", " "],
      ["TRUE", "1"],
      ["Infinity", "x"],
      ["true", "false", ""],
      ["T", "F"],
      ["yes", "NO"],
      // The same numbers, written in another way.
      ["52.520008123456789", "13.4", "0.012345678901234567"],
      ["0.3000000000000004", "1.7976931348623157e308", "4.9e-324"],
      [" 5", "6 "],
      ["0", "19.90", "5.00", "0.0"],
    ];
    for (const cells of kept) {
      const text = columnOf(cells).replaceAll(/^(.),/gm, "$1;");
      assert.deepEqual(findChangedCells(readCsvStart(text)), [], cells.join("|"));
    }
    // Here MindsDB reads decimals, because it meets one before the number that is too large.
    const late = findChangedCells(readCsvStart(columnOf(["1.5", "018446744073709551616"])));
    assert.equal(late[0]?.kind, "number");
    assert.deepEqual(findChangedCells(readCsvStart("")), []);
  });

  it("is a name of a column that is there already, or none", () => {
    const names = (header: string): string[] =>
      findChangedColumns(readCsvStart(`${header}\n1,2,3\n`)).map(({ becomes }) => becomes);
    assert.deepEqual(names("a,b,a"), ["a.1"]);
    assert.deepEqual(names("a,a,a"), ["a.1", "a.2"]);
    assert.deepEqual(names("a,a,a.1"), ["a.2"]);
    assert.deepEqual(names(",a,"), ["Unnamed: 0", "Unnamed: 2"]);
    assert.deepEqual(names("Unnamed: 0,a,b"), []);
    assert.deepEqual(names("k,,Unnamed: 1"), ["Unnamed: 1.1"]);
    // SELECT a is the column A.
    assert.deepEqual(names("a,b,A"), ["A_1"]);
    assert.deepEqual(names("Land,land,LAND"), ["land_1", "LAND_2"]);
  });
});

describe("warnings before a CSV file is uploaded", () => {
  it("name each kind and column, with the first cell and what it becomes", () => {
    const text =
      "zip,id,version,load,ok,rooms,land,land\n" +
      "01234,1498392753700442114,1.10,inf,TRUE,7,N/A,x\n" +
      "99,,1.9,2,FALSE,,DE,y\n";
    assert.deepEqual(warningsOf(`\ufeff${text}`), [
      "MindsDB reads 01234 in the column zip as 1234. To keep it, upload JSON with the value as text.",
      "MindsDB reads 1498392753700442114 in the column id as 1498392753700442000. To keep it, upload JSON with the value as text.",
      "MindsDB reads 1.10 in the column version as 1.1. To keep it, upload JSON with the value as text.",
      "MindsDB reads inf in the column load as null. To keep it, upload JSON with the value as text.",
      "MindsDB reads N/A in the column land as null. To keep it, upload JSON with the value as text.",
      "The column rooms has empty cells, so MindsDB reads its whole numbers as decimals: in text, 7 becomes 7.0.",
      "MindsDB reads TRUE in the column ok as true. To keep it, upload JSON with the value as text.",
      "MindsDB renames the second column land to land.1.",
    ]);
  });

  it("name the first column whose name has blanks around it", () => {
    for (const [header, name] of [
      ["id, name, price", " name"],
      ["id\t,name ,price", "id\t"],
      ['" id",name,price', " id"],
    ] as const) {
      assert.deepEqual(warningsOf(`${header}\n1,x,2\n`), [
        `MindsDB removes spaces and tabs around column names, as in “${name}”.`,
      ]);
    }
  });

  it("name three columns of a kind, and then only some more", () => {
    const names = Array.from({ length: 9 }, (_, at) => `c${String(at)}`);
    const text = `${names.join()}\n${names.map(() => "01").join()}\n`;
    const warnings = warningsOf(text);
    assert.equal(warnings.length, 4);
    assert.equal(warnings[3], "Other columns change the same way: c3, c4, c5 and 3 more.");
  });

  it("cut long names and cells", () => {
    const text = `a,${"n".repeat(5_000)}\n1,0${"1".repeat(5_000)}\n2,${"0".repeat(5_000)}1\n`;
    for (const warning of warningsOf(`${text}`)) assert.ok(warning.length < 500, warning);
    const [long] = warningsOf(`a,b\n1,0.${"1".repeat(5_000)}\n`);
    assert.ok(long !== undefined && long.length < 500);
  });

  it("are none about ordinary files", () => {
    const ordinary: Record<string, string> = {
      prices: "id,item,price\n1,Lamp,19.90\n2,Chair,5.00\n3,Table,120.50\n",
      floats: "x,y\n1.0,0.25\n10.5,2.0\n3.125,1e-05\n",
      coordinates: "city,lat,lon\nBerlin,52.52000,13.40495\nParis,48.85341,2.34880\n",
      flags: "id,ok\n1,true\n2,false\n",
      dates: "day,time\n2024-01-05,09:00\n2024-01-06,10:30\n",
      thousands: 'name,sum\nA,"1,234"\nB,"2,000"\n',
      german: "Name;Preis;PLZ\nMüller;1,50;D-01067\nOtto;2,10;D-10115\n",
      phones: "name,phone\nA,+49 30 1234\nB,030-99\n",
      gaps: "name,note\nA,\n,x\n",
      floatGaps: "name,score\nA,1.5\nB,\nC,2.25\n",
      bigIds: "id,text\n1498392753700442112,a\n1498392753700442113,b\n",
      negative: "a,b\n-1,-0.5\n0,0\n",
      names: "name,initials\nNathan,N.A.\nNone Such,na\n",
      emptyRows: "a,b\n1,x\n\n2,y\n",
      conversion: "conversion,building\n0.50,10.20\n0.25,30.00\n",
      oneColumn: "text\nHello\nas people write\n",
    };
    for (const [name, text] of Object.entries(ordinary)) {
      assert.deepEqual(warningsOf(text), [], name);
    }
  });

  it("say nothing of the last row of a beginning, which is cut", () => {
    const row = "12345,7,some text\n";
    const text = `a,b,c\n${row.repeat(checkedBytes / row.length)}123`;
    assert.deepEqual(warningsOf(text, 10 * text.length), []);
    assert.match(warningsOf(text).join(), /The column b has empty cells/);
  });

  it("say that cells between bars or colons become one column", () => {
    const warning = (cells: string): string =>
      `The cells are separated by “${cells}”. MindsDB supports only commas, semicolons, and tabs, and would read a single column.`;
    assert.deepEqual(warningsOf("id|name\n01|A\n02|B\n"), [warning("|")]);
    assert.deepEqual(warningsOf("id:name:at\n1:A:x\n2:B:y\n"), [warning(":")]);
    assert.deepEqual(warningsOf("root:x:0:0\nada:x:1000:1000\n"), [warning(":")]);
    assert.deepEqual(warningsOf("x:id,x:name\ny:1,y:2\n"), []);
    assert.deepEqual(warningsOf("time\n12:30:00\n13:45:00\n"), []);
    assert.deepEqual(warningsOf("id\tname|x\n1\tA\n"), []);
    assert.match(warningsOf("\nid;name\n1;A\n").join(), /^The cells are separated by “;”\. /);
    assert.deepEqual(warningsOf('"id|x";name\n1;A\n'), []);
    assert.deepEqual(warningsOf("name\nA|B\nC\n"), []);
  });

  it("say that a comma in the first line separates all cells", () => {
    const warnings = (name: string, text: string): string[] =>
      listCsvWarnings({ name, size: text.length }, Buffer.from(text));
    const warning = (cells: string): string =>
      `The cells are separated by “${cells}”, but MindsDB splits them at “,”, as in the first line.`;
    assert.deepEqual(warnings("h.csv", "Name;Size (m, about)\nAda;3\nBob;4\n"), [warning(";")]);
    assert.deepEqual(warnings("h.tsv", "Name, first\tAge\nLovelace, Ada\t3\n"), [warning("\\t")]);
    assert.deepEqual(warnings("h.tsv", "a,b\n1,2\n"), []);
    assert.deepEqual(warnings("h.csv", '"Name, first";Age\n"Lovelace, Ada";3\n'), []);
  });

  it("say where rows have no value, which MindsDB keeps", () => {
    const warning = (row: number): string =>
      `MindsDB keeps rows without any value as rows of nulls. The first is row ${row}.`;
    assert.deepEqual(warningsOf("a,b\nx,y\n,\nz,w\n,\n"), [warning(2)]);
    assert.deepEqual(warningsOf('a;b\n"";\nx;y\n'), [warning(1)]);
    assert.deepEqual(warningsOf('a\n""\nx\n'), [warning(1)]);
    // Lines of blanks are skipped, and blanks between commas are texts.
    for (const text of ["a,b\nx,y\n \t\nz,w\n", "a,b\nx,y\n , \n", "\n \na,b\n1,2\n\n"]) {
      assert.deepEqual(warningsOf(text), [], text);
    }
  });

  it("say where a text goes on after its closing quote", () => {
    const warning = (row: number, cell: string, becomes: string): string =>
      `In row ${row}, text follows a closing quote, so ${cell} becomes ${becomes}.`;
    assert.deepEqual(warningsOf('a,b\nz,1\n"x"y,1\n"q"r,2\n'), [warning(2, '"x"y', "xy")]);
    assert.deepEqual(warningsOf('a\tb\nx\t"q"" q" z\n'), [warning(1, '"q"" q" z', 'q" q z')]);
    assert.deepEqual(warningsOf('a,b\n"x\\"y",1\n'), [warning(1, '"x\\"y"', 'x\\y"')]);
    for (const text of ['a,b\nx "y" z,1\n', 'a,b\n"x" ,"y\n\nz"\n', 'a,b\n"x""y",""\n']) {
      assert.deepEqual(warningsOf(text), [], text);
    }
  });

  it("read lines with any ends, also mixed", () => {
    for (const text of ["a,b\r\nx,1\ny,2\r", "a,b\r\r\nx,1\r\r\ny,2\r\r\n", "a,b\rx,1\ry,2"]) {
      const { columns, rowCount } = readCsvStart(text);
      assert.deepEqual(columns, [
        { name: "a", cells: ["x", "y"] },
        { name: "b", cells: ["1", "2"] },
      ]);
      assert.equal(rowCount, 2);
    }
  });

  it("are found in linear time", () => {
    for (const part of ['"', '""', '"x"y', ",", "\r", " ", '"\n', "0.1"]) {
      const make = (size: number): string => `a,b\n${part.repeat(size / part.length)}`;
      assertLinear({ name: part, make, run: readCsvStart, size: 100_000 });
    }
    const inCase = (at: number): string =>
      [..."abcdefghijklmn"]
        .map((letter, bit) => ((at >> bit) & 1 ? letter.toUpperCase() : letter))
        .join("");
    assertLinear({
      name: "names that differ in case",
      make: (count) => Array.from({ length: count }, (_, at) => ({ name: inCase(at) })),
      run: (columns) => findChangedColumns({ columns }),
      size: 4_000,
    });
  });

  it("read the cells as MindsDB does, by the first line alone", () => {
    assert.deepEqual(findChangedCells(readCsvStart("a;b\n1,5;2,5\n1,5;3,5\n")), []);
    assert.deepEqual(readCsvStart("a,b;c\n1,2;3\n").columns.length, 2);
    assert.deepEqual(readCsvStart('"a,b";c\n1;2\n').columns.length, 2);
  });

  it("never throw, and are short, whatever the cells are", () => {
    const cell = fc.oneof(
      fc.string(),
      fc.constantFrom("", "NA", "inf", "TRUE", "1.10", "007", "9".repeat(30), "1e5"),
    );
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 6 }), (rows) => {
        const text = rows.map((row) => row.join()).join("\n");
        for (const warning of warningsOf(text)) assert.ok(warning.length < 600);
      }),
    );
  });
});
