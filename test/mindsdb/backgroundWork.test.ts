// Jobs and triggers that run, and queries that run in the background, on real servers whose schedulers are on.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { FormData } from "undici";
import { startPostgres, type Postgres } from "../../scripts/mindsdb/postgres.ts";
import type { RealServer } from "../../scripts/mindsdb/server.ts";
import { createDataSource, disconnectDataSource } from "../../src/mindsdb/dataSourceChanges.ts";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { createTransport, type Transport } from "../../src/mindsdb/http/transport.ts";
import { createJob, deleteJob, listJobs, readJobRuns } from "../../src/mindsdb/jobs.ts";
import type { Job, RunningQuery } from "../../src/mindsdb/listItems.ts";
import { cancelQuery, listRunningQueries } from "../../src/mindsdb/runningQueries.ts";
import { createTrigger, deleteTrigger, listTriggers } from "../../src/mindsdb/triggers.ts";
import { findTriggerProblem } from "../../src/triggers/validation.ts";
import { clientOver } from "../clientOver.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { Admin } from "./admin.ts";
import { backgroundServer, fixture, versions } from "./fixture.ts";
import { embeddingModel } from "./seed.ts";
import "./stubVscode.ts";

const { onceNameOf, replaceJob } = await import("../../src/jobs/host/jobServer.ts");

const project = "mindsdb";
/** How long a busy server may take until it has run a job, in ms: it has taken over a minute. */
const schedulerMs = 150_000;
/** Documents of a query that is cancelled long before its end: a batch of 200 takes over half a second. */
const count = 20_000;

