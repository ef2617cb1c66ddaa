import assert from "node:assert/strict";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";
import { createTestFileSnippet } from "../../../src/agentTests/files/testFileSnippet.ts";

/** The text of a snippet with its proposals. */
function textOf(snippet: string): string {
  return snippet.replace(/\\([\\$}])|\$\{\d:([^}]*)\}/g, "$1$2");
}

describe("The whole test file to fill in", () => {
  for (const agent of [undefined, "shop/sales", 'odd/a "quoted" \\ $name}', "a/b$1"]) {
    it(`is a test as it stands, for ${agent ?? "an agent to fill in"}`, () => {
      const { tests, problems } = readTestFile(textOf(createTestFileSnippet(agent)));
      assert.deepEqual(problems, []);
      assert.deepEqual(
        tests.map(({ agent: { project, name }, question, assertions }) => [
          `${project}/${name}`,
          question,
          assertions.map(({ type, value }) => [type, value]),
        ]),
        [[agent ?? "mindsdb/my_agent", "Question", [["icontains", "text"]]]],
      );
    });
  }
});
