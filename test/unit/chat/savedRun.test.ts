// Saved runs: every recorded stream, saved and replayed, gives its golden transcript; files of others are refused.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { formatFrame, parseFrames, type TimedFrame } from "../../../src/chat/rawEvents.ts";
import {
  formatSavedRun,
  parseSavedRun,
  replaySavedRun,
  savedRunHead,
  type RunToSave,
} from "../../../src/chat/savedRun.ts";
import { emptyTranscript, reduce, type AgentRun } from "../../../src/chat/transcript.ts";
import { readSteps } from "../../../src/mindsdb/stream/readSteps.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";
import { bodyOf, recordedStreams } from "../mindsdb/stream/recorded.ts";
import { renderRun } from "../mindsdb/stream/render.ts";
import { runOf } from "../mindsdb/stream/runOf.ts";

const goldens = path.resolve(import.meta.dirname, "../../fixtures/transcripts");
const agent = {
  connectionId: "c",
  connection: "Rentals",
  project: "mindsdb",
  name: "rental_agent",
};

async function framesOf(bytes: Uint8Array): Promise<TimedFrame[]> {
  const frames: TimedFrame[] = [];
  const onFrame = (data: string): void => void frames.push({ at: frames.length * 10, data });
  try {
    for await (const event of readSteps(bodyOf([bytes]), { onFrame })) void event;
  } catch {
    // Cut off, as recorded.
  }
  return frames;
}

/** Goes through the text forms of raw events and of the file. */
function saveAndReplay(given: Partial<RunToSave> & { run: AgentRun }): AgentRun {
  const frames = given.frames && parseFrames(given.frames.map(formatFrame).join(""));
  const text = formatSavedRun({ agent, serverVersion: "26.1.0", ...given, frames }, (all) => all);
  const saved = parseSavedRun(text);
  if (typeof saved === "string") throw new Error(saved);
  const transcript = emptyTranscript({ chatId: "saved", agent: savedRunHead(saved) });
  for (const event of replaySavedRun(saved)) reduce(transcript, event);
  return transcript.runs[0]!;
}

describe("A saved run", () => {
  for (const { name, question = "", bytes } of recordedStreams) {
    it(`replays ${name} as it was`, async () => {
      const golden = fs.readFileSync(path.join(goldens, `${name}.txt`), "utf8");
      const run = await runOf(question, bodyOf([bytes]));
      const frames = await framesOf(bytes);
      assert.ok(frames.length > 0);
      assert.equal(renderRun(saveAndReplay({ run, frames })), golden);
      // Without the stream's events, what was made of them is shown.
      assert.equal(renderRun(saveAndReplay({ run, frames: undefined })), golden);
    });
  }

  it("keeps the times of the stream's events", () => {
    const frame = (at: number, content: string) => ({
      at,
      data: JSON.stringify({ type: "context", content }),
    });
    const run: AgentRun = {
      id: 7,
      question: "Why?",
      startedAt: 5,
      state: "stopped",
      took: 900,
      steps: [],
    };
    const frames = [
      frame(120.4, "Creating execution plan..."),
      frame(700, "Proposed Execution Plan:\n1."),
    ];
    const replayed = saveAndReplay({ run, frames });
    assert.deepEqual(
      replayed.steps.map(({ at, until }) => [at, until]),
      [[120, 900]],
    );
    assert.deepEqual([replayed.state, replayed.took, replayed.startedAt], ["stopped", 900, 5]);
  });

  it("keeps the chat's own sentence about a failure", () => {
    const frames = [
      { at: 1, data: JSON.stringify({ error: "Traceback (most recent call last): ..." }) },
    ];
    const run: AgentRun = {
      id: 1,
      question: "Why?",
      startedAt: 0,
      state: "failed",
      took: 2,
      steps: [],
      reason: "The agent failed.",
      detail: "Traceback",
    };
    const { reason, detail, state } = saveAndReplay({ run, frames });
    assert.deepEqual(
      { reason, detail, state },
      { reason: "The agent failed.", detail: "Traceback", state: "failed" },
    );
  });

  it("has no secret that was learned after the run", async () => {
    const secrets = new Secrets();
    secrets.add("rental_agent_secret_0815");
    const run = await runOf("rental_agent_secret_0815?", bodyOf([]));
    const frames = [{ at: 1, data: '{"type":"data","text":"rental_agent_secret_0815"}' }];
    const redact = (all: string): string => secrets.redact(all);
    const text = formatSavedRun({ run, agent, serverVersion: undefined, frames }, redact);
    assert.ok(!text.includes("0815"), text);
  });

  it("is refused in one sentence if it is broken, foreign or newer", () => {
    const good = JSON.parse(
      formatSavedRun(
        {
          run: { id: 1, question: "?", startedAt: 0, state: "answered", took: 1, steps: [] },
          agent,
          serverVersion: undefined,
          frames: [],
        },
        (text) => text,
      ),
    ) as Record<string, unknown>;
    const refusal = (change: object): unknown =>
      parseSavedRun(JSON.stringify({ ...good, ...change }));
    const values = Array.from({ length: 2_000_001 }, () => 0);
    assert.equal(
      typeof parseSavedRun(JSON.stringify({ ...good, more: values.slice(9_000) })),
      "object",
    );
    assert.equal(typeof parseSavedRun(JSON.stringify({ ...good, more: values })), "string");
    const problem = (text: string): string => {
      const read = parseSavedRun(text);
      return typeof read === "string" ? read : "";
    };
    assert.equal(typeof refusal({}), "object");
    assert.match(problem("{"), /not JSON/);
    assert.match(problem("[1]"), /not a saved run of/);
    assert.match(String(refusal({ version: 2 })), /newer version/);
    assert.equal(
      refusal({ frames: [{ at: -1, data: "" }] }),
      "This saved run is damaged at “frames.0.at”.",
    );
    assert.match(String(refusal({ frames: [{ at: 2 ** 31, data: "" }] })), /damaged/);
    const frames = Array(50_001).fill({ at: 1, data: "" });
    assert.equal(typeof refusal({ frames: frames.slice(1) }), "object");
    assert.equal(refusal({ frames }), "This saved run is damaged at “frames”.");
    assert.match(String(refusal({ steps: [{ kind: "<img>" }] })), /damaged at “steps\.0/);
    // Texts, times that JavaScript cannot read, and those that do not fit into a trace.
    for (const startedAt of [
      "yesterday",
      "2026-01-01T00:00:00+05",
      "1969-12-31T23:59:59Z",
      "9999-12-31T00:00:00Z",
    ]) {
      assert.match(String(refusal({ startedAt })), /damaged at “startedAt”/, startedAt);
    }
  });
});

describe("Raw events", () => {
  it("are read again from their text, or not at all", () => {
    const frames = [
      { at: 0, data: "" },
      { at: 12, data: '{"a": "b\\n"}' },
      { at: 13, data: "two\nlines" },
    ];
    const text = frames.map(formatFrame).join("");
    assert.deepEqual(parseFrames(text), frames);
    assert.equal(parseFrames(`${text}: Truncated.\n`), undefined);
    assert.equal(parseFrames('data: {"of": "an older version"}\n\n'), undefined);
  });
});
