// Jobs and running queries of real servers, listed and deleted by the client library. The servers' schedulers are off: what
// runs in the background is covered by the sample server's tests.
import assert from "node:assert/strict";
import { createJobStatement, deleteJob, listJobs } from "../../src/mindsdb/jobs.ts";
import { cancelQuery, listRunningQueries } from "../../src/mindsdb/runningQueries.ts";
import { Admin } from "./admin.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";

for (const version of versions) {
  describe(`MindsDB ${version}, jobs and running queries`, function () {
    this.timeout(120_000);
    const project = "mindsdb";
    let admin: Admin;
    let connection: Connection;

    before(async () => {
      admin = await Admin.signIn(fixture(version).server);
      connection = await connect(fixture(version).server.url);
    });
    after(() => connection.close());

    it("lists a job with its schedule and next run, and writes a statement that makes it again", async () => {
      await admin.sql("CREATE JOB mindsdb.nightly AS (SELECT 1; SELECT 2) EVERY 2 hours");
      const [job] = await listJobs(connection.client, project);
      assert.equal(job?.name, "nightly");
      assert.match(job.schedule ?? "", /2 hours/);
      assert.match(job.nextRunAt ?? "", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
      await admin.sql(createJobStatement(project, { ...job, name: "copied" }));
      const [copied] = await listJobs(connection.client, project);
      assert.deepEqual(
        [copied?.name, copied?.schedule, copied?.query],
        ["copied", job.schedule, job.query],
      );
      for (const name of ["copied", "nightly"]) {
        await deleteJob(connection.client, { project, name });
      }
      assert.deepEqual(await listJobs(connection.client, project), []);
    });

    it("has no running queries, and says that one to cancel is not there", async () => {
      assert.deepEqual(await listRunningQueries(connection.client), []);
      await assert.rejects(cancelQuery(connection.client, 9_999), /Query not found/);
    });
  });
}
