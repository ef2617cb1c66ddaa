// Answers of statements that are read while they arrive.
import assert from "node:assert/strict";
import fc from "fast-check";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import { UnreadableAnswer } from "../../../src/mindsdb/sql/runSql.ts";
import { StatementRows } from "../../../src/predict/run/statementRows.ts";
import { rowBytes } from "../../../src/predict/rows/row.ts";

interface ReadAnswer {
  rows: unknown[];
  members: Record<string, unknown>;
  columns: string[] | undefined;
}

function read(text: string, cuts: readonly number[] = []): ReadAnswer {
  const bytes = Buffer.from(text);
  const answer = new StatementRows();
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  const rows = ends.flatMap((end, at) => answer.push(bytes.subarray(ends[at - 1] ?? 0, end)));
  rows.push(...answer.end());
  answer.checkEnd();
  return {
    rows: rows.map((row) => JSON.parse(rowBytes(row).toString()) as unknown),
    members: Object.fromEntries(answer.members),
    columns: answer.columns,
  };
}

const plain = ({ columns, rows }: { columns: string[]; rows: unknown[][] }): string =>
  JSON.stringify({ type: "table", data: rows, column_names: columns, context: { db: "m" } });

const lines = ({ columns, rows }: { columns: string[]; rows: unknown[][] }, block = 3): string => {
  const blocks = Array.from({ length: Math.ceil(rows.length / block) }, (_, at) =>
    rows.slice(at * block, (at + 1) * block),
  );
  const all = [{ type: "table", column_names: columns }, ...blocks];
  return all.map((line) => `${JSON.stringify(line)}\n`).join("");
};

describe("rows of an answer that arrives", () => {
  it("are the same however it is cut, as plain JSON and as JSON Lines", () => {
    const row = fc.array(fc.oneof(fc.jsonValue(), fc.string()), { maxLength: 4 });
    const table = fc.record({ columns: fc.array(fc.string()), rows: fc.array(row) });
    fc.assert(
      fc.property(table, fc.array(fc.nat(), { maxLength: 30 }), (given, cuts) => {
        const expected = JSON.parse(JSON.stringify(given)) as typeof given;
        for (const text of [plain(given), lines(given), `\ufeff${lines(given)}`]) {
          const { rows, columns, members } = read(text, cuts);
          assert.deepEqual({ rows, columns }, expected);
          assert.equal(members["type"], "table");
        }
      }),
    );
  });

  it("have an end where each byte comes alone", () => {
    const given = {
      columns: ["a", "é"],
      rows: [
        [1.5, 'x"]['],
        [{ data: [[1]] }, null],
      ],
    };
    for (const text of [plain(given), lines(given, 1)]) {
      const cuts = Array.from({ length: Buffer.byteLength(text) }, (_, at) => at);
      assert.deepEqual(read(text, cuts).rows, given.rows);
    }
  });

  it("come with an error that follows them", () => {
    const { rows, members } = read(
      '{"type":"table","column_names":["a"]}\n[[1]]\n{"type":"error","error_message":"gone"}\n',
    );
    assert.deepEqual(rows, [[1]]);
    assert.deepEqual([members["type"], members["error_message"]], ["error", "gone"]);
  });

  it("are in no other member, whatever its name", () => {
    const text = '{"a\\"data":[[1]],"x":{"data":[[2]]},"__proto__":[[3]],"data":[[4]]}';
    assert.deepEqual(read(text).rows, [[4]]);
  });

  it("are not in what is no answer", () => {
    for (const text of [
      "<html>",
      "[1]",
      "[[1] [2]]",
      "[[1],]",
      "[[01]]",
      '{"data":[{"a":1}]}',
      "{data:[]}",
      '{"data":[[1]] "x":1}',
      "null",
    ]) {
      assert.throws(() => read(text), UnreadableAnswer, text);
    }
  });

  it("are cut off where an answer ends in the middle", () => {
    const text = plain({ columns: ["a"], rows: [[1], ["b"]] });
    for (let end = 1; end < text.length; end++) {
      assert.throws(
        () => read(text.slice(0, end)),
        (error) => isAppError(error, "cutOff"),
      );
    }
    assert.throws(
      () => read('{"type":"table","column_names":["a"]}\n[[1],[2'),
      (error) => isAppError(error, "cutOff"),
    );
  });

  it("have limits of what comes beside them", () => {
    const refused = (work: () => unknown): void =>
      assert.throws(work, (error) => isAppError(error, "tooLarge"));
    const objects = `[${"{},".repeat(300_000)}{}]`;
    refused(() => read(`{"type":"table","context":${objects}}`));
    refused(() => read(`{"column_names":["a"]}\n{"b":${objects}}\n[[1]]\n`));
    const answer = new StatementRows();
    const line = (at: number): Buffer => Buffer.from(`{"k${String(at)}":1,"type":"table"}\n`);
    refused(() => {
      for (let at = 0; at < 300_000; at++) answer.push(line(at));
    });
    assert.ok(answer.members.size < 200_000);
    // An error can repeat a long statement.
    const message = "x".repeat(10_000_000);
    assert.equal(read(`{"error_message":"${message}"}`).members["error_message"], message);
  });

  it("have a limit of columns", () => {
    const wide = JSON.stringify([Array.from({ length: 10_001 }, () => 1)]);
    assert.throws(
      () => read(wide),
      (error) => isAppError(error, "tooLarge"),
    );
  });
});
