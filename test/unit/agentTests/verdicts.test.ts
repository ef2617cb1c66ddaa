import assert from "node:assert/strict";
import { cases, checkVerdicts, recorded, verdicts } from "./recordedVerdicts.ts";

describe(`verdicts, beside promptfoo ${recorded.promptfoo}`, () => {
  it("are recorded for this matrix", () => {
    assert.equal(cases.length, recorded.cases);
    assert.equal(verdicts.length, recorded.cases);
    assert.ok(cases.length > 5_000);
    for (const letter of "PFE") assert.ok(verdicts.some((verdict) => verdict.startsWith(letter)));
  });

  it("are the same in every eighth case", () => checkVerdicts((at) => at % 8 === 0));
});
