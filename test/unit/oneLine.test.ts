// What a list of conversations says of each: its question in one line, and how long ago it was.
import assert from "node:assert/strict";
import { oneLine } from "../../src/shared/oneLine.ts";
import { timeAgo } from "../../src/chat/timeAgo.ts";

describe("A kept conversation's line", () => {
  it("is one line, and no longer than asked for", () => {
    assert.equal(oneLine("  What\n\n does it\tcost? ", 40), "What does it cost?");
    assert.equal(oneLine("x".repeat(40), 40), "x".repeat(40));
    assert.equal(oneLine("x".repeat(41), 40), `${"x".repeat(39)}…`);
    assert.equal(oneLine("one two three", 9), "one two…");
    assert.equal(oneLine("ab😀cd", 4), "ab…");
  });

  it("says the time in the largest whole unit", () => {
    const now = Date.UTC(2026, 5, 15);
    const seconds = (count: number) => timeAgo(now - count * 1000, now, "en");
    assert.equal(seconds(-5), "now");
    assert.equal(seconds(59), "now");
    assert.equal(seconds(60), "1 minute ago");
    assert.equal(seconds(2 * 3600 + 3599), "2 hours ago");
    assert.equal(seconds(86_400), "yesterday");
    assert.equal(seconds(10 * 86_400), "last week");
    assert.equal(seconds(800 * 86_400), "2 years ago");
    assert.equal(timeAgo(now - 180_000, now, "de"), "vor 3 Minuten");
  });
});
