// The draft of a job: when it would run, what keeps it from being sent, and the job that is sent.
import assert from "node:assert/strict";
import {
  draftOfJob,
  emptyJobDraft,
  jobOfDraft,
  type JobDraft,
} from "../../../src/jobs/jobDraft.ts";
import { formatJobTime, listNextRuns, parseJobTime } from "../../../src/jobs/jobTimes.ts";
import { findJobProblem, findSchedulerProblem, validateJob } from "../../../src/jobs/validation.ts";
import { AppError } from "../../../src/mindsdb/errors.ts";
import { createJobStatement } from "../../../src/mindsdb/jobs.ts";
import { itFinds, type ProblemCase } from "../problemCases.ts";

const now = Date.parse("2026-11-26T08:00:00Z");
const draft: JobDraft = {
  ...emptyJobDraft("shop"),
  name: "nightly",
  query: "SELECT 1; SELECT 2",
  start: "2026-12-01 00:00:00",
};
const choices = { projects: ["shop", "other"], jobs: [{ project: "shop", name: "Weekly" }] };

describe("the next runs of a job", () => {
  const cases: [interval: string | undefined, start: string, end: string, runs: string[]][] = [
    [undefined, "2026-12-01", "", ["2026-12-01 00:00:00"]],
    ["1 day", "", "", ["2026-11-26 08:00:00", "2026-11-27 08:00:00", "2026-11-28 08:00:00"]],
    ["1 day", "2020-01-01", "2026-11-27 09:00:00", ["2026-11-26 08:00:00", "2026-11-27 08:00:00"]],
    [
      "month",
      "2027-01-31 10:00:00",
      "",
      ["2027-01-31 10:00:00", "2027-02-28 10:00:00", "2027-03-28 10:00:00"],
    ],
    ["90 seconds", "2026-12-01", "", ["2026-12-01 00:00:00"]],
    ["0 days", "2026-12-01", "", ["2026-12-01 00:00:00"]],
  ];
  for (const [interval, start, end, runs] of cases) {
    it(`every ${interval ?? "never"} from ${start || "now"} to ${end || "ever"}`, () => {
      const times = { start: parseJobTime(start), end: parseJobTime(end) };
      assert.deepEqual(listNextRuns({ ...times, interval, now }, 3).map(formatJobTime), runs);
    });
  }

  it("are not planned at times that do not exist", () => {
    for (const time of ["2026-02-30", "2026-12-31T18:00:00", "2026-12-31 18:00:00Z", "now", ""]) {
      assert.equal(parseJobTime(time), undefined, time);
    }
  });
});

