// Reads a test file, given on stdin, and judges an answer to its first test; prints what came of it as JSON.
import fs from "node:fs";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";
import { judge } from "../../../src/agentTests/checks/verdict.ts";

const { tests, problems } = readTestFile(fs.readFileSync(0, "utf8"));
const { user } = process.cpuUsage();
const outcome = { output: "x".repeat(10), latencyMs: 1, toolCalls: [], reasoningSteps: 0 };
const [first] = tests;
const verdict = first && (await judge(first, outcome, new AbortController().signal));
console.log(
  JSON.stringify({
    tests: tests.length,
    messages: problems.map(({ message }) => message),
    readMs: user / 1_000,
    state: verdict?.state,
  }),
);
