// However the bytes of a stream are cut, and whichever line ends they have, the same events come out.
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { createFrameParser } from "../../../../src/mindsdb/stream/frameParser.ts";
import { readSteps } from "../../../../src/mindsdb/stream/readSteps.ts";
import { StepNormalizer } from "../../../../src/mindsdb/stream/stepNormalizer.ts";
import type { StepEvent } from "../../../../src/mindsdb/stream/stepEvents.ts";
import "../../seed.ts";
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
function eventsOf(pieces: readonly Uint8Array[]): string {
  const normaliser = new StepNormalizer();
  return JSON.stringify(framesOf(pieces).flatMap((frame) => normaliser.read(frame)));
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

describe("a stream in chunks", function () {
  this.timeout(60_000);

  for (const { name, bytes } of distinctStreams) {
    const expected = eventsOf([bytes]);

    it(`is the same with any one split of ${name}`, () => {
      for (const [variant, changed] of variantsOf(bytes)) {
        for (let at = 0; at <= changed.length; at++) {
          const where = () => `${variant}, cut at ${String(at)}`;
          const got = eventsOf(cutAt(changed, [at]));
          if (got !== expected) assert.equal(got, expected, where());
        }
      }
    });

    if (bytes.length < shortLength) {
      it(`is the same with any two splits of ${name}`, () => {
        for (let first = 0; first <= bytes.length; first++) {
          for (let second = first; second <= bytes.length; second++) {
            const got = eventsOf(cutAt(bytes, [first, second]));
            if (got !== expected) {
              assert.equal(got, expected, `cut at ${String(first)} and ${String(second)}`);
            }
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
            assert.equal(eventsOf(pieces), expected);
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
