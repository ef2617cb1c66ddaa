// Records what the real promptfoo says about the matrix of assertions, for test/unit/agentTests/verdicts.slow.test.ts.
// CI never runs this. Usage: node scripts/bootstrap.mjs scripts/recordPromptfooVerdicts.ts
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { providerFileName } from "../src/agentTests/promptfoo/providerFile.ts";
import { formatArguments } from "../src/agentTests/checks/agentOutcome.ts";
import { installPromptfoo, promptfooVersion } from "./promptfoo.ts";
import {
  createMatrix,
  matrixLatencyMs,
  matrixVars,
  type MatrixCase,
} from "../test/unit/agentTests/verdictMatrix.ts";

interface Grading {
  pass: boolean;
  score: number;
}
type Run = (options: Record<string, unknown>) => Promise<Grading>;

process.env["PROMPTFOO_DISABLE_TELEMETRY"] = "1";
process.env["PROMPTFOO_DISABLE_UPDATE"] = "1";
const folder = await installPromptfoo();
const require = createRequire(path.join(folder, "index.js"));
const entry = require.resolve("promptfoo");
const { assertions } = (await import(pathToFileURL(entry).href)) as {
  assertions: { runAssertion: Run; runAssertions: Run };
};

// Where promptfoo looks for the provider file, whose functions judge searches.
const workspace = fs.mkdtempSync(path.join(os.tmpdir(), "promptfoo-"));
process.chdir(workspace);
esbuild.buildSync({
  entryPoints: [path.resolve(import.meta.dirname, "../src/agentTests/promptfoo/provider.ts")],
  bundle: true,
  platform: "node",
  format: "esm",
  alias: {
    "@vscode/l10n": path.resolve(
      import.meta.dirname,
      "../src/agentTests/promptfoo/formatEnglish.ts",
    ),
  },
  outfile: path.join(workspace, providerFileName),
});
const cases = createMatrix();
const verdicts: string[] = [];
// A copy of each: Ajv refuses a schema that is invalid only the first time that it sees it.
for (const one of cases) verdicts.push(await grade(structuredClone(one)));
const recorded = {
  about: [
    `Verdicts of promptfoo ${promptfooVersion}, recorded by scripts/recordPromptfooVerdicts.ts: its own runAssertion (one assertion`,
    "with spans) and runAssertions were called for each case of test/unit/agentTests/verdictMatrix.ts, in its order.",
    "P passed, F failed, E threw; after P and F the score.",
  ],
  promptfoo: promptfooVersion,
  cases: cases.length,
  verdicts: verdicts.join(" "),
};
const file = path.resolve(import.meta.dirname, "..", "test/fixtures/agentTests/verdicts.json");
fs.writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
console.log(`${String(cases.length)} verdicts of promptfoo ${promptfooVersion}`);
process.exit(0);

async function grade({ assert, threshold, output, calls }: MatrixCase): Promise<string> {
  const test = { vars: matrixVars, assert, ...(threshold === undefined ? {} : { threshold }) };
  const shared = { test, providerResponse: { output }, latencyMs: matrixLatencyMs };
  try {
    const { pass, score } = calls
      ? await assertions.runAssertion({
          ...shared,
          assertion: assert[0],
          traceId: "trace",
          traceData: { traceId: "trace", spans: toSpans(calls) },
        })
      : await assertions.runAssertions(shared);
    return `${pass ? "P" : "F"}${String(Number(score.toFixed(4)))}`;
  } catch {
    return "E";
  }
}

/** The spans of tool calls, by the GenAI conventions of OpenTelemetry. */
function toSpans(calls: NonNullable<MatrixCase["calls"]>): unknown[] {
  return calls.map(({ name, args }, at) => ({
    spanId: String(at),
    name: `execute_tool ${name}`,
    startTime: at,
    endTime: at + 1,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      ...(args === undefined ? {} : { "gen_ai.tool.call.arguments": formatArguments(args) }),
    },
  }));
}
