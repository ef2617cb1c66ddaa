// Jobs and running queries of real servers, listed and deleted by the client library. The servers' schedulers are off:
// what runs in the background is in backgroundWork.test.ts.
import assert from "node:assert/strict";
import { createJobStatement, deleteJob, listJobs } from "../../src/mindsdb/jobs.ts";
import { cancelQuery, listRunningQueries } from "../../src/mindsdb/runningQueries.ts";
import { useClients } from "./clients.ts";
import { versions } from "./fixture.ts";

for (const version of versions) {
  describe(`MindsDB ${version}, jobs and running queries`, function () {
    this.timeout(120_000);
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

    it("has no running queries, and says that one to cancel is not there", async () => {
      assert.deepEqual(await listRunningQueries(session.client), []);
      await assert.rejects(cancelQuery(session.client, 9_999), /Query not found/);
    });
  });
}
