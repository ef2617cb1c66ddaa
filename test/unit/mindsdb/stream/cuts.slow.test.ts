// However the bytes of a stream are cut, and whichever line ends they have, the same events come out.
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { createFrameParser } from "../../../../src/mindsdb/stream/frameParser.ts";
import { readSteps } from "../../../../src/mindsdb/stream/readSteps.ts";
import { StepNormalizer } from "../../../../src/mindsdb/stream/stepNormalizer.ts";
import type { StepEvent } from "../../../../src/mindsdb/stream/stepEvents.ts";
import { bodyOf, cutAt, distinctStreams, unescaped, withLineEnds } from "./recorded.ts";

/** Below this length every pair of cuts is tried, from it on random cuttings. */
const shortLength = 600;
const randomCuttings = 2000;

function framesOf(pieces: readonly Uint8Array[]): string[] {
  const frames: string[] = [];
  const parser = createFrameParser((frame) => frames.push(frame));
  for (const piece of pieces) parser.feed(piece);
  parser.finish();
  return frames;
}

/** As JSON text, which is quick to compare. */
function eventsOf(frames: readonly string[]): string {
  const normaliser = new StepNormalizer();
  return JSON.stringify(frames.flatMap((frame) => normaliser.read(frame)));
}

/** Fails unless the pieces of a stream give these frames, and so the same events. */
function assertFrames(
  pieces: readonly Uint8Array[],
  frames: readonly string[],
  where: () => string,
) {
  const got = framesOf(pieces);
  const isSame = got.length === frames.length && got.every((frame, at) => frame === frames[at]);
  if (!isSame) assert.deepEqual(got, frames, where());
}

/** The stream with each kind of line ending, and with unescaped characters. */
function variantsOf(bytes: Uint8Array): Map<string, Uint8Array> {
  const raw = unescaped(bytes);
  return new Map([
    ["as recorded", bytes],
    ["with CRLF", withLineEnds(bytes, "\r\n")],
    ["with CR", withLineEnds(bytes, "\r")],
    ["in UTF-8", raw],
    ["in UTF-8 with CRLF", withLineEnds(raw, "\r\n")],
  ]);
}

describe("a stream in chunks", () => {
  for (const { name, bytes } of distinctStreams) {
    const whole = framesOf([bytes]);
    const expected = eventsOf(whole);

    it(`is the same with any one split of ${name}`, () => {
      for (const [variant, changed] of variantsOf(bytes)) {
        const frames = framesOf([changed]);
        assert.equal(eventsOf(frames), expected, variant);
        for (let at = 0; at <= changed.length; at++) {
          assertFrames(cutAt(changed, [at]), frames, () => `${variant}, cut at ${String(at)}`);
        }
      }
    });

    if (bytes.length < shortLength) {
      it(`is the same with any two splits of ${name}`, () => {
        for (let first = 0; first <= bytes.length; first++) {
          for (let second = first; second <= bytes.length; second++) {
            const where = () => `cut at ${String(first)} and ${String(second)}`;
            assertFrames(cutAt(bytes, [first, second]), whole, where);
          }
        }
      });
    } else {
      it(`is the same with random splits of ${name}`, () => {
        const variants = [...variantsOf(bytes)].map(([variant, changed]) => ({ variant, changed }));
        const cutting = fc.constantFrom(...variants).chain(({ variant, changed }) =>
          fc.record({
            variant: fc.constant(variant),
            changed: fc.constant(changed),
            offsets: fc.array(fc.nat(changed.length), { maxLength: 30 }),
          }),
        );
        fc.assert(
          fc.property(cutting, ({ changed, offsets }) => {
            const pieces = cutAt(
              changed,
              offsets.sort((a, b) => a - b),
            );
            assert.equal(eventsOf(framesOf(pieces)), expected);
          }),
          { numRuns: randomCuttings },
        );
      });
    }

    it(`is the same byte by byte from a socket for ${name}`, async () => {
      for (const changed of variantsOf(bytes).values()) {
        const pieces = [...changed].map((byte) => Uint8Array.of(byte));
        const got: StepEvent[] = [];
        try {
          for await (const event of readSteps(bodyOf(pieces))) got.push(event);
        } catch (error) {
          assert.equal((error as { kind?: unknown }).kind, "cutOff");
        }
        assert.equal(JSON.stringify(got), expected);
      }
    });
  }
});
