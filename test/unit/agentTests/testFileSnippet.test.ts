import assert from "node:assert/strict";
import { readTestFile } from "../../../src/agentTests/readTestFile.ts";
import { testFileSnippet } from "../../../src/agentTests/testFileSnippet.ts";

describe("The whole test file that completion offers", () => {
  it("is a test as it stands", () => {
    const { tests, problems } = readTestFile(testFileSnippet.replace(/\$\{\d:([^}]*)\}/g, "$1"));
    assert.deepEqual(problems, []);
    assert.deepEqual(
      tests.map(({ agent, question, assertions }) => [
        `${agent.project}/${agent.name}`,
        question,
        assertions.map(({ type, value }) => [type, value]),
      ]),
      [["mindsdb/my_agent", "Question", [["icontains", "text"]]]],
    );
  });
});
