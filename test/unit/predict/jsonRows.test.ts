import assert from "node:assert/strict";
import fc from "fast-check";
import { parseRows, type RowsFormat } from "../../../src/predict/rows/readRows.ts";
import {
  describeRowsError,
  rowBytes,
  rowPlace,
  RowsError,
  readTextAt,
  readValueText,
  type Row,
} from "../../../src/predict/rows/row.ts";
import { JsonRows } from "../../../src/predict/rows/jsonRows.ts";
import { cut, endlessFile, readAll } from "./files.ts";

const textOf = (row: Row): string => rowBytes(row).toString();

/** White space as JSON has it. */
const gap = fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r"), maxLength: 3 });

/** An object written in some way: spaces, escapes and number forms that no serialiser would choose. */
const { row: writtenRow } = fc.letrec<{ value: string; row: string }>((tie) => {
  const text = fc
    .array(
      fc.oneof(
        fc
          .string({ unit: "binary", maxLength: 3 })
          .map((part) => JSON.stringify(part).slice(1, -1)),
        fc.constantFrom("\\/", "\\u0041", "\\ud83d\\ude00", "\\ud800", "ä", "日本", "😀", "\u2028"),
      ),
      { maxLength: 4 },
    )
    .map((parts) => `"${parts.join("")}"`);
  const number = fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,5})?([eE][+-]?[0-9]{1,3})?$/);
  const name = fc.oneof(text, fc.constantFrom('"a"', '"b"', '"__proto__"', '"constructor"', '""'));
  const members = fc.array(fc.tuple(gap, name, gap, gap, tie("value"), gap), { maxLength: 5 });
  const row = fc.tuple(members, gap).map(([list, empty]) => {
    const parts = list.map(([a, key, b, c, value, d]) => `${a}${key}${b}:${c}${value}${d}`);
    return `{${parts.length > 0 ? parts.join(",") : empty}}`;
  });
  const list = fc.array(fc.tuple(gap, tie("value"), gap), { maxLength: 4 });
  const value = fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom("null", "true", "false", "-0", "1e400", "9007199254740993", "0.10"),
    number,
    text,
    list.map((items) => `[${items.map((item) => item.join("")).join(",")}]`),
    tie("row"),
  );
  return { value, row };
});