describe("the draft of a job", () => {
  const cases: ProblemCase<JobDraft>[] = [
    [{}],
    [{ repeat: "other", interval: "30 Minutes" }],
    [{ condition: "SELECT 1 FROM files.t" }],
    [{ name: "" }, /^name: Enter a name\./],
    [{ name: "weekly" }, /^name: This project has a job named weekly\./],
    [{ name: "Every Night" }, /^name: SQL can't find a job by this name\. Try every_night\./],
    [{ query: " " }, /^query: Enter one or more statements\./],
    [{ repeat: "other" }, /^interval: Enter an interval\./],
    [{ repeat: "other", interval: "20 seconds" }, /^interval: Enter a whole number and minutes/],
    [{ repeat: "other", interval: "1.5 hours" }, /^interval: Enter a whole number/],
    [{ repeat: "other", interval: "0 minutes" }, /^interval: With 0, the job would run at each/],
    [{ start: "tomorrow" }, /^start: Enter a time like/],
    [{ start: "2026-11-26 08:00:00" }],
    [{ start: "2026-11-26 07:59:59" }, /^start \(warning\): This time has passed: the server runs/],
    [{ end: "2026-12-01T10:00:00Z" }, /^end: Enter a time like/],
    [{ end: "2026-11-30 00:00:00" }, /^end: The job would end before it starts\./],
    [
      { repeat: "once", end: "2026-12-30 00:00:00" },
      /^end \(warning\): The server ignores the end/,
    ],
    [{ condition: "DELETE FROM files.t" }, /^condition: Enter exactly one SELECT/],
    [
      { query: "SELECT 1; SELECT * FROM files.t WHERE id > :last_id" },
      /^query \(warning\): The server has no value for :last_id\. Replace/,
    ],
    [
      { condition: "SELECT 1 FROM files.t WHERE a = :a" },
      /^condition \(warning\): The server has no/,
    ],
    [{ query: "SELECT id::int, ':a', `:a` -- :a\nFROM files.t" }],
    [{ query: 'SELECT 1 FROM t USING k = {"a":true}' }],
  ];
  itFinds(cases, (changed) =>
    validateJob({ ...draft, ...changed }, { choices, before: undefined, now }),
  );

  it("of a job that reads what is new says that a change forgets the positions", () => {
    const before = { ...draft, query: "SELECT * FROM files.t WHERE id > LAST" };
    const problems = validateJob(before, { choices, before, now });
    assert.deepEqual(
      problems.map(({ field, isWarning }) => [field, isWarning]),
      [["query", true]],
    );
  });

  it("becomes a job, and the job the same draft with its next run as start", () => {
    const job = jobOfDraft({ ...draft, start: "2026-12-01", end: " ", condition: "SELECT 1 " });
    assert.deepEqual(job, {
      name: "nightly",
      query: "SELECT 1; SELECT 2",
      schedule: "every 1 day",
      startAt: "2026-12-01 00:00:00",
      condition: "SELECT 1",
    });
    const nextRunAt = "2026-12-05 00:00:00.000000";
    const read = draftOfJob("shop", { ...job, schedule: "every day", nextRunAt });
    assert.deepEqual(read, { ...draft, condition: "SELECT 1", start: "2026-12-05 00:00:00" });
    const other = draftOfJob("shop", { ...job, schedule: "every 2 hours" });
    assert.deepEqual([other.repeat, other.interval], ["other", "2 hours"]);
    assert.equal(jobOfDraft(other).schedule, "every 2 hours");
    const { schedule, ...once } = job;
    assert.equal(schedule, "every 1 day");
    assert.equal(draftOfJob("shop", once).repeat, "once");
    assert.equal(jobOfDraft({ ...draft, repeat: "once" }).schedule, undefined);
  });

  it("becomes a statement with times that servers can read", () => {
    const job = { ...jobOfDraft(draft), endAt: "2027-01-01 10:00:00.000000" };
    assert.equal(
      createJobStatement("shop", job),
      "CREATE JOB `shop`.`nightly` AS (\nSELECT 1; SELECT 2\n)\nSTART '2026-12-01 00:00:00'\nEND '2027-01-01 10:00:00'\nEVERY 1 day",
    );
  });

  it("shows what the server refuses at the field that caused it", () => {
    const fieldOf = (text: string, changed: Partial<JobDraft> = {}) =>
      findJobProblem(new AppError("serverFault", text), { ...draft, ...changed })?.field;
    assert.equal(fieldOf("EntityExistsError: Job already exists: nightly"), "name");
    assert.equal(fieldOf("Unknown period: seconds", { repeat: "other" }), "interval");
    assert.equal(fieldOf("Unknown period: seconds"), "repeat");
    assert.equal(fieldOf("Wrong end date 2026 > 2025"), "end");
    assert.equal(fieldOf("Can't parse date: x"), "start");
    const condition = "SELECT a b c d";
    assert.equal(fieldOf(`Unable to parse: ${condition}: no`, { condition }), "condition");
    assert.equal(fieldOf("Unable to parse: SELECT 1: no"), "query");
    // In both of them, and in none.
    assert.equal(fieldOf("Unable to parse: SELECT 1: no", { condition: "SELECT 1" }), "query");
    assert.equal(fieldOf("Unable to parse: SELECT 7: no", { condition }), "query");
    const project = new AppError("notFound", "Project not found: shop");
    assert.equal(findJobProblem(project, draft)?.field, "project");
    assert.equal(findJobProblem(new AppError("signInNeeded", "Sign in"), draft), undefined);
  });

  it("says that the server may not run jobs where one is overdue", () => {
    assert.equal(findSchedulerProblem(choices), undefined);
    const overdue = { project: "shop", name: "Weekly", since: "2026-11-20 10:00:00" };
    const problem = findSchedulerProblem({ ...choices, overdue });
    assert.match(problem?.text ?? "", /Weekly in shop should have run at 2026-11-20 10:00:00/);
    assert.equal(problem?.isWarning, true);
  });
});
