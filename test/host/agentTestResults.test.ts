// What the Test Explorer gets to see of results.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { AgentTest } from "../../src/agentTests/files/testFile.ts";
import type { TestFiles } from "../../src/agentTests/host/files/testFiles.ts";
import { RunReporter } from "../../src/agentTests/host/runReporter.ts";
import { searchOnce } from "../../src/agentTests/host/searchOnce.ts";
import type { TestResult } from "../../src/agentTests/runs/runTests.ts";
import { AppError } from "../../src/mindsdb/errors.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { Secrets } from "../../src/mindsdb/redact/redact.ts";
import type { ServerAccess } from "../../src/shared/connection.ts";

describe("A search of an agent test", () => {
  const place = { connectionId: "c", project: "mindsdb", name: "docs" };
  const serversWith = (post: () => Promise<unknown>): ServerAccess => {
    const secrets = new Secrets();
    secrets.add("made-up-secret");
    const client = { post, secrets } as unknown as Client;
    return {
      find: () => undefined,
      client: () => Promise.resolve(client),
      secrets: () => secrets,
    } as unknown as ServerAccess;
  };

  it("says why it failed without the secrets of the connection", async () => {
    const error = new AppError("sql", "bad key made-up-secret");
    const servers = serversWith(() => Promise.reject(error));
    const { signal } = new AbortController();
    const { documents, reason } = await searchOnce(servers, place, "Why?", { signal });
    assert.deepEqual(documents, []);
    assert.match(reason ?? "", /bad key \*+/);
    assert.doesNotMatch(reason ?? "", /made-up-secret/);
  });

  it("ends with the reason of the signal when it is cancelled", async () => {
    const controller = new AbortController();
    const servers = serversWith(() => {
      controller.abort(new Error("cancelled"));
      return Promise.reject(new AppError("sql", "aborted"));
    });
    await assert.rejects(searchOnce(servers, place, "Why?", { signal: controller.signal }), {
      message: "cancelled",
    });
  });
});

describe("The result of an agent test", () => {
  const controller = vscode.tests.createTestController("results", "Results");
  after(() => controller.dispose());

  type Attempt = { state: "passed" | "failed" | "error"; results: object[] };
  /** What is reported of the first assertion, for a test with these attempts. */
  const reportOf = (...attempts: Attempt[]): string[] => {
    const test = controller.createTestItem("test", "test");
    const assertion = controller.createTestItem("test/0", "assertion");
    const reported: string[] = [];
    const note = (state: string) => (item: vscode.TestItem) => {
      if (item === assertion) reported.push(state);
    };
    const states = ["started", "passed", "failed", "errored", "skipped"];
    const run = {
      ...Object.fromEntries(states.map((state) => [state, note(state)])),
      appendOutput: () => undefined,
      end: () => undefined,
    } as unknown as vscode.TestRun;
    const files = {
      resolveAssertions: () => [assertion],
      locate: () => undefined,
      describe: () => undefined,
    } as unknown as TestFiles;
    const reporter = new RunReporter(run, files);
    const state = attempts.find((one) => one.state !== "passed")?.state ?? "passed";
    const passed = attempts.filter((one) => one.state === "passed").length;
    const result = { state, passed, tookMs: 1, attempts };
    reporter.finish(test, { name: "test" } as AgentTest, result as unknown as TestResult);
    reporter.end();
    return reported;
  };
  const judged = (isPassed: boolean, score = isPassed ? 1 : 0, more: object = {}) => ({
    isPassed,
    score,
    reason: "because",
    assertion: {},
    ...more,
  });

  it("shows an assertion as skipped that has failed although the test has passed", () => {
    assert.deepEqual(reportOf({ state: "passed", results: [judged(false)] }), ["skipped"]);
    assert.deepEqual(reportOf({ state: "passed", results: [judged(true, 0.5)] }), ["skipped"]);
    assert.deepEqual(reportOf({ state: "passed", results: [] }), ["skipped"]);
  });

  it("shows an assertion as failed if it has failed in one attempt of a test that failed", () => {
    const passed: Attempt = { state: "passed", results: [judged(true)] };
    const failed: Attempt = { state: "failed", results: [judged(false)] };
    assert.deepEqual(reportOf(passed), ["passed"]);
    assert.deepEqual(reportOf(passed, failed), ["failed"]);
  });

  it("shows an assertion that could not be judged as an error", () => {
    const error = judged(false, 0, { isError: true });
    const attempts: Attempt[] = [
      { state: "failed", results: [judged(false)] },
      { state: "error", results: [error] },
    ];
    assert.deepEqual(reportOf(...attempts), ["errored"]);
  });

  it("shows the measure of a ranking as passed, whatever it is", () => {
    const ranking = judged(true, 0.5, { assertion: { retrieval: {} } });
    assert.deepEqual(reportOf({ state: "failed", results: [ranking] }), ["passed"]);
  });
});
