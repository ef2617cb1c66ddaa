import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { isCancelled } from "../../../../src/mindsdb/errors.ts";
import type { ResultView } from "../../../../src/predict/messages.ts";
import type { RowOrder } from "../../../../src/predict/result/rowTable.ts";
import type { ResultTable } from "../../../../src/predict/result/resultTable.ts";
import { ViewOrders } from "../../../../src/predict/result/viewOrders.ts";

const byFirst: ResultView = { sort: { column: 0, descending: false } };
const bySecond: ResultView = { sort: { column: 1, descending: false } };

/** A result whose orders come when the test says so. */
class TestResult {
  isRunning = false;
  length = 10;
  asked: { view: ResultView; signal: AbortSignal; give: () => void; fail: () => void }[] = [];

  get table(): ResultTable {
    const { length } = this;
    const order = (view: ResultView, signal?: AbortSignal) =>
      new Promise<RowOrder>((resolve, reject) => {
        signal!.addEventListener("abort", () => reject(signal!.reason as Error));
        const give = (): void => resolve(new Uint32Array(length));
        const fail = (): void => reject(new Error("The disk is gone."));
        this.asked.push({ view, signal: signal!, give, fail });
      });
    return { columns: [], length, order } as unknown as ResultTable;
  }
}

describe("orders of a result's views", () => {
  let result: TestResult;
  let orders: ViewOrders;
  beforeEach(() => {
    result = new TestResult();
    orders = new ViewOrders(result);
  });
  afterEach(() => orders.dispose());

  it("are undefined for all rows in the original order", async () => {
    assert.equal(await orders.order("a", {}), undefined);
    assert.equal(await orders.order("a", { find: "", refusedOnly: false }), undefined);
    assert.equal(result.asked.length, 0);
  });

  it("are computed once for all viewers", async () => {
    const asked = [orders.order("a", byFirst), orders.order("b", byFirst)];
    result.asked[0]!.give();
    const [one, other] = await Promise.all(asked);
    assert.equal(one?.length, 10);
    assert.equal(one, other);
    assert.equal(await orders.order("a", { ...byFirst }), one);
    assert.equal(result.asked.length, 1);
  });

  it("are cancelled when their viewer requests another one, unless another viewer waits for them", async () => {
    const first = orders.order("a", byFirst);
    const shared = orders.order("b", byFirst);
    const second = orders.order("a", bySecond);
    assert.equal(result.asked[0]!.signal.aborted, false);
    result.asked[0]!.give();
    assert.equal((await first)?.length, 10);
    assert.equal((await shared)?.length, 10);
    const rejected = assert.rejects(second, isCancelled);
    void orders.order("a", {});
    assert.equal(result.asked[1]!.signal.aborted, true);
    await rejected;
  });

  it("are computed again when there are more rows; in a running result only at intervals", async () => {
    result.isRunning = true;
    const first = orders.order("a", byFirst);
    result.asked[0]!.give();
    await first;
    await sleep(0);
    result.length = 20;
    assert.equal(await orders.order("a", byFirst), await first);
    result.isRunning = false;
    const whole = orders.order("a", byFirst);
    assert.equal(result.asked.length, 2);
    result.asked[1]!.give();
    assert.equal((await whole)?.length, 20);
  });

  it("are computed again after a failure", async () => {
    const failed = orders.order("a", byFirst);
    result.asked[0]!.fail();
    await assert.rejects(failed, /disk/);
    const again = orders.order("a", byFirst);
    result.asked[1]!.give();
    assert.equal((await again)?.length, 10);
  });

  it("are kept for four viewers, and cancelled at the end", async () => {
    const given = ["a", "b", "c", "d", "e"].map((viewer) => orders.order(viewer, { find: viewer }));
    const settled = Promise.allSettled(given);
    const aborted = (): boolean[] => result.asked.map(({ signal }) => signal.aborted);
    assert.deepEqual(aborted(), [true, false, false, false, false]);
    orders.dispose();
    assert.deepEqual(aborted(), [true, true, true, true, true]);
    await settled;
  });
});
