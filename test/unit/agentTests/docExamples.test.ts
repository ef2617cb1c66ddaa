// The test files in docs/agent-tests.md pass on the sample server, as they stand.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";
import { runTest } from "../../../src/agentTests/runs/runTests.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { askAsTests } from "../../askAsTests.ts";
import { clientOver } from "../../clientOver.ts";
import { SampleClient } from "../sample/client.ts";

const docs = path.resolve(import.meta.dirname, "..", "..", "..", "docs", "agent-tests.md");
const blocks = Array.from(
  fs.readFileSync(docs, "utf8").matchAll(/```yaml\n([^]*?)```/g),
  ([, yaml = ""]) => yaml,
);

describe("The test files of the documentation", () => {
  const sample = new SampleClient();
  before(() => sample.start());
  after(() => sample.stop());

  it("are two: of an agent, and of a search", () => assert.equal(blocks.length, 2));

  for (const [at, yaml] of blocks.entries()) {
    it(`pass: ${yaml.split("\n")[0] ?? at}`, async () => {
      const { tests, problems } = readTestFile(yaml);
      assert.deepEqual(problems, []);
      assert.ok(tests.length > 0);
      const transport = createTransport(parseAddress(sample.server.url));
      const ask = askAsTests(clientOver(transport));
      for (const test of tests) {
        const { state, attempts } = await runTest(test, ask, new AbortController().signal);
        assert.equal(state, "passed", JSON.stringify(attempts.map(({ results }) => results)));
      }
    });
  }
});
