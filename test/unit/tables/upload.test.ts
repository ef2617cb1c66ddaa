// Files as tables: what is sent, and what the sample server makes of it and keeps.
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import type { ServerObservation } from "../../../src/mindsdb/changes/serverChange.ts";
import { listTables } from "../../../src/mindsdb/dataSources.ts";
import { AppError, isAppError } from "../../../src/mindsdb/errors.ts";
import { dropFile, uploadFile } from "../../../src/mindsdb/files.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { runSql } from "../../../src/mindsdb/sql/runSql.ts";
import { startSampleServer } from "../../../src/sample/server/server.ts";
import { toJsonArray } from "../../../src/tables/jsonLines.ts";
import { isBinary, readCsvStart } from "../../../src/tables/csvChecks.ts";
import { ReplaceError, replaceTable } from "../../../src/tables/replaceTable.ts";
import {
  createUpload,
  explainUploadError,
  isTableName,
  proposeTableName,
  type SourceFile,
} from "../../../src/tables/uploadSource.ts";
import { clientOver } from "../../clientOver.ts";
import { nginxTooLarge } from "../../proxy/faultProxy.ts";

type Upload = Awaited<ReturnType<typeof createUpload>>;

/** A file of text, read in pieces of so many bytes. */
function fileOf(name: string, text: string, pieceLength = 7): SourceFile {
  const bytes = Buffer.from(text);
  return {
    name,
    size: bytes.length,
    // eslint-disable-next-line @typescript-eslint/require-await
    async *read() {
      for (let at = 0; at < bytes.length; at += pieceLength) {
        yield bytes.subarray(at, at + pieceLength);
      }
    },
  };
}

const prepare = (file: SourceFile): Promise<Upload> => createUpload(file, () => undefined);

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString("utf8");
}

