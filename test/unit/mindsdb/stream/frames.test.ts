import assert from "node:assert/strict";
import { isAppError } from "../../../../src/mindsdb/errors.ts";
import { createFrameParser, maxFrameLength } from "../../../../src/mindsdb/stream/frameParser.ts";
import { toBytes } from "./recorded.ts";

function parse(pieces: string | Iterable<Uint8Array>): string[] {
  const frames: string[] = [];
  const parser = createFrameParser((frame) => frames.push(frame));
  for (const piece of typeof pieces === "string" ? [toBytes(pieces)] : pieces) parser.feed(piece);
  parser.finish();
  return frames;
}

function* slices(bytes: Uint8Array, length: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

describe("frames of an event stream", () => {
  it("are the events' data", () => {
    assert.deepEqual(parse('data: {"a": 1}\n\ndata:{"b": 2}\n\n'), ['{"a": 1}', '{"b": 2}']);
  });

  it("join the data lines of one event", () => {
    assert.deepEqual(parse('data: {"a":\ndata: 1}\n\n'), ['{"a":\n1}']);
  });

  it("exclude comments, other fields and invalid lines", () => {
    const text = ": ping\n\nevent: x\nid: 7\nretry: 10\ndata: 1\n\nnonsense\n\n:\ndata: 2\n\n";
    assert.deepEqual(parse(text), ["1", "2"]);
  });

  it("can follow a byte order mark, even if it is split", () => {
    assert.deepEqual(parse("\uFEFFdata: 1\n\n"), ["1"]);
    assert.deepEqual(parse(slices(toBytes("\uFEFFdata: 1\n\n"), 1)), ["1"]);
    assert.deepEqual(parse("\uFEFFdata: \uFEFF1\n\n"), ["\uFEFF1"], "only the first is a mark");
    assert.deepEqual(parse("\uFEFF\uFEFFdata: 1\n\ndata: 2\n\n"), ["2"], "only one is a mark");
  });

  it("end with any line ending, mixed or split", () => {
    const text = "data: 1\r\n\r\ndata: 2\r\rdata: 3\n\ndata: 4\r\n\ndata: 5\n\r\n";
    assert.deepEqual(parse(text), ["1", "2", "3", "4", "5"]);
    assert.deepEqual(parse(slices(toBytes(text), 1)), ["1", "2", "3", "4", "5"]);
  });

  it("include the last one without a blank line or line ending", () => {
    assert.deepEqual(parse("data: 1\n\ndata: 2\n"), ["1", "2"]);
    assert.deepEqual(parse("data: 1\n\ndata: 2"), ["1", "2"]);
    assert.deepEqual(parse("data: 1\n\ndata: 2\r"), ["1", "2"]);
  });

  it("replace a truncated character with a replacement character", () => {
    assert.deepEqual(parse([toBytes("data: ü").subarray(0, -1)]), ["\uFFFD"]);
  });

  it("do not split characters of any length", () => {
    const text = 'data: "aü東🏠"\n\n';
    assert.deepEqual(parse(slices(toBytes(text), 1)), ['"aü東🏠"']);
  });

  it("are passed on as soon as their blank line arrives", () => {
    const frames: string[] = [];
    const parser = createFrameParser((frame) => frames.push(frame));
    parser.feed(toBytes("data: 1\n\nda"));
    assert.deepEqual(frames, ["1"]);
    parser.feed(toBytes("ta: 2\r\n\r"));
    assert.deepEqual(frames, ["1", "2"]);
  });

  it("can have 16 MB, in chunks of any size", () => {
    const observation = "x".repeat(16 * 1024 * 1024);
    const bytes = toBytes(`data: ${observation}\n\n`);
    for (const length of [100, 16_384, 1_000_003, bytes.length]) {
      const [frame] = parse(slices(bytes, length));
      assert.ok(frame === observation, `in pieces of ${String(length)}`);
    }
  });

  describe("over the limit", () => {
    const largest = "x".repeat(maxFrameLength);
    const tooLarge = (error: unknown) => isAppError(error, "tooLarge");

    for (const [way, length] of [
      ["at once", 2 * maxFrameLength],
      ["in pieces", 1_000_003],
    ] as const) {
      it(`fail ${way}, but not one character below`, () => {
        const text = (data: string) => toBytes(`data: 1\n\ndata: ${data}\n\ndata: 2\n\n`);
        assert.equal(parse(slices(text(largest), length)).length, 3);
        assert.throws(() => parse(slices(text(largest + "x"), length)), tooLarge);
      });
    }

    it("do not fail if only their end is missing", () => {
      const pieces = [toBytes(`data: ${largest}`), toBytes("\n\n")];
      assert.deepEqual(
        parse(pieces).map(({ length }) => length),
        [maxFrameLength],
      );
    });

    it("fail if many lines add up to the limit", () => {
      const line = toBytes(`data: ${"x".repeat(1_000_000)}\n`);
      assert.throws(() => parse(Array<Uint8Array>(34).fill(line)), tooLarge);
    });

    it("fail after the frames before them were passed on, and keep failing", () => {
      const frames: string[] = [];
      const parser = createFrameParser((frame) => frames.push(frame));
      assert.throws(() => {
        parser.feed(toBytes(`data: 1\n\ndata: ${largest}x\n\ndata: 2\n\n`));
      }, tooLarge);
      assert.deepEqual(frames, ["1"]);
      assert.throws(() => {
        parser.finish();
      }, tooLarge);
      assert.deepEqual(frames, ["1"]);
    });

    it("keep failing while they are incomplete", () => {
      const parser = createFrameParser(() => assert.fail("it is not whole"));
      const feed = (text: string) => () => {
        parser.feed(toBytes(text));
      };
      assert.throws(feed(`data: ${largest}x`), tooLarge);
      assert.throws(feed("x"), tooLarge);
      assert.throws(() => {
        parser.finish();
      }, tooLarge);
    });
  });
});
