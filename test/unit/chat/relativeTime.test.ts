// How long ago a stored conversation was.
import assert from "node:assert/strict";
import { formatRelativeTime } from "../../../src/chat/relativeTime.ts";

describe("Relative time", () => {
  it("uses the largest whole unit, in the user's language", () => {
    const now = Date.UTC(2026, 5, 15);
    const seconds = (count: number) => formatRelativeTime(now - count * 1000, now, "en");
    assert.equal(seconds(-5), "now");
    assert.equal(seconds(59), "now");
    assert.equal(seconds(60), "1 minute ago");
    assert.equal(seconds(2 * 3600 + 3599), "2 hours ago");
    assert.equal(seconds(86_400), "yesterday");
    assert.equal(seconds(10 * 86_400), "last week");
    assert.equal(seconds(800 * 86_400), "2 years ago");
    assert.equal(formatRelativeTime(now - 180_000, now, "de"), "vor 3 Minuten");
  });
});
