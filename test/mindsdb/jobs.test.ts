// Jobs and running queries of real servers, listed and deleted by the client library. The servers' schedulers are off:
// what runs in the background is in backgroundWork.test.ts.
import assert from "node:assert/strict";
import type { ServerAccess } from "../../src/shared/connection.ts";
import { draftOfJob, emptyJobDraft, jobOfDraft, type JobDraft } from "../../src/jobs/jobDraft.ts";
import { findJobProblem } from "../../src/jobs/validation.ts";
import { createJob, createJobStatement, deleteJob, listJobs } from "../../src/mindsdb/jobs.ts";
import { cancelQuery, listRunningQueries } from "../../src/mindsdb/runningQueries.ts";
import { useClients } from "./clients.ts";
import { versions } from "./fixture.ts";
import "./stubVscode.ts";

const { findJob, loadJobChoices, replaceJob, ReplaceJobError } =
  await import("../../src/jobs/host/jobServer.ts");

for (const version of versions) {
  describe(`MindsDB ${version}, jobs and running queries`, () => {
    const project = "mindsdb";
    const session = useClients(version);

    it("lists a job with its schedule and next run, and writes a statement that makes it again", async () => {
      await session.admin.sql("CREATE JOB mindsdb.nightly AS (SELECT 1; SELECT 2) EVERY 2 hours");
      const find = async (name: string) =>
        (await listJobs(session.client, project)).find((one) => one.name === name);
      const job = await find("nightly");
      assert.ok(job);
      assert.match(job.schedule ?? "", /2 hours/);
      assert.match(job.nextRunAt ?? "", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
      await session.admin.sql(createJobStatement(project, { ...job, name: "copied" }));
      const copied = await find("copied");
      assert.deepEqual(
        [copied?.name, copied?.schedule, copied?.query],
        ["copied", job.schedule, job.query],
      );
      for (const name of ["copied", "nightly"]) {
        await deleteJob(session.client, { project, name });
      }
      assert.deepEqual(await listJobs(session.client, project), []);
    });

    describe("in the form", () => {
      const draft: JobDraft = {
        ...emptyJobDraft(project),
        name: "planned",
        query: "SELECT 1; -- why\nSELECT 'it''s {{PREVIOUS_START_DATETIME}}'",
        start: "2099-01-31 10:00:00",
        end: "2100-01-01 00:00:00",
        condition: "SELECT 1",
      };
      const place = { project, name: draft.name };
      const read = async () => {
        const job = await findJob(session.client, place);
        return job && draftOfJob(project, job);
      };
      afterEach(() => deleteJob(session.client, place).catch(() => undefined));

      it("is created with each schedule, and read as it was entered", async () => {
        for (const changed of [
          { repeat: "hour" },
          { repeat: "day" },
          { repeat: "week" },
          { repeat: "month" },
          { repeat: "once", end: "" },
          { repeat: "other", interval: "30 minutes" },
          { repeat: "other", interval: "5 min" },
        ] as const) {
          const entered: JobDraft = { ...draft, ...changed };
          await createJob(session.client, project, jobOfDraft(entered));
          assert.deepEqual(await read(), entered);
          await deleteJob(session.client, place);
        }
      });

      it("is refused with the field that the server means", async () => {
        const fieldOf = async (changed: Partial<JobDraft>) => {
          const entered = { ...draft, ...changed };
          const failure: unknown = await createJob(
            session.client,
            project,
            jobOfDraft(entered),
          ).then(
            () => undefined,
            (error: unknown) => error,
          );
          assert.equal(await read(), undefined);
          return findJobProblem(failure, entered)?.field;
        };
        assert.equal(await fieldOf({ repeat: "other", interval: "20 seconds" }), "interval");
        assert.equal(await fieldOf({ start: "2099-01-31T10:00:00Z" }), "start");
        assert.equal(await fieldOf({ end: "2098-01-01 00:00:00" }), "end");
        assert.equal(await fieldOf({ query: "SELECT FROM WHERE" }), "query");
        await createJob(session.client, project, jobOfDraft(draft));
        const again = createJob(session.client, project, jobOfDraft(draft));
        const failure: unknown = await again.catch((error: unknown) => error);
        assert.equal(findJobProblem(failure, draft)?.field, "name");
      });

      it("replaces a job, and restores it if the server refuses the new one", async () => {
        const { client } = session;
        await createJob(client, project, jobOfDraft(draft));
        const stored = () => findJob(client, place).then((job) => job!);
        const weekly: JobDraft = { ...draft, query: "SELECT 3", repeat: "week" };
        await replaceJob(client, project, { old: await stored(), job: jobOfDraft(weekly) });
        assert.deepEqual(await read(), weekly);
        const wrong = jobOfDraft({ ...weekly, query: "SELECT FROM WHERE" });
        const failing = replaceJob(client, project, { old: await stored(), job: wrong });
        await assert.rejects(
          failing,
          (error) => error instanceof ReplaceJobError && error.isRestored,
        );
        assert.deepEqual(await read(), weekly);
      });

      it("says that a job is overdue where the scheduler is off", async () => {
        const servers = {
          client: () => Promise.resolve(session.client),
        } as unknown as ServerAccess;
        await createJob(session.client, project, jobOfDraft(draft));
        assert.equal((await loadJobChoices(servers, "real")).overdue, undefined);
        const later = await findJob(session.client, place);
        assert.ok(later!.nextRunMs! > Date.now() && !later!.isDue, "its next run is to come");
        await deleteJob(session.client, place);
        const past = { ...draft, start: "2020-01-01 00:00:00" };
        await createJob(session.client, project, jobOfDraft(past));
        const { overdue, aheadMs } = await loadJobChoices(servers, "real");
        assert.deepEqual(overdue, { ...place, since: past.start });
        assert.equal((await findJob(session.client, place))?.isDue, true, "it has no next run");
        assert.ok(Math.abs(aheadMs ?? Infinity) < 60_000, String(aheadMs));
      });
    });

    it("has no running queries, and says that one to cancel is not there", async () => {
      assert.deepEqual(await listRunningQueries(session.client), []);
      await assert.rejects(cancelQuery(session.client, 9_999), /Query not found/);
    });
  });
}
