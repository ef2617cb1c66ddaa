// Which rows a grid has, and which it requests.
import assert from "node:assert/strict";
import { GridRows, windowRows } from "../../../src/shared/page/grid/gridRows.ts";

describe("The rows of a grid", () => {
  let asked: [from: number, count: number][] = [];
  let rows: GridRows<string>;

  /** The requests since the last call. */
  const news = (): number[] => asked.splice(0).map(([from]) => from);
  const window = (from: number, name: string, count = windowRows): void =>
    rows.set(
      from,
      Array.from({ length: count }, (_, at) => `${name} ${String(from + at)}`),
    );

  beforeEach(() => {
    asked = [];
    rows = new GridRows((from, count) => asked.push([from, count]));
    rows.setTotal(450);
  });

  it("are requested by window, each window once", () => {
    assert.equal(rows.at(250), undefined);
    assert.equal(rows.at(399), undefined);
    assert.deepEqual(asked, [[200, windowRows]]);
    window(200, "row");
    assert.equal(rows.at(399), "row 399");
    assert.equal(asked.length, 1);
  });

  it("stay while the last window, which was incomplete, is requested again", () => {
    window(0, "old");
    window(400, "old", 50);
    rows.setTotal(500);
    assert.equal(rows.at(0), "old 0");
    assert.deepEqual(news(), []);
    assert.equal(rows.at(449), "old 449");
    assert.equal(rows.at(450), undefined);
    assert.deepEqual(news(), [400]);
    window(400, "new", 100);
    assert.equal(rows.at(450), "new 450");
    assert.deepEqual(news(), []);
  });

  it("stay until newer ones arrive", () => {
    window(0, "old");
    rows.at(200);
    news();
    rows.renew();
    assert.equal(rows.at(0), "old 0");
    assert.equal(rows.at(200), undefined);
    assert.deepEqual(news(), [0, 200]);
    window(0, "new");
    assert.equal(rows.at(0), "new 0");
    assert.deepEqual(news(), []);
  });

  it("are removed when cleared, except for their number", () => {
    window(0, "row");
    rows.clear();
    assert.equal(rows.at(0), undefined);
    assert.deepEqual(news(), [0]);
    assert.equal(rows.total, 450);
  });
});
