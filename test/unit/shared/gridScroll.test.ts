// The scroll position of a grid, also if the rows are taller than the tallest element of a browser.
import assert from "node:assert/strict";
import fc from "fast-check";
import { GridScroll } from "../../../src/shared/page/grid/gridScroll.ts";

const rowHeight = 24;
const view = 380;
const many = 5_000_000;

function scrollOf(rows: number): GridScroll {
  const scroll = new GridScroll(rowHeight);
  scroll.resize(rows, view);
  return scroll;
}

/** The rows whose upper edge is visible at the scroll position that the grid sets. */
function inView(scroll: GridScroll): { first: number; last: number } {
  const { from, to } = scroll.drawn;
  const { position } = scroll;
  const rows = Array.from({ length: to - from }, (_, at) => from + at).filter((row) => {
    const top = scroll.top(row, position) - position;
    return top >= -0.01 && top + rowHeight <= view + 0.01;
  });
  return { first: rows[0]!, last: rows.at(-1)! };
}

describe("Scrolling a grid", () => {
  it("is the browser's own while the rows fit into an element", () => {
    const scroll = scrollOf(1_000);
    assert.equal(scroll.isShortened, false);
    assert.equal(scroll.height, 24_000);
    scroll.scrolledTo(240);
    assert.deepEqual(inView(scroll), { first: 10, last: 24 });
    assert.equal(scroll.top(10, 240), 240);
  });

  it("reaches the last of many rows at the scrollbar's end, and the first at its start", () => {
    const scroll = scrollOf(many);
    assert.ok(scroll.isShortened && scroll.height < 17_000_000);
    scroll.scrolledTo(scroll.height - view);
    assert.equal(inView(scroll).last, many - 1);
    scroll.scrolledTo(0);
    assert.equal(inView(scroll).first, 0);
  });

  it("shows any row, and scrolls by pixels of rows from any position", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: many }),
        fc.nat(many),
        fc.array(fc.integer({ min: -3_000, max: 3_000 }), { maxLength: 20 }),
        (rows, wanted, steps) => {
          const row = Math.min(wanted, rows - 1);
          const scroll = scrollOf(rows);
          scroll.show(row);
          const { first, last } = inView(scroll);
          assert.ok(first <= row && row <= last, `${first} ${row} ${last}`);
          let top = scroll.top(row, scroll.position) - scroll.position;
          for (const step of steps) {
            scroll.moveBy(step);
            // The browser reports a rounded position, which must not scroll.
            if (scroll.isShortened) scroll.scrolledTo(Math.round(scroll.position));
            const moved = top - (scroll.top(row, scroll.position) - scroll.position);
            const isAtEnd = inView(scroll).first === 0 || inView(scroll).last === rows - 1;
            if (!isAtEnd) assert.ok(Math.abs(moved - step) < 0.01, `${moved} ${step}`);
            top -= moved;
          }
          assert.ok(scroll.position >= 0 && scroll.position <= Math.max(0, scroll.height - view));
        },
      ),
    );
  });

  it("keeps the visible rows when rows are added, also beyond the browser's maximum height", () => {
    const scroll = scrollOf(600_000);
    scroll.show(300_000);
    const before = inView(scroll);
    scroll.resize(many, view);
    assert.deepEqual(inView(scroll), before);
  });
});
