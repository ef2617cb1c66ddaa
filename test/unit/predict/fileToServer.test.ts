// Files of rows through everything, to a server that records what it is sent: the rows are the file's, byte for byte.
import assert from "node:assert/strict";
import diagnosticsChannel from "node:diagnostics_channel";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { detectRowsFormat, readRows } from "../../../src/predict/rows/readRows.ts";
import { checkedRows, inBatches } from "../../../src/predict/run/rowBatches.ts";
import { DiskTable } from "../../../src/predict/result/diskTable.ts";
import { listen, type TestServer } from "../mindsdb/httpServer.ts";
import { cut, senderTo } from "./files.ts";
import { clientOver } from "../../clientOver.ts";

const root = fs.mkdtempSync(path.join(os.tmpdir(), "file-to-server-"));
const worker = new URL("../../../src/predict/result/tableWorker.ts", import.meta.url);

/** Rows that do not survive being parsed and written again. */
const nasty = [
  String.raw`{"n":9007199254740993,"big":1e400,"zero":-0,"price":0.10,"small":1E-07}`,
  String.raw`{ "text" : "\u00e9\/\t\\ \ud83d\ude00 \ud800 é 😀" , "tight":"" }`,
  String.raw`{"a":1,"a":2,"a":3}`,
  String.raw`{"__proto__":{"x":1},"constructor":null,"":"empty name","\u0061":"a"}`,
  String.raw`{"nested":{"b":[1,{"c":[ ]}],"a":{}},"list":[1.0,"]","}"]}`,
  `{${Array.from({ length: 300 }, (_, n) => `"column ${n}":${n}.0`).join(",")}}`,
  `{"long":"${"x".repeat(200_000)}"}`,
];

interface Outcome {
  table: DiskTable;
  error?: unknown;
}

describe("the rows of a file on the way to a server", () => {
  let server: TestServer;
  let transport: Transport;
  let count = 0;

  beforeEach(async () => {
    server = await listen(({ body }, response) => {
      const { length } = (JSON.parse(body) as { data: unknown[] }).data;
      const replies = Array.from({ length }, () => ({ p: 1 }));
      response.end(JSON.stringify(replies));
    });
    transport = createTransport(server.address);
  });
  afterEach(async () => {
    await transport.close();
    await server.close();
  });
  after(() => fs.rmSync(root, { recursive: true }));

  async function run(
    name: string,
    bytes: Buffer,
    { batchRows = 3, pieces = [1_000], onResponse = (): void => undefined } = {},
  ): Promise<Outcome> {
    const sender = senderTo(clientOver(transport));
    const table = await DiskTable.create({ folder: path.join(root, String(count++)), worker });
    const rows = checkedRows(readRows(cut(bytes, pieces), detectRowsFormat(name)!), {});
    try {
      for await (const answer of sender.send(inBatches(rows, batchRows))) {
        onResponse();
        await table.add(answer);
      }
      return { table };
    } catch (error) {
      return { table, error };
    }
  }

  /** The rows that were sent, in the order of their requests. */
  const sentRows = (): unknown[] =>
    server.seen.flatMap(({ body }) => (JSON.parse(body) as { data: unknown[] }).data);

  const bodies = (rows: string[], size: number): string[] =>
    Array.from({ length: Math.ceil(rows.length / size) }, (_, batch) => {
      return `{"data":[${rows.slice(batch * size, (batch + 1) * size).join(",")}]}`;
    });

  const files: [title: string, name: string, text: string][] = [
    ["a list with air around", "rows.json", `\ufeff \r\n[\n ${nasty.join("\t,\r\n ")}\n]\n`],
    ["JSON Lines of Windows", "rows.ndjson", `\ufeff${nasty.join("\r\n")}`],
  ];
  for (const [title, name, text] of files) {
    it(`arrive with the bytes of ${title}, in any batches and any chunks`, async () => {
      for (const [batchRows, pieces] of [
        [1, [7]],
        [3, [100_000]],
        [1_000, [1, 2, 1_000]],
      ] as const) {
        server.seen.length = 0;
        const { table, error } = await run(name, Buffer.from(text), {
          batchRows,
          pieces: [...pieces],
        });
        assert.equal(error, undefined);
        assert.deepEqual(
          server.seen.map(({ body }) => body),
          bodies(nasty, batchRows),
        );
        assert.equal(table.length, nasty.length);
        const column = table.columns.findIndex(({ name }) => name === "n");
        assert.equal((await table.values(0, 1))[0]?.[column], "9007199254740993");
        await table.dispose();
      }
    });
  }

  it("leave before the response to the rows before them is parsed and stored", async () => {
    let written = 0;
    const onWritten = (): void => void written++;
    const channel = diagnosticsChannel.channel("undici:client:sendHeaders");
    const writtenAtResponse: number[] = [];
    channel.subscribe(onWritten);
    const rows = Array.from({ length: 15 }, (_, n) => `{"n":${n}}`);
    const onResponse = (): void => void writtenAtResponse.push(written);
    const { table } = await run("rows.jsonl", Buffer.from(rows.join("\n")), { onResponse });
    channel.unsubscribe(onWritten);
    assert.deepEqual(writtenAtResponse, [2, 3, 4, 5, 5]);
    await table.dispose();
  });

  it("are sent in smaller batches if they are large", async () => {
    const rows = Array.from({ length: 30 }, (_, n) => `{"n":${n},"t":"${"x".repeat(1_000_000)}"}`);
    const { table } = await run("rows.jsonl", Buffer.from(rows.join("\n")), {
      batchRows: 100,
      pieces: [500_000],
    });
    assert.equal(sentRows().length, 30);
    assert.ok(server.seen.every(({ body }) => body.length < 4.2 * 1024 * 1024));
    await table.dispose();
  });
});