for (const version of versions) {
  describe(`MindsDB ${version}, work in the background`, () => {
    let server: RealServer;
    let admin: Admin;
    let transport: Transport;
    let client: Client;
    let postgres: Postgres | undefined;
    const onceName = onceNameOf("works");
    const place = { source: "shop", table: "orders" };
    const query = "INSERT INTO shop.noted (id, note) SELECT id, note FROM TABLE_DELTA";

    before(async () => {
      server = await backgroundServer(version);
      admin = await Admin.signIn(server);
      transport = createTransport(parseAddress(server.url));
      client = clientOver(transport);
    });
    // The scheduler looks after them all at once, and so the tests wait for it together.
    before("create jobs and triggers", async () => {
      await admin.sql("CREATE JOB mindsdb.works AS (SELECT 1) EVERY 1 minute");
      await admin.sql("CREATE JOB mindsdb.fails AS (SELECT * FROM files.nothing) EVERY 1 minute");
      await createJob(client, project, { name: onceName, query: "SELECT 1; SELECT 2" });
      postgres = await startPostgres();
      const { parameters } = postgres;
      const shop = { name: "shop", engine: "postgres", parameters };
      assert.equal((await createDataSource(client, shop)).status, "connected");
      await admin.sql("CREATE TABLE shop.orders (id int, note text)");
      await admin.sql("CREATE TABLE shop.noted (id int, note text)");
      await createTrigger(client, project, { name: "notes", ...place, columns: [], query });
      await createTrigger(client, project, {
        ...{ name: "fails", ...place, columns: ["note"] },
        query: query.replace("noted", "nothing"),
      });
    });
    after(async () => {
      await postgres?.stop();
      fixture(version).llm.embeddingDelay = 0;
      await transport.close();
    });

    const findJob = async (name: string): Promise<Job | undefined> =>
      (await listJobs(client, project)).find((job) => job.name === name);

    it("shows the last and the next run of a job, and why a run failed", async () => {
      assert.equal((await findJob("fails"))?.schedule, "every 1 minute");
      const [works, fails] = await eventually(
        async () => {
          const jobs = [await findJob("works"), await findJob("fails")];
          assert.ok(jobs.every((job) => job?.lastRunAt !== undefined));
          assert.ok(jobs.every((job) => job!.nextRunAt! > job!.lastRunAt!));
          return jobs;
        },
        schedulerMs,
        500,
      );
      assert.equal(works?.lastError, undefined);
      assert.match(fails?.lastError ?? "", /nothing/);
      await replaceJob(client, project, { old: fails!, job: { ...fails!, query: "SELECT 2" } });
      assert.equal((await findJob("fails"))?.query, "SELECT 2");
      for (const name of ["works", "fails"]) await deleteJob(client, { project, name });
      const names = (await listJobs(client, project)).map(({ name }) => name);
      assert.ok(!names.includes("works") && !names.includes("fails"), names.join());
      const [run] = await readJobRuns(client, { project, name: "fails" }, 10);
      assert.match(run?.error ?? "", /nothing/, "a replaced and deleted job keeps its history");
      assert.ok(run?.plannedAt && run.endedAt);
    });

    it("runs a job without a schedule once, which is how a job is run now", async () => {
      await eventually(
        async () => {
          const runs = await readJobRuns(client, { project, name: onceName }, 10);
          assert.deepEqual(
            runs.map(({ error, endedAt }) => [error, endedAt !== undefined]),
            [[undefined, true]],
          );
          assert.deepEqual(await listJobs(client, project), []);
        },
        schedulerMs,
        500,
      );
    });

    it("runs a trigger's statement for each new row, and says why one failed", async () => {
      await eventually(
        async () => {
          // The server learns of rows only once it has subscribed to the table.
          await admin.sql("INSERT INTO shop.orders (id, note) VALUES (1, 'new')");
          const [fails, notes] = await listTriggers(client, project);
          assert.match(fails?.lastError ?? "", /nothing/);
          assert.deepEqual(notes, { name: "notes", ...place, query });
          assert.deepEqual((await admin.sql("SELECT * FROM shop.noted"))[0], [1, "new"]);
        },
        schedulerMs,
        500,
      );
      const refused = async (change: object): Promise<string | undefined> => {
        const trigger = { name: "more", ...place, columns: [], query, ...change };
        const failure: unknown = await createTrigger(client, project, trigger).catch(
          (error: unknown) => error,
        );
        const draft = { ...trigger, project, table: `${trigger.source}.${trigger.table}` };
        return findTriggerProblem(failure, { ...draft, columns: "" })?.field;
      };
      assert.equal(await refused({ name: "notes" }), "name");
      assert.equal(await refused({ source: "files" }), "table");
      assert.equal(await refused({ source: "nosuch" }), "table");
      assert.equal(await refused({ table: "nosuch" }), "table");
      assert.equal(await refused({ query: "SELECT FROM WHERE" }), "query");
      await disconnectDataSource(client, "shop");
      const sources = (await listTriggers(client, project)).map(({ source }) => source);
      assert.deepEqual(sources, [undefined, undefined]);
      for (const name of ["notes", "fails"]) await deleteTrigger(client, { project, name });
      assert.deepEqual(await listTriggers(client, project), []);
    });

    const readQuery = async (): Promise<RunningQuery> => {
      const [query] = await listRunningQueries(client);
      assert.ok(query, "no running query");
      return query;
    };
    /** Starts to fill the knowledge base, slowly, and returns the query once it has stored something. */
    async function startInsert(): Promise<RunningQuery> {
      fixture(version).llm.embeddingDelay = 500;
      await admin.sql(
        "INSERT INTO mindsdb.background (SELECT id, content FROM files.notes) USING batch_size = 200, track_column = id",
      );
      return eventually(async () => {
        const query = await readQuery();
        assert.equal(query.state, "running");
        assert.ok((query.processedRows ?? 0) > 0);
        return query;
      }, 60_000);
    }

    it("follows a query that fills a knowledge base, and cancels it", async () => {
      const { llm } = fixture(version);
      const form = new FormData();
      const rows = Array.from({ length: count }, (_, at) => `${String(at)},Note ${String(at)}`);
      form.set("file", new Blob([["id,content", ...rows].join("\n")]), "notes.csv");
      await admin.put("/api/files/notes", form);
      const embedding_model = embeddingModel(llm);
      await admin.post("/api/projects/mindsdb/knowledge_bases", {
        knowledge_base: { name: "background", embedding_model },
      });
      const first = await startInsert();
      assert.match(first.sql, /INSERT INTO `?mindsdb`?\.`?background/i);
      const later = await eventually(async () => {
        const query = await readQuery();
        assert.ok(query.processedRows! > first.processedRows!);
        return query;
      });
      assert.equal(later.id, first.id);
      await cancelQuery(client, first.id);
      assert.deepEqual(await listRunningQueries(client), []);
      await assert.rejects(cancelQuery(client, first.id), /Query not found/);
      // The batch under way is still stored, and then nothing more.
      llm.embeddingDelay = 0;
      const countStored = () => admin.sql("SELECT count(DISTINCT id) FROM mindsdb.background");
      await eventually(async () => {
        const rows = await countStored();
        await sleep(3_000);
        assert.deepEqual(await countStored(), rows);
        const stored = Number(rows[0]?.[0]);
        assert.ok(stored >= later.processedRows! && stored < count, String(stored));
      }, 60_000);
    });

    it("lists a query of a killed server as running, and cancels it", async () => {
      const { id } = await startInsert();
      await server.restart({ kill: true });
      const before = await eventually(readQuery);
      assert.deepEqual([before.id, before.state], [id, "running"]);
      await sleep(3_000);
      assert.deepEqual(await readQuery(), before);
      await cancelQuery(client, id);
      assert.deepEqual(await listRunningQueries(client), []);
    });
  });
}
