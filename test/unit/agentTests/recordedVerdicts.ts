// Our verdicts and the recorded ones of the real promptfoo, over thousands of assertions and outputs.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { judge } from "../../../src/agentTests/checks/verdict.ts";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";
import { createMatrix, matrixLatencyMs, matrixVars, type MatrixCase } from "./verdictMatrix.ts";

const fixture = path.resolve(import.meta.dirname, "../../fixtures/agentTests/verdicts.json");
export const recorded = JSON.parse(fs.readFileSync(fixture, "utf8")) as {
  promptfoo: string;
  cases: number;
  verdicts: string;
};

/** Through the whole path, from the text of a file: JSON is YAML. */
async function judgeCase({
  assert: assertions,
  threshold,
  output,
  calls = [],
}: MatrixCase): Promise<string> {
  const { tests } = readTestFile(
    JSON.stringify({
      providers: ["mindsdb:a/b"],
      prompts: ["{{question}}"],
      tests: [{ vars: matrixVars, assert: assertions, threshold }],
    }),
  );
  const [test] = tests;
  assert.ok(test);
  if (test.problems.length > 0) return "E";
  const outcome = { output, latencyMs: matrixLatencyMs, toolCalls: calls, reasoningSteps: 0 };
  const { state, score } = await judge(test, outcome, new AbortController().signal);
  if (state === "error") return "E";
  return `${state === "passed" ? "P" : "F"}${String(Number(score.toFixed(4)))}`;
}

export const cases = createMatrix();
export const verdicts = recorded.verdicts.split(" ");

/** Fails if our verdict differs in one of these cases. */
export async function checkVerdicts(isChecked: (at: number) => boolean): Promise<void> {
  const different: string[] = [];
  for (const [at, one] of cases.entries()) {
    if (!isChecked(at)) continue;
    const ours = await judgeCase(one);
    if (ours === verdicts[at]) continue;
    different.push(`ours ${ours}, promptfoo's ${String(verdicts[at])}: ${JSON.stringify(one)}`);
  }
  assert.equal(different.length, 0, different.slice(0, 20).join("\n"));
}
