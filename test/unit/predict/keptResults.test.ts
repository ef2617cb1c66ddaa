import assert from "node:assert/strict";
import { canPin, findResultsToDrop } from "../../../src/predict/sqlFile/keptResults.ts";
import { SqlTable } from "../../../src/predict/result/resultTable.ts";
import { ResultInMemory } from "../../../src/predict/result/resultWindows.ts";

const megabyte = 1024 ** 2;
const result = (megabytes: number, isPinned = false) => ({ bytes: megabytes * megabyte, isPinned });

describe("the results of SQL files that are kept", () => {
  it("are the newest 20 besides pinned ones", () => {
    const pinned = result(1, true);
    const results = Array.from({ length: 23 }, () => result(1));
    assert.deepEqual(findResultsToDrop([pinned, ...results, pinned]), results.slice(20));
    assert.deepEqual(findResultsToDrop(results.slice(0, 20)), []);
  });

  it("are fewer if they take much memory, but always the newest one and pinned ones", () => {
    const [a, b, c, d] = [result(200), result(200), result(200), result(1)];
    assert.deepEqual(findResultsToDrop([a, b, c, d]), [c, d]);
    assert.deepEqual(findResultsToDrop([a, result(400, true), b]), [b]);
    assert.deepEqual(findResultsToDrop([result(900), result(900, true), a]), [a]);
  });

  it("are not pinned beyond that", () => {
    const pinned = result(1, true);
    assert.equal(
      canPin(
        Array.from({ length: 19 }, () => pinned),
        result(1),
      ),
      true,
    );
    assert.equal(
      canPin(
        Array.from({ length: 20 }, () => pinned),
        result(1),
      ),
      false,
    );
    assert.equal(canPin([result(300, true)], result(300)), false);
  });

  it("take about as much memory as is measured", () => {
    const bytesOf = (rows: unknown[][]) =>
      new ResultInMemory(new SqlTable({ columns: ["id", "name", "score"], rows })).bytes;
    // A million such rows took 165 MB.
    const rows = Array.from({ length: 20_000 }, (_, at) => [at, `row ${at}`, at % 1_000]);
    const million = (bytesOf(rows) * 50) / megabyte;
    assert.ok(million > 100 && million < 250, String(million));
    const text = "x".repeat(1_000);
    const long = bytesOf(Array.from({ length: 2_000 }, () => [1, text, 2]));
    assert.ok(long > 2 * megabyte && long < 3 * megabyte, String(long));
    assert.equal(bytesOf([]), 0);
  });
});
