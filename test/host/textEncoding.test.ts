// Text files in other encodings than UTF-8, read as VS Code reads them.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import type { ServerAccess } from "../../src/shared/connection.ts";
import { createFillSource, readHead } from "../../src/knowledgeBases/host/fill/fillSources.ts";
import { isAppError } from "../../src/mindsdb/errors.ts";
import { openUtf8File, readUtf8Chunks, toUtf8 } from "../../src/shared/host/readUtf8Chunks.ts";
import { closeAllEditors, workbench } from "./workbench.ts";

const text = "name,note\nMüller,größer\nØrsted,naïve\n";

describe("A text file in another encoding", () => {
  let folder: string;

  before(async () => {
    await workbench();
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "encoding-"));
  });
  after(() => fs.rmSync(folder, { recursive: true }));
  afterEach(async () => {
    await setEncoding(undefined);
    await closeAllEditors();
  });

  function setEncoding(encoding: string | undefined): Thenable<void> {
    const target = vscode.ConfigurationTarget.Global;
    return vscode.workspace.getConfiguration("files").update("encoding", encoding, target);
  }

  function write(name: string, bytes: Uint8Array): vscode.Uri {
    const file = path.join(folder, name);
    fs.writeFileSync(file, bytes);
    return vscode.Uri.file(file);
  }

  async function read(uri: vscode.Uri): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of readUtf8Chunks(uri)) chunks.push(chunk);
    return Buffer.concat(chunks)
      .toString("utf8")
      .replace(/^\ufeff/, "");
  }

  const latin1 = Buffer.from(text, "latin1");
  const utf16 = Buffer.from(`\ufeff${text}`, "utf16le");

  it("is not read at all without a hint, and the sentence names its first wrong line", async () => {
    const before = Buffer.from("a,b\n".repeat(500_000));
    const file = write("latin1.csv", Buffer.concat([before, latin1]));
    const chunks: Uint8Array[] = [];
    await assert.rejects(
      async () => {
        for await (const chunk of readUtf8Chunks(file)) chunks.push(chunk);
      },
      (error) =>
        isAppError(error, "notUtf8") &&
        error.message.startsWith("latin1.csv, line 500002:") &&
        error.uri === file.toString() &&
        error.detail === undefined,
    );
    assert.equal(chunks.length, 0);
  });

  it("is decoded by the setting files.encoding", async () => {
    await setEncoding("iso88591");
    assert.equal(await read(write("setting.csv", latin1)), text);
  });

  it("is decoded as UTF-16 without a byte order mark", async () => {
    const texts = { ascii: "a,b\n1,2\n", german: text, chinese: "名字,备注\n张三,好\n李四,差\n" };
    for (const [name, content] of Object.entries(texts)) {
      const bytes = Buffer.from(content, "utf16le");
      for (const [encoding, file] of [
        ["utf16le", write(`${name}-le.csv`, bytes)],
        ["utf16be", write(`${name}-be.csv`, Buffer.from(bytes).swap16())],
      ] as const) {
        await setEncoding(encoding);
        assert.equal(await read(file), content, `${name} ${encoding}`);
        const opened = await openUtf8File(file);
        assert.deepEqual([opened.isText, opened.size], [true, Buffer.byteLength(content)]);
        const whole = await toUtf8(file, fs.readFileSync(file.fsPath));
        assert.equal(whole && Buffer.from(whole).toString(), content);
      }
    }
  });

  it("is decoded by the settings of Windows, China and Japan", async () => {
    const cases: [encoding: string, hex: string, content: string][] = [
      ["windows1252", "612c620a80353020962093fc622c94310a", "a,b\n€50 – “üb,”1\n"],
      ["gbk", "612c620ad5c5c8fd2cbac30a", "a,b\n张三,好\n"],
      ["shiftjis", "612c620a93fa967b8cea2c83410a", "a,b\n日本語,ア\n"],
    ];
    for (const [encoding, hex, content] of cases) {
      await setEncoding(encoding);
      assert.equal(await read(write(`${encoding}.csv`, Buffer.from(hex, "hex"))), content);
    }
  });

  it("is decoded by its byte order mark", async () => {
    assert.equal(await read(write("utf16le.csv", utf16)), text);
    assert.equal(await read(write("utf16be.csv", Buffer.from(utf16).swap16())), text);
  });

  it("is decoded by the encoding that it was reopened with", async () => {
    const file = write("reopened.csv", latin1);
    const document = await vscode.workspace.openTextDocument(file, { encoding: "windows1252" });
    assert.equal(document.encoding, "windows1252");
    assert.equal(await read(file), text);
  });

  it("is uploaded as UTF-8 of a known length, again with each reading", async () => {
    const [utf8, zip] = [Buffer.from(text), Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x00, 0xff])];
    await setEncoding("iso88591");
    const files: [name: string, bytes: Buffer, isText: boolean, read: Buffer][] = [
      ["up-utf8.csv", utf8, true, utf8],
      ["up-latin1.csv", latin1, true, utf8],
      ["up-utf16.csv", utf16, true, utf8],
      ["up-zip.csv", zip, false, zip],
    ];
    for (const [name, bytes, isText, expected] of files) {
      const file = await openUtf8File(write(name, bytes));
      assert.deepEqual([name, file.isText, file.size], [name, isText, expected.length]);
      for (let time = 0; time < 2; time++) {
        const chunks: Uint8Array[] = [];
        for await (const chunk of file.read()) chunks.push(chunk);
        assert.deepEqual(Buffer.concat(chunks), expected, name);
      }
    }
  });

  it("gives the rows of a list in an object, and a note that names the list", async () => {
    const file = path.join(folder, "listed.json");
    fs.writeFileSync(file, '{"count":2,"items":[{"a":1},{"a":null},{"a":2}]}');
    const ref = { kind: "rowsFile", uri: vscode.Uri.file(file).toString() } as const;
    const source = createFillSource(ref, {} as ServerAccess, "c");
    assert.equal((await readHead(source)).length, 2);
    assert.deepEqual(source.notes(), [
      "Rows are read from the list “items” in the file.",
      "Skipped rows without any value: 1",
    ]);
  });

  it("is a document of a folder like any other, or is named where it does not decode", async () => {
    const docs = path.join(folder, "docs");
    fs.mkdirSync(docs);
    const files: [string, Buffer][] = [
      ["a-latin1.md", latin1],
      ["b-utf16.txt", utf16],
      ["c-utf8.txt", Buffer.from(text)],
      ["d-binary.txt", Buffer.from([0, 0xff, 0xfe, 0, 1])],
    ];
    for (const [name, bytes] of files) fs.writeFileSync(path.join(docs, name), bytes);
    const servers = {} as ServerAccess;
    const ref = { kind: "folder", uri: vscode.Uri.file(docs).toString() } as const;
    const source = createFillSource(ref, servers, "c");
    const readAll = async (): Promise<string[]> => {
      const rows = await readHead(source);
      return rows.map(({ bytes, start, end }) => {
        const row = bytes.subarray(start, end).toString();
        const { file, content } = JSON.parse(row) as { file: string; content: string };
        assert.equal(content, text, file);
        return file;
      });
    };
    assert.deepEqual(await readAll(), ["b-utf16.txt", "c-utf8.txt"]);
    assert.match(source.notes().join(), /2 \(a-latin1\.md, d-binary\.txt\)/);
    await setEncoding("iso88591");
    assert.deepEqual(await readAll(), ["a-latin1.md", "b-utf16.txt", "c-utf8.txt"]);
    assert.match(source.notes().join(), /1 \(d-binary\.txt\)/);
    await setEncoding("shiftjis");
    assert.deepEqual(await readAll(), ["b-utf16.txt", "c-utf8.txt"]);
    const file = vscode.Uri.file(path.join(docs, "a-latin1.md"));
    await vscode.workspace.openTextDocument(file, { encoding: "windows1252" });
    assert.deepEqual(await readAll(), ["a-latin1.md", "b-utf16.txt", "c-utf8.txt"]);
  });

  it("is read as it is where it is UTF-8, whatever the setting, or binary", async () => {
    await setEncoding("iso88591");
    const long = `${"ü😀".repeat(400_000)}\n`;
    assert.equal(await read(write("utf8.csv", Buffer.from(long))), long);
    const zip = Buffer.from("PK\u0003\u0004\u0000\u0000\u00ff\u00fe", "latin1");
    const chunks: Uint8Array[] = [];
    for await (const chunk of readUtf8Chunks(write("zip.csv", zip))) chunks.push(chunk);
    assert.deepEqual(Buffer.concat(chunks), zip);
  });
});
