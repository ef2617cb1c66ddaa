import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { AppError, isAppError } from "../../../../src/mindsdb/errors.ts";
import { rowBytes, type Row } from "../../../../src/predict/rows/row.ts";
import { RowFile } from "../../../../src/predict/result/rowFile.ts";
import { answerOf } from "../files.ts";

const root = fs.mkdtempSync(path.join(os.tmpdir(), "run-file-"));
let count = 0;
const newFolder = (): string => path.join(root, String(count++));

const text = (row: Row | undefined): string | undefined => row && rowBytes(row).toString();

describe("run file", () => {
  after(() => fs.rmSync(root, { recursive: true }));

  it("returns every row with its outcome, in any window and any order", async () => {
    const value = fc.oneof(
      fc.constantFrom("9007199254740993", "1e400", "-0", "0.10", "null", '"日本 😀"'),
      fc.string({ unit: "binary", maxLength: 2_000 }).map((text) => JSON.stringify(text)),
    );
    const row = value.map((written) => `{"a": ${written}}`);
    const answer = fc.oneof(
      fc.array(fc.tuple(row, row), { minLength: 1, maxLength: 5 }),
      fc.tuple(row, fc.string({ unit: "binary", maxLength: 20 })),
    );
    const windows = fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { maxLength: 6 }), windows, async (answers, windows) => {
        const file = await RowFile.create(newFolder());
        const expected: { row: string; reply?: string; refused?: string }[] = [];
        for (const given of answers) {
          if (typeof given[0] === "string") {
            const [row, refused] = given as [string, string];
            await file.append(answerOf([row], refused));
            expected.push({ row, refused });
          } else {
            const pairs = given as [string, string][];
            await file.append(
              answerOf(
                pairs.map(([row]) => row),
                pairs.map(([, reply]) => reply),
              ),
            );
            expected.push(...pairs.map(([row, reply]) => ({ row, reply })));
          }
        }
        assert.equal(file.length, expected.length);
        assert.equal(file.refused, expected.filter(({ refused }) => refused !== undefined).length);
        const backwards = Uint32Array.from(expected.keys()).reverse();
        for (const [from, count] of [...windows, [0, 100] as const]) {
          for (const order of [undefined, backwards, backwards.slice(1)]) {
            const rows = await file.read(from, count, order);
            const indices = [...(order ?? expected.keys())].slice(from, from + count);
            assert.deepEqual(
              rows.map(({ number }) => number - 1),
              indices,
            );
            assert.deepEqual(
              rows.map(({ row, reply, refused }) => ({
                row: text(row),
                ...(reply ? { reply: text(reply) } : {}),
                ...(refused === undefined ? {} : { refused }),
              })),
              indices.map((index) => expected[index]),
            );
          }
        }
        await file.dispose();
      }),
      { numRuns: 60 },
    );
  });

  it("keeps rows whose responses become shorter and longer", async () => {
    const file = await RowFile.create(newFolder());
    const lengths = [3_000, 10, 2_999, 5_000, 1];
    for (const [at, length] of lengths.entries()) {
      await file.append(answerOf(['{"a":1}'], [`{"b":"${"x".repeat(length)}"}`]));
      // Waits until the row is in the file; the buffer of each row but the first may be that of an earlier one.
      if (at % 2 === 0) assert.equal((await file.read(at, 1)).length, 1);
    }
    const rows = await file.read(0, 10);
    assert.deepEqual(
      rows.map((row) => ("reply" in row ? text(row.reply) : undefined)),
      lengths.map((length) => `{"b":"${"x".repeat(length)}"}`),
    );
    await file.dispose();
  });

  it("reads windows of rows that are far apart", async () => {
    const file = await RowFile.create(newFolder());
    const long = "x".repeat(100_000);
    for (let n = 0; n < 40; n++) {
      await file.append(answerOf([`{"n":${n},"long":"${long}"}`], [`{"double":${2 * n}}`]));
    }
    const order = Uint32Array.from([39, 0, 20, 1]);
    const rows = await file.read(0, 4, order);
    assert.deepEqual(
      rows.map(({ reply }) => text(reply)),
      ['{"double":78}', '{"double":0}', '{"double":40}', '{"double":2}'],
    );
    await file.dispose();
  });

  it("does not exceed the maximum size, and keeps earlier rows", async () => {
    const file = await RowFile.create(newFolder(), { capBytes: 30 + 2 * 24 });
    await file.append(answerOf(['{"a":1}'], ['{"b":2}']));
    await assert.rejects(file.append(answerOf(['{"a":1}'], ['{"b":12345678901}'])), (error) =>
      isAppError(error, "tooLarge"),
    );
    assert.equal(file.length, 1);
    assert.equal((await file.read(0, 9)).length, 1);
    await file.append(answerOf(['{"a":1}'], ["{}"]));
    assert.equal(file.length, 2);
    await file.dispose();
  });

  it("reports a full disk, and keeps earlier rows", async () => {
    const folder = newFolder();
    const file = await RowFile.create(folder);
    await file.append(answerOf(['{"a":1}'], ['{"b":2}']));
    await file.written();
    // Every write to a file fails from here on, as on a disk that is full.
    const probe = await fs.promises.open(path.join(folder, "data"));
    const handles = Object.getPrototypeOf(probe) as { writeFile: unknown };
    const { writeFile } = handles;
    handles.writeFile = () => Promise.reject(new Error("ENOSPC: no space left"));
    try {
      const isFull = (error: unknown): boolean =>
        error instanceof AppError && error.message.includes("could not be written to disk: ENOSPC");
      await file.append(answerOf(['{"a":2}'], "no"));
      await assert.rejects(file.written(), isFull);
      await assert.rejects(file.append(answerOf(['{"a":3}'], ["{}"])), isFull);
    } finally {
      handles.writeFile = writeFile;
      await probe.close();
    }
    assert.equal(file.length, 1);
    assert.equal(file.refused, 0);
    assert.deepEqual(
      (await file.read(0, 9)).map(({ row }) => text(row)),
      ['{"a":1}'],
    );
    await file.dispose();
  });

  it("can be read again after it was closed", async () => {
    const folder = newFolder();
    const file = await RowFile.create(folder);
    await file.append(answerOf(['{"a":1}', '{"a":2}'], ["{}", "{}"]));
    await file.written();
    await file.dispose();
    const again = await RowFile.open(folder, { length: 2, refused: 0 });
    assert.deepEqual(
      (await again.read(1, 9)).map(({ number, row }) => [number, text(row)]),
      [[2, '{"a":2}']],
    );
    await again.dispose();
  });
});