describe("rows of JSON", () => {
  it("keeps the bytes of every row for any formatting and any chunks", async () => {
    // Rows without any value are skipped.
    const keptRow = writtenRow.map((row) =>
      /^\{\s*\}$/.test(row) ? '{"kept":1}' : `{"kept":1,${row.slice(1)}`,
    );
    const file = fc.array(fc.tuple(gap, keptRow, gap), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(file, fc.infiniteStream(fc.nat(40)), async (parts, sizes) => {
        const list = `[${parts.map((part) => part.join("")).join(",")}]`;
        const lines = parts.map(([, row]) => row.replace(/[\r\n]/g, " ")).join("\n");
        const forms: [string, RowsFormat, string[]][] = [
          [list, "json", parts.map(([, row]) => row)],
          [
            `\n{"params": {"a": [1]}, "data": ${list} , "x":2}\n`,
            "json",
            parts.map(([, row]) => row),
          ],
          [lines, "jsonLines", lines.split("\n")],
          [`${lines}\r\n\r\n`, "jsonLines", lines.split("\n")],
        ];
        for (const [text, format, wanted] of forms) {
          const { rows, error } = await readAll(cut(Buffer.from(text), sizes), format);
          assert.equal(error, undefined, text);
          assert.deepEqual(rows.map(textOf), wanted);
        }
      }),
    );
  });

  it("accepts what JSON.parse accepts and rejects what it rejects", () => {
    const change = fc.tuple(
      fc.nat(),
      fc.nat(2),
      fc.constantFrom(...'{}[]",:0123456789-+.eE\\u/ntrfalsx \n\t\u0001'.split("")),
    );
    fc.assert(
      fc.property(writtenRow, fc.array(change, { maxLength: 3 }), (row, changes) => {
        let text = row;
        for (const [position, dropped, inserted] of changes) {
          const at = 1 + (position % text.length);
          text = text.slice(0, at) + inserted + text.slice(at + dropped);
        }
        const isJson = isRowList(`[${text}]`);
        let accepted = true;
        try {
          parseRows(Buffer.from(`[${text}]`));
        } catch (error) {
          assert.ok(error instanceof RowsError);
          accepted = false;
        }
        assert.equal(accepted, isJson, text);
      }),
      { numRuns: 2_000 },
    );
  });

  it("finds each row's values and place; names are decoded, and the last of a repeated name counts", () => {
    const row = String.raw`{"a":1,"\u0062":"x","a":[2, {}],"__proto__":-0,"ä":null}`;
    const text = `[ ${row},\n  {"é":"日本"}, {"b": 0.10} ]`;
    const [first, second, third] = parseRows(Buffer.from(text));
    assert.deepEqual(first?.shape.names, ["a", "b", "a", "__proto__", "ä"]);
    assert.equal(readValueText(first, "a"), "[2, {}]");
    assert.equal(readValueText(first, "b"), '"x"');
    assert.equal(readValueText(first, "__proto__"), "-0");
    assert.equal(readValueText(first, "toString"), undefined);
    assert.equal(readTextAt(first, 0), "1");
    assert.deepEqual(
      [first, second, third].map((row) => row && rowPlace(row)),
      [
        { line: 1, column: 3 },
        { line: 2, column: 3 },
        { line: 2, column: 15 },
      ],
    );
  });

  it("shares a shape among rows with the same names in the same order", () => {
    const rows = parseRows(
      Buffer.from('[{"a":1,"b":2},{"a":"x","b":null},{"b":1,"a":2},{"a":3,"b":4},{"a":1}]'),
    );
    const [first, second, third, fourth, fifth] = rows.map(({ shape }) => shape);
    assert.equal(second, first);
    assert.equal(fourth, first);
    assert.deepEqual(third?.names, ["b", "a"]);
    assert.deepEqual(fifth?.names, ["a"]);
  });

  it("reads 300 columns", () => {
    const row = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`column ${i}`, i]));
    const text = JSON.stringify([row, row]);
    const rows = parseRows(Buffer.from(text));
    assert.equal(rows.length, 2);
    assert.equal(rows[1] && readValueText(rows[1], "column 299"), "299");
  });

  it("reads a row of many chunks in time that grows with its length", () => {
    const reader = new JsonRows();
    const chunk = Buffer.alloc(16 * 1024, "x");
    reader.push(Buffer.from('[{"a":"'));
    for (let i = 0; i < 1_000; i++) assert.deepEqual(reader.push(chunk), []);
    const rows = reader.push(Buffer.from('"}]')).concat(reader.end());
    assert.equal(reader.problem, undefined);
    assert.equal(rows[0] && rowBytes(rows[0]).length, 8 + 1_000 * chunk.length);
  });

  const good = '{"a":1}';
  /** Each message has its place as line:column here. */
  type Wrong = [title: string, content: string | Buffer, rows: number, message: RegExp];
  const wrong: Record<RowsFormat, Wrong[]> = {
    json: [
      ["an empty file", "", 0, /^f: The file has no rows/],
      ["an empty list", "[ ]", 0, /^f: The file has no rows/],
      ["an empty list under data", '{"data":[]}', 0, /^f: The file has no rows/],
      ["{}", " {}", 0, /^1:2 \{\} has no rows. .*list/],
      ["a text", "hello", 0, /^1:1 JSON rows start with/],
      ["a row that is no object", `[${good},\n 12]`, 1, /^2:2 This row is a single value/],
      [
        "a list over several lines among the rows",
        `[${good},\n [\n  1,\n  2\n ]]`,
        1,
        /^2:2 This row is a list/,
      ],
      ["a broken row", `[${good},\n{"ä": "é", "b": x}]`, 1, /^2:17 Expected a value/],
      ["a line break in a text", `[${good},{"a":"b\n"}]`, 1, /:17 The text contains a line break/],
      ["a backslash alone", String.raw`[{"a":"C:\dir"}]`, 0, /:10 Write a backslash .* twice/],
      ["half an escape", String.raw`[{"a":"\u12G4"}]`, 0, /:8 Expected four hexadecimal digits/],
      ["NaN", `[${good},{"a":NaN}]`, 1, /^1:15 NaN is not JSON\. Use null/],
      ["-Infinity", `[{"a":-Infinity}]`, 0, /:7 -Infinity is not JSON\. Use null/],
      ["True", `[{"a":True}]`, 0, /:7 True is not JSON\. Use true/],
      ["single quotes", `[{"a":'b'}]`, 0, /:7 Put text in double quotes/],
      ["a comma too many", `[${good},]`, 1, /^1:10 Unexpected comma before this/],
      ["a comma missing", `[${good} ${good}]`, 1, /^1:10 Expected "," or "]" after a row/],
      ["something after the list", `[${good}]\n[]`, 1, /^2:1 Remove the text after the list/],
      ["commas without a list", `${good},\n${good}`, 1, /^1:8 Put rows .* inside \[ and \]/],
      ["a list cut off", `[${good},`, 1, /^1:10 The list of rows has no closing/],
      ["a row cut off", `[${good},\n{"a":1,"b`, 1, /^2:1 The file ends in the middle of the row/],
      ["data cut off", `{"data":[${good}]`, 1, /The list of rows has no closing/],
      [
        "two lists of objects",
        `{"n":1,\n"users":[${good}],"orders":[{"b":1},{}]}`,
        0,
        /^1:1 .* more than one list of rows: “users”, “orders”\. Keep/,
      ],
      ["a list in an object cut off", `{"n":1,"users":[${good}`, 1, /The list of rows has no clos/],
      [
        "pandas' orient=split",
        '{"columns":["a"],"index":[0,1],"data":[[1],[2]]}',
        0,
        /^1:40 These rows are lists .*orient="records"/,
      ],
      [
        "pandas' orient=columns",
        ' {"a":{"0":1,"1":2},"b":{"0":3,"1":4}}',
        0,
        /^1:2 Every value of this object is an object.*orient="records"/,
      ],
      ["pandas' orient=index", '{"17":{"a":1,"b":2}}', 0, /^1:1 Every value .*orient="records"/],
      [
        "pandas' orient=index with texts",
        '{"x":{"a":1,"b":2},"y":{"a":3,"b":4}}\n',
        0,
        /^1:1 Every value .*orient="records"/,
      ],
      ["pandas' orient=values", "[[1,2],[3,4]]", 0, /^1:2 This row is a list\. A row is an object/],
      [
        "lists as columns",
        '{"a":[1,2],"b":[3,4]}',
        0,
        /^1:1 Every value of this object is a list, .*orient="records".*\[\{…\}\]/,
      ],
      [
        "pandas' orient=list",
        '{"a": ["x", null],\n"b": [ 1.5, true]}\n',
        0,
        /^1:1 Every value of /,
      ],
      [
        "one column as a list",
        '{"text":["a","b","c"]}',
        0,
        /^1:1 Every value of this object is a li/,
      ],
      [
        "an answer without results",
        '{"count":0,"next":null,"results":[]}',
        0,
        /^1:1 The list “results” in the file has no rows\./,
      ],
      [
        "an answer without items",
        '{"Items": [ ], "Count": 0}',
        0,
        /The list “Items” in the file has/,
      ],
      ["data without rows", '{"data":[],"total":0}', 0, /^f: The file has no rows/],
      [
        "rows further inside",
        '{"status":"ok","response":{"total":1,"docs":[{"a":1}]}}',
        0,
        /^1:1 The rows are in a list inside “response”\. Write only that list/,
      ],
      [
        "an answer of GraphQL",
        '{"data":{"homes":[{"a":1},{"a":2}]}}',
        0,
        /^1:1 The rows are in a list inside “data”/,
      ],
      ["a number alone", "42", 0, /^1:1 JSON rows start with \[ or \{/],
      ["numbers in a list", "[1,2]", 0, /^1:2 This row is a single value/],
      ["nesting without end", `[{"a":${"[".repeat(2_000)}`, 0, /Nested deeper than 1000 levels/],
      ["UTF-16", Buffer.from(`\ufeff[${good}]`, "utf16le"), 0, /^f: This text is UTF-16. Save/],
      ["UTF-16, big end first", Buffer.from(`\ufeff[${good}]`, "utf16le").swap16(), 0, /UTF-16/],
      ["a comment first", `// rows\n[${good}]`, 0, /^1:1 JSON can't have comments/],
      ["a comment last", `[${good}, /* x */\n]`, 1, /^1:\d+ JSON can't have comments/],
      ["a comment in a row", `[${good},\n{"a": /*1*/2}]`, 1, /^2:7 JSON can't have/],
      ["a comma before }", `[${good},\n{"a":1, }]`, 1, /^2:9 Unexpected comma before/],
      ["a comma before ]", `[${good},\n{"a":[1,]}]`, 1, /^2:9 Unexpected comma before/],
      [
        "a name without quotes",
        `[${good},\n{a:1}]`,
        1,
        /:2 Property names must be in double quotes/,
      ],
      ["a name in single quotes", `[${good},\n{'a':1}]`, 1, /:2 Property names must be in double/],
      ["a word without quotes", `[${good},\n{"a":[1,b]}]`, 1, /:9 Expected a value/],
      [
        "a number with a 0 first",
        `[${good},\n{"a":-01}]`,
        1,
        /:6 Numbers can't have leading zeros/,
      ],
      ["a Parquet file", Buffer.from("PAR1\x15\0", "latin1"), 0, /Parquet file. Convert/],
      ["another binary file", Buffer.from([1, 0, 2, 255, 0, 254, 7, 9]), 0, /binary file/],
    ],
    jsonLines: [
      ["white space alone", "\n \n", 0, /^f: The file has no rows/],
      ["a row that is a list", `${good}\n[1]\n`, 1, /^2:1 This row is a list/],
      ["a broken line", `${good}\r\n{"a" 1}\n${good}`, 1, /^2:6 Expected ":"/],
      ["a line cut off", `${good}\n{"a":\n${good}\n`, 1, /^2:6 The line ends in the middle/],
      ["a text cut off", `${good}\n{"a":"b\n${good}\n`, 1, /^2:8 The line ends in the middle/],
      ["a number cut off", `${good}\n{"a":1`, 1, /^2:1 The file ends in the middle/],
      ["UTF-16 without a mark", Buffer.from(good, "utf16le"), 0, /^f: This text is UTF-16/],
      ["Latin-1", Buffer.from(`${good}\n{"a":"é"}\n`, "latin1"), 1, /^2:1 .* not UTF-8/],
      ["a number with a plus", `${good}\n{"a":+1}`, 1, /:6 Numbers must start with/],
      ["a number with a point first", `${good}\n{"a":.5}`, 1, /:6 Numbers must start/],
      ["a gzip archive", Buffer.from([0x1f, 0x8b, 8, 0]), 0, /gzip archive. Unpack/],
    ],
    csv: [
      [
        "a workbook",
        Buffer.from("PK\x03\x04\x14\0\0", "latin1"),
        0,
        /Excel workbook. Save the table as CSV/,
      ],
      [
        "an old workbook (.xls)",
        Buffer.from("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "latin1"),
        0,
        /Excel workbook. Save the table as CSV/,
      ],
    ],
  };
  for (const [format, cases] of Object.entries(wrong)) {
    for (const [title, content, count, message] of cases) {
      it(`reports ${title} after the rows before it`, async () => {
        const bytes = Buffer.from(content);
        for (const size of [1, 3, 1_000_000]) {
          const chunks = cut(bytes, [size, size]);
          const { rows, error } = await readAll(chunks, format as RowsFormat);
          assert.ok(error, "no error");
          const said = describeRowsError(error, "f");
          assert.match(said.replace(/^f, line (\d+), column (\d+): /, "$1:$2 "), message);
          assert.deepEqual(rows.map(textOf), Array<string>(count).fill(good));
        }
      });
    }
  }

  it("accepts a byte order mark, a single object, and consecutive objects in a .json file", async () => {
    for (const text of [`\ufeff[${good}]`, `\ufeff${good}`, `{\n"data": 1,\n "a":2}\n${good}`]) {
      const { rows, error } = await readAll(cut(Buffer.from(text), [2, 5]), "json");
      assert.equal(error, undefined);
      assert.equal(rows.map(textOf).join("\n"), text.replace(/^\ufeff\[?|\]$/g, ""));
    }
  });

  const two = [good, '{"a":2}'];
  const list = `[${two.join(", ")}]`;

  async function readList(text: string, sizes: number[]): Promise<[string[], string | undefined]> {
    const { rows, total } = await readAll(cut(Buffer.from(text), sizes), "json");
    return [rows.map(textOf), total.listName];
  }

  const lists: [title: string, text: string, name: string | undefined][] = [
    ["results", `{"count": 2, "next": null, "results": ${list}}`, "results"],
    ["items, first", `\n{"items":\n${list}, "tags": ["x"], "of": {"items": [{}]}}\n`, "items"],
    [
      "the features of GeoJSON",
      `{"type":"FeatureCollection","features":${list},"bbox":[1,2,3,4]}`,
      "features",
    ],
    ["a name with escapes", String.raw`{"\u00e4\"":${list}}`, 'ä"'],
    ["data beside another list", `{"included":[{"b":1}],"data":${list},"more":[{}]}`, undefined],
    ['pandas\' orient="table"', `{"schema":{"fields":[{"name":"a"}]},"data":${list}}`, undefined],
  ];
  for (const [title, text, name] of lists) {
    it(`reads the rows of a list in an object: ${title}`, async () => {
      for (const size of [1, 3, 1_000]) {
        assert.deepEqual(await readList(text, [size]), [two, name]);
      }
    });
  }

  it("reads objects with a list of objects one after the other as rows", async () => {
    const rows = ['{"a":1,"items":[{"b":1}]}', '{"a":2,"items":[{"b":2}]}', '{"1":{"b":1}}'];
    for (const size of [1, 3, 1_000]) {
      assert.deepEqual(await readList(rows.join("\n"), [size]), [rows, undefined]);
    }
  });

  it("reads JSON Lines under the name of JSON, also with lists, objects and blank lines", async () => {
    for (const rows of [
      ['{"a":[1,2],"b":[3,4]}', '{"a":[5,6],"b":[7,8]}'],
      ['{"results":[]}', '{"results":[]}'],
      ['{"a":{"b":[{"c":1}]}}', '{"a":{"b":[{"c":2}]}}'],
      ['{"a":1}', '{"a":2}'],
    ]) {
      for (const size of [1, 3, 1_000]) {
        assert.deepEqual(await readList(`${rows.join("\n\n")}\n\n`, [size]), [rows, undefined]);
      }
    }
  });

  it("explains a long table of lists as columns before it has read it", async () => {
    const more = `,${"1234567,".repeat(10_000)}1`;
    const { chunks, sent } = endlessFile('{"a":[1', () => more);
    const { error } = await readAll(chunks, "json");
    assert.match(error?.message ?? "", /Every value of this object is a list/);
    assert.ok(sent() < 50, `${sent()} chunks were read`);
  });

  it("reads a single object with objects and other values as a row", async () => {
    for (const row of [
      '{"home":{"x":1},"work":{"x":2},"age":3}',
      '{"user":{"id":1},"order":{"total":2}}',
      '{"a":{},"b":{}}',
      '{"a":[],"b":[1,{}],"c":[[{}]]}',
      '{"a":[1,2],"b":[3]}',
      '{"a":[1],"b":[2]}',
      '{"name":"x","tags":[],"sizes":[1,2]}',
      '{"home":{"rooms":[1,2],"tags":[]}}',
    ]) {
      for (const size of [1, 1_000]) {
        assert.deepEqual(await readList(row, [size]), [[row], undefined]);
      }
    }
  });

  it("reads a long list in an object while it comes, and names a second one", () => {
    const reader = new JsonRows();
    const rows = Buffer.from(`${`{"a":"${"x".repeat(1_000)}"},`.repeat(2_000)}`);
    let count = reader.push(Buffer.from('{"meta":{"a":1},"users":[')).length;
    let most = 0;
    for (let i = 0; i < 20; i++) {
      const { length } = reader.push(rows);
      count += length;
      most = Math.max(most, length);
    }
    assert.ok(count > 36_000, `${count} rows came`);
    assert.ok(most < 8_000, `${most} rows came together`);
    assert.equal(reader.listName, "users");
    reader.push(Buffer.from(`${good}], "tags":["x"], "orders": [ {"b":1}]}`));
    reader.end();
    assert.match(reader.problem?.message ?? "", /“users”, “orders”/);
  });

  it("explains tables of pandas by columns and by numbered rows before it has read them", async () => {
    for (const start of [
      '{"a":{"0":',
      '{"0":{"a":',
      '{"x":{"a":1,"b":2},"y":{"a":1,"b":2},"z":{"a":',
    ]) {
      const value = "x".repeat(100_000);
      const { chunks, sent } = endlessFile(`${start}1`, (at) => `,"k${at}":"${value}"`);
      const { error } = await readAll(chunks, "json");
      assert.match(error?.message ?? "", /orient="records"/);
      assert.ok(sent() < 30, `${sent()} chunks were read`);
    }
  });

  it('reads an object with "data" in JSON Lines as a row', async () => {
    const { rows } = await readAll([Buffer.from('{"data":[{"a":1}],"b":2}\n')], "jsonLines");
    assert.deepEqual(rows.map(textOf), ['{"data":[{"a":1}],"b":2}']);
  });

  it("skips and counts rows of a file without any value, not those of a cell", async () => {
    const blank = [
      "{}",
      '{"a":null,"b":""}',
      String.raw`{"a":" \t","b":"\u00a0\n"}`,
      '{"a":"\u3000"}',
    ];
    const kept = ['{"a":0}', '{"a":false}', '{"b":"x","a":null}', '{"a":"","b":[]}', '{"a":"é"}'];
    kept.push(String.raw`{"a":"\u0000"}`, '{"a":null,"b":" x"}');
    const all = [...blank, ...kept, ...blank];
    for (const [text, format] of [
      [`[${all.join(",")}]`, "json"],
      [`{"data":[${all.join(",")}]}`, "json"],
      [all.join("\r\n"), "jsonLines"],
    ] as const) {
      const { rows, total } = await readAll(cut(Buffer.from(text), [9]), format);
      assert.deepEqual(rows.map(textOf), kept);
      assert.equal(total.blankRows, 2 * blank.length);
    }
    const { error } = await readAll([Buffer.from(blank.join("\n"))], "jsonLines");
    assert.equal(error?.problem, "empty");
    assert.equal(parseRows(Buffer.from("[{},{}]")).length, 2);
  });

  it("rejects a row over 64 MB without keeping the file", async () => {
    const megabyte = "x".repeat(1024 * 1024);
    const { chunks, sent } = endlessFile('[{"a":"', () => megabyte);
    const { error } = await readAll(chunks, "json");
    assert.equal(error?.problem, "tooLong");
    assert.ok(sent() < 200, `${sent()} MB were read`);
  });
});

function isRowList(text: string): boolean {
  try {
    const list = JSON.parse(text) as unknown[];
    return list.every((row) => row !== null && typeof row === "object" && !Array.isArray(row));
  } catch {
    return false;
  }
}
