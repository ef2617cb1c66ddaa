import assert from "node:assert/strict";
import { AppError } from "../../../src/mindsdb/errors.ts";
import { formatModelName, parseModelName } from "../../../src/predict/notebook/modelName.ts";
import { parseRows } from "../../../src/predict/rows/readRows.ts";
import { ModelComparison } from "../../../src/predict/run/modelComparison.ts";

const body = Buffer.from("{}");
const rows = parseRows(Buffer.from('[{"id": 1}, {"id": 2}]'));

function compare(type?: string, names = ["p.m.1", "p.m.2"]): ModelComparison {
  const target = type === undefined ? undefined : { name: "y", type };
  return new ModelComparison(names.map((name) => ({ model: parseModelName(name)!, target })));
}

/** Sends the rows to models that answer with these lists, and gives the combined one. */
async function combine(comparison: ModelComparison, replies: string[]): Promise<string> {
  let at = 0;
  const response = await comparison.send(body, rows, () =>
    Promise.resolve(Buffer.from(replies[at++]!)),
  );
  return Buffer.from(response).toString();
}

describe("A comparison of two models", () => {
  it("subtracts numbers, and keeps every digit of integers", async () => {
    const combined = await combine(compare("float"), [
      '[{"y": 9007199254740993}, {"y": 0.3}]',
      '[{"y": 9007199254740992}, {"y": 0.1}]',
    ]);
    assert.equal(
      combined,
      '[{"y (m.1)":9007199254740993,"y (m.2)":9007199254740992,"difference":1},' +
        '{"y (m.1)":0.3,"y (m.2)":0.1,"difference":0.2}]',
    );
  });

  it("says whether classes differ, even if they look like numbers", async () => {
    const combined = await combine(compare("categorical"), [
      '[{"y": "1"}, {"y": "2"}]',
      '[{"y": "2"}, {"y": "2"}]',
    ]);
    assert.deepEqual(
      (JSON.parse(combined) as { difference: boolean }[]).map(({ difference }) => difference),
      [true, false],
    );
  });

  it("finds the predictions of models that do not describe them, and their confidence", async () => {
    const explained = (y: number): string =>
      JSON.stringify({ id: y, y, y_explain: JSON.stringify({ confidence: y / 10 }) });
    const combined = await combine(compare(undefined, ["p.m", "q.m"]), [
      `[${explained(1)}, ${explained(2)}]`,
      '[{"id": 1, "z": 4}, {"id": 2, "z": 1}]',
    ]);
    assert.equal(
      combined,
      '[{"y (p.m)":1,"z (q.m)":4,"difference":3,"confidence (p.m)":0.1},' +
        '{"y (p.m)":2,"z (q.m)":1,"difference":1,"confidence (p.m)":0.2}]',
    );
  });

  it("does not ask the first model again after the second could not answer, which it names", async () => {
    const comparison = compare("float");
    const asked: string[] = [];
    const send = (isDown: boolean): Promise<Uint8Array> =>
      comparison.send(body, rows, (model) => {
        asked.push(formatModelName(model));
        const fails = isDown && model.version === 2;
        if (fails) return Promise.reject(new AppError("refused", "Too busy", { status: 429 }));
        return Promise.resolve(Buffer.from('[{"y": 1}, {"y": 2}]'));
      });
    await assert.rejects(send(true), (error: AppError) => {
      assert.deepEqual(
        [error.kind, error.message, error.status],
        ["refused", "m.2: Too busy", 429],
      );
      return true;
    });
    assert.deepEqual(comparison.failed, { project: "p", name: "m", version: 2 });
    await send(false);
    assert.deepEqual(asked, ["p.m.1", "p.m.2", "p.m.2"]);
  });

  it("passes on a response that lacks a row", async () => {
    const response = '[{"y": 1}]';
    assert.equal(await combine(compare("float"), [response, '[{"y": 1}, {"y": 2}]']), response);
  });
});
