// npm run test:seeds -- [N [FILE...]]: runs the unit tests' files with properties (or only the given files) with N random
// seeds, 10 unless told otherwise, and prints the seeds with which a test fails. GREP=text runs only what matches.
import { spawnSync } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { readResult, resultFile } from "./suiteResult.ts";

const root = path.resolve(import.meta.dirname, "..");
const [count = "10", ...given] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(count)) throw new Error("usage: npm run test:seeds -- N [FILE...]");

/** The same tests find nothing new with another seed in files without properties. */
const hasProperties = (file: string) => /\bfc\.assert\(/.test(fs.readFileSync(file, "utf8"));
const files =
  given.length > 0
    ? given
    : fs.globSync(path.join(root, "test/unit/**/*.test.ts")).filter(hasProperties).sort();

const suite = "seeds";
const failedSeeds: string[] = [];
for (let run = 1; run <= Number(count); run++) {
  const seed = String(crypto.randomInt(2 ** 31));
  const started = Date.now();
  fs.rmSync(resultFile(suite), { force: true });
  const { stdout } = spawnSync(process.execPath, ["scripts/mocha.ts", suite, ...files], {
    cwd: root,
    env: { ...process.env, FC_SEED: seed },
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const result = readResult(suite);
  fs.rmSync(resultFile(suite), { force: true });
  const seconds = Math.round((Date.now() - started) / 1_000);
  const counts = result ? `${result.passes} passed, ${result.failures} failed` : "did not end";
  console.log(`${run} of ${count}: FC_SEED=${seed}: ${counts} (${seconds} s)`);
  if (result?.failures === 0) continue;
  failedSeeds.push(seed);
  // The failures with their counterexamples come after the list of tests.
  console.log(stdout.slice(Math.max(0, stdout.search(/^ +\d+ failing/m))));
}
if (failedSeeds.length > 0) console.log(`\nFailed with FC_SEED=${failedSeeds.join(", ")}`);
process.exitCode = failedSeeds.length > 0 ? 1 : 0;
