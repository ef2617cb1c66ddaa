// Compares the transcript of every recorded stream and the error of every error body with test/fixtures/transcripts.
// UPDATE_GOLDENS=1 rewrites these files, for review.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { errorFromResponse } from "../../../../src/mindsdb/http/httpResponse.ts";
import { bodyOf, recordedBodies, recordedErrors, recordedStreams, toText } from "./recorded.ts";
import { renderRun } from "./render.ts";
import { runOf } from "./runOf.ts";

const folder = path.resolve(import.meta.dirname, "../../../fixtures/transcripts");
const update = process.env["UPDATE_GOLDENS"] === "1";

/** Asserts that a text equals the golden file of this name, or rewrites the file. */
function assertGolden(name: string, text: string): void {
  const file = path.join(folder, `${name}.txt`);
  if (update) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  assert.equal(text, fs.readFileSync(file, "utf8"));
}

describe("recorded streams", () => {
  for (const { name, question = "", bytes } of recordedStreams) {
    it(`match the golden transcript of ${name}`, async () => {
      assertGolden(name, renderRun(await runOf(question, bodyOf([bytes]))));
    });
  }

  for (const { name, status, contentType, bytes } of recordedErrors) {
    it(`match the error of ${name}`, () => {
      const { kind, message } = errorFromResponse(status, contentType ?? "", toText(bytes));
      assertGolden(name, `Error, ${kind}: ${message}\n`);
    });
  }

  it("exist for every golden file", () => {
    const goldens = fs
      .globSync("*/*.txt", { cwd: folder })
      .map((file) => file.replace(/\.txt$/, ""));
    assert.deepEqual(goldens.sort(), recordedBodies.map(({ name }) => name).sort());
  });
});
