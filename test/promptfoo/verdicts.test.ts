// The same test files give the same verdicts in promptfoo, with the provider file that `Add promptfoo Provider…`
// writes, and in the Test Explorer's runner, on real servers.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { installPromptfoo, promptfooEnvironment } from "../../scripts/promptfoo.ts";
import type { AskAgent } from "../../src/agentTests/checks/agentOutcome.ts";
import { providerFileName } from "../../src/agentTests/promptfoo/providerFile.ts";
import { readTestFile } from "../../src/agentTests/files/readTestFile.ts";
import { runTest } from "../../src/agentTests/runs/runTests.ts";
import type { AssertionResult } from "../../src/agentTests/checks/verdict.ts";
import { useProviderFile } from "../../src/agentTests/promptfoo/useProviderFile.ts";
import { askAsTests } from "../askAsTests.ts";
import { connect, type Connection } from "../mindsdb/conversation.ts";
import { fixture, versions } from "../mindsdb/fixture.ts";
import { MODEL_API_KEY } from "../mindsdb/script.ts";
import {
  agentTests,
  missingAgentTests,
  missingKnowledgeBaseTests,
  searchTests,
} from "./testFiles.ts";

/** `state score assertions`, by the test's description and question; repetitions one after the other. */
type Verdicts = Record<string, string[]>;

/** A server of 25.14.1 loses the end of an answer now and then: then all is asked again, so often at most. */
const maxRounds = 3;

const workspace = fs.mkdtempSync(path.join(os.tmpdir(), "promptfoo-"));
after(() => fs.rmSync(workspace, { recursive: true, force: true }));

for (const version of versions) {
  describe(`promptfoo and MindsDB ${version}`, () => {
    let connection: Connection;
    before(async () => {
      connection = await connect(fixture(version).server.url);
      const provider = path.resolve(import.meta.dirname, "../../dist/promptfooProvider.js");
      fs.copyFileSync(provider, path.join(workspace, providerFileName));
    });
    after(() => connection.close());

    const cases = { agentTests, searchTests, missingAgentTests, missingKnowledgeBaseTests };
    for (const [name, written] of Object.entries(cases)) {
      it(`give the same verdicts: ${name}`, async function () {
        this.timeout(15 * 60_000);
        const file = path.join(workspace, `${name}.agent-test.yaml`);
        const withProvider = useProviderFile(written);
        assert.ok(withProvider !== undefined);
        fs.writeFileSync(file, withProvider);
        const ours = await untilNothingIsLost(() => runHere(withProvider, connection));
        const theirs = await untilNothingIsLost(() => runPromptfoo(file, version, connection));
        for (const [test, verdicts] of Object.entries(ours)) {
          const [expected] = test.split(":");
          for (const verdict of verdicts) assert.equal(verdict.split(" ")[0], expected, test);
        }
        assert.deepEqual(theirs, ours);
        console.log(`      ${String(Object.values(ours).flat().length)} verdicts`);
      });
    }
  });
}

async function untilNothingIsLost(run: () => Promise<Verdicts>): Promise<Verdicts> {
  for (let round = 1; ; round++) {
    const verdicts = await run();
    const isLost = Object.entries(verdicts).some(
      ([test, all]) => !test.startsWith("error:") && all.some((one) => one.startsWith("error")),
    );
    if (!isLost || round === maxRounds) return verdicts;
    console.log("      an answer was lost; once more");
  }
}

async function runHere(written: string, connection: Connection): Promise<Verdicts> {
  const { tests, problems } = readTestFile(written);
  assert.deepEqual(problems, []);
  const verdicts: Verdicts = {};
  for (const test of tests) {
    const { attempts } = await runTest(test, askHere(connection), new AbortController().signal);
    assert.ok(!JSON.stringify(attempts).includes(MODEL_API_KEY));
    const key = `${describeName(test.name)} | ${String(test.vars["question"])}`;
    verdicts[key] = [
      ...(verdicts[key] ?? []),
      ...attempts.map(({ state, score, results }) =>
        formatVerdict(state, score, listPasses(results)),
      ),
    ];
  }
  return verdicts;
}

/** A test of a matrix is named by its values too. */
function describeName(name: string): string {
  return name.split(": ").slice(0, 2).join(": ");
}

/** Like promptfoo, a set and then its members. */
function listPasses(results: readonly AssertionResult[]): boolean[] {
  return results.flatMap(({ isPassed, members = [] }) => [isPassed, ...listPasses(members)]);
}

function formatVerdict(state: string, score: number, assertions: boolean[]): string {
  if (state === "error") return "error";
  const passed = assertions.map((isPassed) => (isPassed ? "+" : "-")).join("");
  return `${state} ${score.toFixed(4)} ${passed}`;
}

function askHere({ client }: Connection): AskAgent {
  return askAsTests(client, (given) => given.replaceAll(MODEL_API_KEY, "***"));
}

interface PromptfooRow {
  testCase: { description: string };
  vars: { question: string };
  success: boolean;
  score: number;
  /** 2: an error. */
  failureReason: number;
  gradingResult?: { componentResults?: { pass: boolean; assertion?: { type: string } | null }[] };
}

async function runPromptfoo(
  file: string,
  version: (typeof versions)[number],
  { credential }: Connection,
): Promise<Verdicts> {
  const folder = await installPromptfoo();
  const program = path.join(folder, "node_modules", "promptfoo", "dist", "src", "entrypoint.js");
  const output = path.join(workspace, "output.json");
  fs.rmSync(output, { force: true });
  const token = credential && "token" in credential ? credential.token : "";
  const args = [program, "eval", "-c", file, "-o", output, "-j", "1", "--no-cache", "--no-table"];
  const child = spawn(process.execPath, args, {
    cwd: workspace,
    env: {
      ...promptfooEnvironment(workspace),
      MINDSDB_URL: fixture(version).server.url,
      MINDSDB_TOKEN: token,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [said] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  assert.ok(fs.existsSync(output), said);
  const { results } = JSON.parse(fs.readFileSync(output, "utf8")) as {
    results: { results: PromptfooRow[] };
  };
  const verdicts: Verdicts = {};
  for (const row of results.results) {
    const { testCase, vars, success, score, failureReason, gradingResult } = row;
    const state = failureReason === 2 ? "error" : success ? "passed" : "failed";
    const key = `${testCase.description} | ${vars.question}`;
    const components = gradingResult?.componentResults ?? [];
    verdicts[key] = [
      ...(verdicts[key] ?? []),
      formatVerdict(
        state,
        score,
        components.map(({ pass }) => pass),
      ),
    ];
  }
  return verdicts;
}
