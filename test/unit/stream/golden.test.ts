// Every recorded stream gives the transcript that lies in test/fixtures/transcripts; UPDATE_GOLDENS=1 writes them anew.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { emptyTranscript, outcome, reduce, type Run } from "../../../src/chat/transcript.ts";
import { readSteps } from "../../../src/mindsdb/stream/read.ts";
import { bodyOf, recordedStreams } from "./recorded.ts";
import { renderRun } from "./render.ts";

const folder = path.resolve(import.meta.dirname, "../../fixtures/transcripts");
const update = process.env["UPDATE_GOLDENS"] === "1";

/** Asks a question and takes this body for the answer, as the chat does; the clock stands still. */
async function runOf(question: string, body: AsyncIterable<Uint8Array>): Promise<Run> {
  const agent = { connectionId: "c", connection: "local", project: "mindsdb", name: "agent" };
  const transcript = emptyTranscript({ chatId: "chat", agent });
  reduce(transcript, { type: "asked", run: 1, question, startedAt: 0 });
  const [run] = transcript.runs;
  assert.ok(run);
  let failure: unknown;
  try {
    for await (const event of readSteps(body)) {
      reduce(transcript, { type: "stepped", run: 1, at: 0, event });
    }
  } catch (error) {
    failure = error;
  }
  reduce(transcript, { type: "ended", run: 1, at: 0, ...outcome(run, failure) });
  return run;
}

describe("recorded streams", () => {
  for (const { name, question = "", bytes } of recordedStreams) {
    it(`gives the golden transcript of ${name}`, async () => {
      const file = path.join(folder, `${name}.txt`);
      const text = renderRun(await runOf(question, bodyOf([bytes])));
      if (update) {
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, text);
      }
      assert.equal(text, fs.readFileSync(file, "utf8"));
    });
  }

  it("has a stream for every golden transcript", () => {
    const goldens = fs
      .globSync("*/*.txt", { cwd: folder })
      .map((file) => file.replace(/\.txt$/, ""));
    assert.deepEqual(goldens.sort(), recordedStreams.map(({ name }) => name).sort());
  });
});