describe("JSON Lines as an array", () => {
  const cases: [name: string, lines: string, values: unknown[]][] = [
    ["nothing", "", []],
    ["blank lines only", "\n \r\n\t\n", []],
    ["one line without an end", '{"a":1}', [{ a: 1 }]],
    ["lines with Windows ends", '{"a":1}\r\n{"a":"é, [x]"}\r\n', [{ a: 1 }, { a: "é, [x]" }]],
    ["blank lines between", '\n{"a":1}\n\n  {"a":2}\n \n', [{ a: 1 }, { a: 2 }]],
    ["a byte order mark", '\uFEFF{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
    [
      "line ends of a carriage return",
      '{"a":1}\r{"a":2}\r\r{"a":3}',
      [{ a: 1 }, { a: 2 }, { a: 3 }],
    ],
    ["escaped line breaks", '{"a":"x\\ny"}\n{"a":""}', [{ a: "x\ny" }, { a: "" }]],
  ];
  for (const [name, lines, values] of cases) {
    it(`reads ${name}, however the bytes are cut`, async () => {
      for (const length of [3, 4, 7, 1000]) {
        const text = await textOf(toJsonArray(fileOf("x.jsonl", lines, length).read()));
        assert.deepEqual(JSON.parse(text), values, text);
      }
    });
  }

  it("is made in a few pieces of short lines, each of which the event loop waits for", async () => {
    for (const line of ["1\n", "\n", "1\r", " \n", "1\n\n"]) {
      const text = line.repeat(100_000);
      let pieces = 0;
      for await (const piece of toJsonArray(fileOf("x.jsonl", text, 50_000).read())) {
        pieces += piece.length > 0 ? 1 : 0;
      }
      assert.ok(pieces <= text.length / 50_000 + 3, `${JSON.stringify(line)}: ${pieces}`);
    }
  });

  it("is sent with its exact length, under a name that servers read as JSON", async () => {
    const sent: number[] = [];
    const file = fileOf("big.JSONL", '{"a":1}\n\n{"a":2}\n');
    const upload = await createUpload(file, (bytes) => sent.push(bytes));
    assert.equal(upload.fileName, "big.json");
    const text = await textOf(upload.read());
    assert.equal(Buffer.byteLength(text), upload.length);
    assert.equal(sent.at(-1), upload.length);
  });
});

describe("A text to upload", () => {
  const sent = async (name: string, text: string, isText?: boolean): Promise<string> => {
    const upload = await createUpload({ ...fileOf(name, text, 3), isText }, () => undefined);
    const bytes = await textOf(upload.read());
    assert.equal(Buffer.byteLength(bytes), upload.length);
    return bytes;
  };

  it("has one byte order mark, by which servers know UTF-8", async () => {
    for (const text of ["a,b\né,😀\n", "a\n", "é", "x"]) {
      assert.equal(await sent("x.csv", text, true), `\ufeff${text}`);
      assert.equal(await sent("x.tsv", `\ufeff${text}`, true), `\ufeff${text}`);
    }
    assert.equal(await sent("x.jsonl", '\ufeff{"a":"é"}', true), '\ufeff[{"a":"é"}]');
  });

  it("is sent as it is where its encoding is not known", async () => {
    for (const text of ["a,b\n", "\ufeffa,b\n"]) assert.equal(await sent("x.csv", text), text);
  });
});

describe("An upload behind nginx", () => {
  it("says that 8 MB are too large for the proxy, which answers before it has read them", async () => {
    const nginx = http.createServer((request, response) => {
      const { status, headers, body } = nginxTooLarge;
      // Reads on for a while, as nginx does, and closes the connection.
      request.resume();
      response.writeHead(status, { ...headers, connection: "close" }).end(body);
    });
    await new Promise<void>((resolve) => nginx.listen(0, "127.0.0.1", resolve));
    const { port } = nginx.address() as AddressInfo;
    const transport = createTransport(parseAddress(`http://127.0.0.1:${port}`));
    try {
      const big = fileOf("big.csv", "x".repeat(8_000_000), 65_536);
      const file = { fileName: big.name, length: big.size, read: () => big.read() };
      await assert.rejects(uploadFile(clientOver(transport), "big", file), {
        kind: "tooLarge",
        message: "The request is too large for the proxy in front of the server (HTTP 413).",
      });
    } finally {
      await transport.close();
      nginx.closeAllConnections();
      await new Promise((resolve) => nginx.close(resolve));
    }
  });
});

describe("a file that cannot be uploaded", () => {
  it("is named if it is empty", async () => {
    await assert.rejects(prepare(fileOf("homes.csv", "")), {
      name: "AppError",
      kind: "refused",
      message: "homes.csv is empty.",
    });
  });

  it("is named where the server repeats its library's words", async () => {
    const homes = fileOf("homes.json", '[{"a":1}]');
    const explain = async (message: string): Promise<string> => {
      const error = await explainUploadError(new AppError("serverFault", message), homes);
      return (error as AppError).message;
    };
    assert.match(
      await explain("Extra data: line 2 column 1 (char 8)."),
      /^homes\.json .* \.jsonl\.$/,
    );
    assert.match(
      await explain("Expecting value: line 1 column 1 (char 0)."),
      /couldn't read homes\.json/,
    );
    assert.match(await explain("Not supported format: md."), /^This server can't read \.md files/);
    for (const [column, why] of [
      ["Unnamed: 1", "Expected bytes, got a 'int' object"],
      ["D", "Expected bytes, got a 'datetime.datetime' object"],
      ["expected_output", "Could not convert '3/10' with type str: tried to convert to int64"],
    ]) {
      const said = await explain(
        `("${why}", 'Conversion failed for column ${column} with type object').`,
      );
      assert.ok(said.startsWith(`MindsDB can't store the column ${column} of homes.json: `), said);
    }
    assert.match(
      await explain("Each column should have a unique and non-empty name."),
      /^Two columns of homes\.json have the same name/,
    );
    for (const kind of ["int", "datetime.datetime", "Timestamp"]) {
      const said = await explain(`'${kind}' object has no attribute 'strip'.`);
      assert.match(said, /^The first row of homes\.json must name/);
    }
    for (const message of [
      "Can't find workbook in OLE2 compound document.",
      "Missing optional dependency 'xlrd'. Install xlrd >= 2.0.1 for xls Excel support.",
      "Workbook is encrypted.",
    ]) {
      assert.match(await explain(message), /with a password/);
    }
    for (const message of [
      "\"There is no item named 'xl/sharedStrings.xml' in the archive\".",
      "No such keys(s): 'io.excel.zip.reader'.",
      "Unable to read workbook: could not read workbook from /tmp/x/homes.xlsx.\nThis is most probably because",
      "syntax error: line 2, column 0.",
      "not well-formed (invalid token): line 1, column 5.",
    ]) {
      assert.match(await explain(message), /can't read the workbook homes\.json\. Open/, message);
    }
    const damaged = new AppError("refused", "Error.");
    const said = await explainUploadError(damaged, fileOf("h.xls", "x"));
    assert.match((said as Error).message, /can't read the workbook h\.xls\. Open/);
    for (const message of [
      "Bad CRC-32 for file 'xl/_rels/workbook.xml.rels'.",
      "list index out of range.",
      "'utf-8' codec can't encode character '\\ud800' in position 0: surrogates not allowed.",
      "Invalid control character at: line 1 column 2 (char 1).",
      "Unterminated string starting at: line 1 column 2 (char 1).",
    ]) {
      assert.match(await explain(message), /couldn't read homes\.json/, message);
    }
    assert.equal(
      await explain("Python int too large to convert to C long."),
      "homes.json has a whole number that is too large for MindsDB. Write it as text.",
    );
    assert.equal(await explain("No columns to parse from file."), "homes.json has no columns.");
    assert.equal(await explain("File already exists: homes."), "File already exists: homes.");
    const cancelled = new Error("Extra data: of something else");
    assert.equal(await explainUploadError(cancelled, homes), cancelled);
  });
});

describe("a file of rows that the server refuses", () => {
  it("is said to be wrong at its line", async () => {
    const cases: [name: string, text: string, message: string, said: RegExp][] = [
      [
        "a.jsonl",
        '{"a":1}\n\n{"a":"x\n',
        "Invalid control character at: line 2 column 8 (char 17).",
        /^a\.jsonl, line 3, column 8: The line ends in the middle of its row\.$/,
      ],
      [
        "a.csv",
        "a,b\n1,2\n3,4,5\n",
        "Error tokenizing data. C error: Expected 2 fields in line 3, saw 3.",
        /^a\.csv, line 3, column 1: This row has 3 cells and the header has 2\. Put cells that contain , in quotes\.$/,
      ],
      [
        "a.tsv",
        'a\tb\n"x\ty"\t2\n"3\t4\n',
        "Error tokenizing data. C error: EOF inside string starting at row 2.",
        /^a\.tsv, line 3, column 1: The quote that opens a cell on this line is never closed\.$/,
      ],
      ["a.json", "5", "Error.", /^a\.json, line 1, column 1: /],
      ["a.json", '"x"', "Error", /^a\.json, line 1, column 1: /],
      [
        "a.jsonl",
        '[{"a":1}]\n',
        "'list' object has no attribute 'values'.",
        /^The server couldn't read a\.jsonl\. /,
      ],
      [
        "a.json",
        '[{"a":1},\n2]',
        "'int' object has no attribute 'items'.",
        /^a\.json, line 2, column 1: This row is a single value\. A row is an object /,
      ],
      [
        "a.ndjson",
        '["x"]\n',
        "'list' object has no attribute 'values'.",
        /^a\.ndjson, line 1, column 2: This row is text\. A row is an object /,
      ],
      [
        "a.jsonl",
        '{"a":1}\n{"a":2} x\n',
        "Expecting ',' delimiter: line 2 column 9 (char 17).",
        /^a\.jsonl, line 2, column 9: /,
      ],
      ["a.csv", "a\n1\n", "Expecting value: line 1 column 1 (char 0).", /couldn't read a\.csv/],
    ];
    for (const [name, text, message, said] of cases) {
      const error = await explainUploadError(
        new AppError("serverFault", message),
        fileOf(name, text),
      );
      assert.ok(isAppError(error, "refused"));
      assert.match(error.message, said);
    }
  });
});

describe("the name of a table", () => {
  it("is proposed from the file's", () => {
    assert.equal(proposeTableName("Home Rentals-2024.v2.csv"), "home_rentals_2024_v2");
    assert.equal(proposeTableName("2024.csv"), "t_2024");
    for (const [file, name] of [
      ["Größe.json", "grosse"],
      ["Ærø.csv", "aero"],
      ["straße.csv", "strasse"],
      ["Łódź 2024.csv", "lodz_2024"],
      ["Продажи.csv", "prodazhi"],
      ["Объём-щука.csv", "obem_shchuka"],
      ["Πωλήσεις.csv", "poliseis"],
      ["ｓａｌｅｓ２.csv", "sales2"],
      // Letters that are left out would give several files one name.
      ["データ.csv", ""],
      ["销售数据.csv", ""],
      ["销售2024.csv", ""],
      ["매출.csv", ""],
      ["٢٠٢٤.csv", ""],
      ["-.csv", ""],
    ]) {
      assert.equal(proposeTableName(file!), name, file);
    }
    for (const name of ["a b.csv", "9.csv", "é.csv"]) {
      assert.ok(isTableName(proposeTableName(name)), name);
    }
  });

  it("is lower case, without anything that SQL would need quotes for", () => {
    assert.ok(isTableName("1a"));
    for (const name of ["", "A", "12", "a b", "a.b", "é", "a-b"]) {
      assert.ok(!isTableName(name), name);
    }
  });
});

describe("rows that are longer than the header", () => {
  it("are cut if the first row is", () => {
    assert.ok(readCsvStart("a,b\n1,2,3\n4,5\n").isCut);
    assert.ok(readCsvStart("a;b\n1;2;3\n").isCut);
    for (const text of ["a,b\n1,2\n1,2,3\n", 'a,b\n1,"2,3"\n4\n', ""]) {
      assert.ok(!readCsvStart(text).isCut, text);
    }
  });
});

describe("a file that is no text", () => {
  it("is known by its zero bytes, which UTF-16 has too", () => {
    assert.ok(isBinary(Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x00])));
    assert.ok(!isBinary(Buffer.from("a,é\n")));
    assert.ok(!isBinary(Buffer.from("\uFEFFa,b\n", "utf16le")));
    assert.ok(!isBinary(Buffer.from([])));
  });
});

describe("uploads to the sample server", () => {
  let folder: string;
  let changesFile: string;
  let stop: (() => Promise<void>) | undefined;
  let transport: Transport;
  let client: Client;
  let seen: ServerObservation[];

  async function start(): Promise<void> {
    const server = await startSampleServer({ changesFile });
    seen = [];
    transport = createTransport(parseAddress(server.url));
    client = clientOver(transport, { observe: (observation) => seen.push(observation) });
    stop = async () => {
      await transport.close();
      await server.stop();
    };
  }
  const upload = async (name: string, file: SourceFile): Promise<void> =>
    uploadFile(client, name, await prepare(file));
  const names = async () => (await listTables(client, "files")).map(({ name }) => name);

  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "uploads-"));
    changesFile = path.join(folder, "changes.json");
    await start();
  });
  afterEach(async () => {
    await stop?.();
    fs.rmSync(folder, { recursive: true });
  });

  it("become tables that SQL reads", async () => {
    await upload("homes", fileOf("h.csv", 'id,place\n1,"a, ""b"""\n2,\n3,c,lost\n'));
    const { columns, rows } = await runSql(client, "SELECT * FROM files.homes");
    assert.deepEqual(columns, ["id", "place"]);
    assert.deepEqual(rows, [
      [1, 'a, "b"'],
      [2, null],
      [3, "c"],
    ]);
    await upload("lines", fileOf("l.jsonl", '{"a":1}\n{"a":2,"b":"x"}\n'));
    assert.equal((await prepare(fileOf("l.NDJSON", "{}"))).fileName, "l.json");
    const lines = await runSql(client, "SELECT * FROM files.lines");
    assert.deepEqual(lines.rows, [
      [1, null],
      [2, "x"],
    ]);
  });

  it("tell the tree which table has changed", async () => {
    await upload("homes", fileOf("h.csv", "a\n1\n"));
    const change = { kind: "changed", list: "tables", project: "files", name: "homes" };
    assert.deepEqual(
      seen.filter(({ kind }) => kind === "changed"),
      [change],
    );
    seen.length = 0;
    await dropFile(client, "homes");
    assert.deepEqual(
      seen.filter(({ kind }) => kind === "changed"),
      [change],
    );
  });

  it("are refused if the name is taken, or the format is unknown", async () => {
    await upload("homes", fileOf("h.csv", "a\n1\n"));
    await assert.rejects(upload("homes", fileOf("h.csv", "a\n2\n")), (error) =>
      isAppError(error, "refused") ? String(error).includes("exists") : false,
    );
    await assert.rejects(upload("other", fileOf("h.xlsx", "PK")), /Not supported format/);
    assert.deepEqual((await runSql(client, "SELECT * FROM files.homes")).rows, [[1]]);
  });

  it("can be cancelled, and leave nothing", async () => {
    const cancelled = new AbortController();
    const file = fileOf("h.csv", `a\n${"1\n".repeat(100_000)}`, 1_000);
    const sending = await createUpload(file, (bytes) => {
      if (bytes > 50_000) cancelled.abort();
    });
    const { signal } = cancelled;
    await assert.rejects(uploadFile(client, "homes", sending, { signal }), { name: "AbortError" });
    assert.ok(!(await names()).includes("homes"));
  });

  it("replace a table, whose rows stay if the server cannot read the file", async () => {
    await upload("homes", fileOf("h.csv", "a\n1\n"));
    const replace = async (file: SourceFile, signal?: AbortSignal): Promise<void> =>
      replaceTable(client, "homes", await prepare(file), signal);
    const rows = async () => (await runSql(client, "SELECT * FROM files.homes")).rows;
    const before = await names();
    await assert.rejects(replace(fileOf("h.json", "no JSON")), /Expecting value/);
    await assert.rejects(replace(fileOf("h.json", "{}\n{}")), /Extra data/);
    await assert.rejects(replace(fileOf("h.xlsx", "PK")), /Not supported format/);
    await assert.rejects(replace(fileOf("h.csv", "a\n2\n"), AbortSignal.abort()));
    assert.deepEqual(await rows(), [[1]]);
    assert.deepEqual(await names(), before);
    await replace(fileOf("h.csv", "b\n2\n3\n"));
    assert.deepEqual(await rows(), [[2], [3]]);
    assert.deepEqual(await names(), before);
  });

  /** Replaces a table with others rows, which fails and leaves them under another name. */
  async function failToReplace(
    over: Client,
    change: (sending: Upload) => Partial<Upload> = () => ({}),
  ): Promise<ReplaceError> {
    await upload("homes", fileOf("h.csv", "a\n1\n"));
    const sending = await prepare(fileOf("h.csv", "a\n2\n"));
    const replacing = replaceTable(over, "homes", { ...sending, ...change(sending) });
    const error: unknown = await replacing.catch((reason: unknown) => reason);
    assert.ok(error instanceof ReplaceError);
    assert.ok(!(await names()).includes("homes"));
    assert.deepEqual((await runSql(client, `SELECT * FROM files.${error.copy}`)).rows, [[2]]);
    return error;
  }

  it("leave the new rows under another name if the second upload fails", async () => {
    let passes = 0;
    const error = await failToReplace(client, (sending) => ({
      read: () => {
        if (++passes > 1) throw new Error("the file is gone");
        return sending.read();
      },
    }));
    assert.ok(error.isOldDeleted);
  });

  it("leave the new rows under another name if the answer to the deletion is lost", async () => {
    const cutting = clientOver({
      ...transport,
      send: async (request) => {
        const answer = await transport.send(request);
        if (typeof request.body === "string" && /DROP TABLE \S+homes`?"/.test(request.body)) {
          throw new AppError("cutOff", "The connection closed early");
        }
        return answer;
      },
    });
    assert.ok(!(await failToReplace(cutting)).isOldDeleted);
  });

  it("leave the old table and no copy if the server refuses to delete it", async () => {
    const before = await names();
    const sending = await prepare(fileOf("h.csv", "a\n2\n"));
    await assert.rejects(replaceTable(client, "not_there", sending), /not found/);
    assert.deepEqual(await names(), before);
  });

  it("and drops, also of sample tables, stay after a restart", async () => {
    await upload("homes", fileOf("h.csv", "a\n1\n"));
    await dropFile(client, "home_rentals");
    await stop?.();
    await start();
    const after = await names();
    assert.ok(after.includes("homes") && !after.includes("home_rentals"), after.join());
    assert.deepEqual((await runSql(client, "SELECT * FROM files.homes")).rows, [[1]]);
    await dropFile(client, "homes");
    await assert.rejects(dropFile(client, "homes"), /not found/);
    assert.ok(!(await names()).includes("homes"));
  });
});
