import assert from "node:assert/strict";
import { runDueJobs } from "../../../src/sample/jobs/jobs.ts";
import type { Job, State } from "../../../src/sample/server/state.ts";

describe("The sample server's jobs", () => {
  it("leave their last 200 runs in the history", () => {
    const jobs = Array.from({ length: 250 }, (_, n): Partial<Job> => {
      const next_run_at = "2026-01-01 10:00:00.000000";
      return { name: `job_${n}`, query: "SELECT 1", schedule_str: null, end_at: null, next_run_at };
    });
    const state = { jobs, jobRuns: [] } as Partial<State> as State;
    const ran: string[] = [];
    runDueJobs(state, ({ name }) => ran.push(name));
    const names = jobs.map(({ name }) => name);
    assert.deepEqual(ran, names);
    assert.deepEqual(
      state.jobRuns.map(({ name }) => name),
      names.slice(-200),
    );
  });
});
