// A test file is changed so that promptfoo can run it, and means the same afterwards.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import type { Shell } from "../../../src/shared/shells.ts";
import { writePromptfooCommand } from "../../../src/agentTests/promptfoo/promptfooCommand.ts";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";
import { useProviderFile } from "../../../src/agentTests/promptfoo/useProviderFile.ts";

const tests = `prompts: ["{{question}}"]
tests:
  # About Rome.
  - vars: { question: q }
    assert: [{ type: contains, value: Rome }]
`;
const file = "file://mindsdb-provider.mjs";

function summarize(text: string): unknown {
  return readTestFile(text).tests.map(({ name, agent, assertions }) => {
    const { kind, project, name: item, connection, limit } = agent;
    return { name, kind, project, item, connection, limit, count: assertions.length };
  });
}

describe("a test file for promptfoo", () => {
  const written: [what: string, providers: string][] = [
    ["a list in one line", "providers: ['mindsdb:a/b', \"mindsdb:c/d/e\"]\n"],
    ["a list with a comment", "providers:\n  - mindsdb:a/b # the agent\n"],
    ["one text", "providers: mindsdb:a/b\n"],
    [
      "a map over several lines",
      "providers:\n  - id: mindsdb:a/b\n    config:\n      connection: Local\n  - mindsdb:c/d\n",
    ],
    [
      "a knowledge base",
      "providers: [{ id: 'mindsdb-search:a/b', config: { connection: x, limit: 5 } }]\n",
    ],
  ];
  for (const [what, providers] of written) {
    it(`names the provider file in ${what}, and nothing else changes`, () => {
      const before = providers + tests;
      const after = useProviderFile(before);
      assert.ok(after);
      assert.deepEqual(readTestFile(after).problems, []);
      assert.deepEqual(summarize(after), summarize(before));
      assert.equal(after.split(file).length, readTestFile(before).tests.length + 1);
      assert.ok(after.endsWith(tests), after);
      assert.equal(before.includes("# the agent"), after.includes("# the agent"));
      assert.equal(useProviderFile(after), after);
    });
  }

  it("has promptfoo's tracing where an assertion is about tools", () => {
    const text = `providers: ['mindsdb:a/b']\n${tests.replace("contains, value: Rome", "assert-set, assert: [{type: 'trajectory:tool-used', value: sql}]")}`;
    const after = useProviderFile(text);
    assert.match(after ?? "", /\ntracing: \{ enabled: true/);
    assert.equal(useProviderFile(after ?? ""), after);
  });

  it("is left alone if it has problems, or is not about MindsDB", () => {
    for (const text of [
      `providers: ['openai:gpt']\n${tests}`,
      `providers: ['mindsdb:a']\n${tests}`,
      `providers: ['mindsdb:a/b']\n${tests}    vars: 1\n`,
      "",
    ]) {
      assert.equal(useProviderFile(text), undefined, text);
    }
  });

  it("accepts no other file as a provider", () => {
    for (const id of [
      "file://other.mjs",
      "file://mindsdb-provider.mjs.js",
      "file://x:mindsdb-provider.mjs",
    ]) {
      const text = `providers: [{id: '${id}', config: {provider: 'mindsdb:a/b'}}]\n${tests}`;
      assert.equal(readTestFile(text).isOurs, false, id);
    }
  });
});

describe("the command for promptfoo", () => {
  it("asks one question at a time, and takes any file name as a name", () => {
    const start = "npx promptfoo@0.123 eval -j 1 -c ";
    assert.equal(
      writePromptfooCommand("a b.agent-test.yaml", "posix"),
      `${start}"a b.agent-test.yaml"`,
    );
    const names = ['a"; touch b; ".yaml', "$(touch b).yaml", "`touch b`.yaml", "it's.yaml"];
    for (const name of names) {
      const words = execFileSync("sh", [
        "-c",
        `printf '%s\\n' ${writePromptfooCommand(name, "posix")!.slice(start.length)}`,
      ]);
      assert.equal(words.toString(), `${name}\n`);
    }
  });

  it("gives the provider the sample server with its token from the environment", () => {
    const server = { address: "http://127.0.0.1:7", variable: "T" };
    const write = (shell: Shell, address = server.address) =>
      writePromptfooCommand("a.yaml", shell, { ...server, address });
    const script = write("posix")!.replace(/ npx .*/, " env");
    const given = execFileSync("sh", ["-c", script], {
      env: { T: "0123", PATH: process.env["PATH"] },
    });
    assert.match(given.toString(), /^MINDSDB_URL=http:\/\/127\.0\.0\.1:7$/m);
    assert.match(given.toString(), /^MINDSDB_TOKEN=0123$/m);
    assert.equal(
      write("powershell"),
      "$env:MINDSDB_URL='http://127.0.0.1:7'; $env:MINDSDB_TOKEN=$env:T; npx promptfoo@0.123 eval -j 1 -c \"a.yaml\"",
    );
    assert.equal(
      write("cmd"),
      'set "MINDSDB_URL=http://127.0.0.1:7" & set "MINDSDB_TOKEN=%T%" & npx promptfoo@0.123 eval -j 1 -c "a.yaml"',
    );
    assert.equal(write("posix", "http://h/$(touch b)"), undefined);
  });
});
