import { checkVerdicts, recorded } from "./recordedVerdicts.ts";

describe(`verdicts, beside promptfoo ${recorded.promptfoo}`, () => {
  it("are the same in all cases but every eighth, which the fast tests have", () =>
    checkVerdicts((at) => at % 8 !== 0));
});
