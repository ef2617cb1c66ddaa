// Jobs and running queries as the client library reads them, and what the tree makes of them.
import assert from "node:assert/strict";
import { loadChildren } from "../../../src/explorer/loadChildren.ts";
import { loadRoots } from "../../../src/explorer/loadRoots.ts";
import type { ExplorerNode, ParentNode } from "../../../src/explorer/node.ts";
import type { ServerAccess } from "../../../src/shared/connection.ts";
import { AppError } from "../../../src/mindsdb/errors.ts";
import { createJobStatement, deleteJob, listJobs, readJobRuns } from "../../../src/mindsdb/jobs.ts";
import { cancelQuery, listRunningQueries } from "../../../src/mindsdb/runningQueries.ts";
import { runSql } from "../../../src/mindsdb/sql/runSql.ts";
import { tokenizeSql } from "../../../src/mindsdb/sql/sqlTokens.ts";
import { useTestClient } from "../../useTestClient.ts";
import { clientOf } from "./scriptedServer.ts";

const jobsOfP = "/api/projects/p/jobs";
const tableOf = (columns: string[], ...data: unknown[][]) => ({
  "/api/sql/query": { type: "table", column_names: columns, data },
});
const queriesOf = (columns: string[], ...data: unknown[][]) => clientOf(tableOf(columns, ...data));

describe("jobs and running queries", () => {
  const sample = useTestClient();

  const childrenOf = async (node: ParentNode): Promise<ExplorerNode[]> => {
    const access = {
      list: () => [{ id: "c", name: "c", address: sample.server.url }],
      client: () => Promise.resolve(sample.client),
    } as unknown as ServerAccess;
    return loadChildren(node, access);
  };
  const root = () => {
    const access = { list: () => [{ id: "c", name: "c", address: sample.server.url }] };
    return loadRoots(access as unknown as ServerAccess)[0]!;
  };

  it("lists a job with its schedule, its next run and why its last run failed", async () => {
    await runSql(
      sample.client,
      "CREATE JOB support.nightly AS (SELECT 1; SELECT * FROM files.nothing) EVERY 2 hours",
    );
    const [job] = await listJobs(sample.client, "support");
    assert.equal(job?.name, "nightly");
    assert.equal(job.schedule, "every 2 hours");
    assert.equal(job.query, "SELECT 1; SELECT * FROM files.nothing");
    assert.ok(job.lastRunAt! < job.nextRunAt!, `${job.lastRunAt} < ${job.nextRunAt}`);
    assert.match(job.lastError ?? "", /nothing/);
    assert.deepEqual(await listJobs(sample.client, "mindsdb"), []);
  });

  it("keeps the beginning of long errors", async () => {
    const long = "token '".repeat(100_000);
    const run = ["j", "2026-01-01 10:00:00", long];
    const client = clientOf({
      [jobsOfP]: [{ name: "j", query: "SELECT 1" }],
      ...tableOf(["name", "run_start", "error"], run),
    });
    const [job] = await listJobs(client, "p");
    assert.equal(job?.lastError, `${long.slice(0, 1_999)}…`);
    const columns = ["run_start", "run_end", "error"];
    const history = queriesOf(columns, [run[1], null, long], [run[1], null, long.slice(0, 2_000)]);
    const [read, short] = await readJobRuns(history, { project: "p", name: "j" }, 5);
    assert.equal(read?.error, job.lastError);
    assert.equal(read.wholeError, long);
    assert.equal(read.errorLength, long.length);
    assert.deepEqual(short, { plannedAt: run[1], error: long.slice(0, 2_000) });
  });

  it("shows the beginning of a statement that no job has, as one that cannot be changed", async () => {
    const query = `SELECT ${"1,".repeat(100_000)}2`;
    const client = clientOf({ [jobsOfP]: [{ name: "j", query }], ...tableOf([]) });
    const [job] = await listJobs(client, "p");
    assert.equal(job?.query, `${query.slice(0, 99_999)}…`);
    assert.equal(job.isRedacted, true);
  });

  it("judges a job's next run by the server's clock, whatever its time zone", async () => {
    const write = (ms: number) => new Date(ms).toISOString().replace("T", " ").slice(0, 23);
    for (const [zoneHours, laterMs, isDue] of [
      [-5, 2_000_000, undefined],
      [-5, -60_000, true],
      [9, 1_000_000, undefined],
      [9, -1_000, true],
      // A server that does not tell its time.
      [undefined, -60_000, undefined],
    ] as const) {
      const zoneMs = (zoneHours ?? 0) * 3_600_000;
      const next_run_at = `${write(Date.now() + zoneMs + laterMs)}001`;
      const client = clientOf({
        [jobsOfP]: [{ name: "j", query: "SELECT 1", next_run_at }],
        "/api/sql/query": (query: string) => {
          if (!query.includes("localtimestamp")) return { type: "ok" };
          if (zoneHours === undefined) return { type: "error", error_message: "no" };
          return { type: "table", column_names: ["now"], data: [[write(Date.now() + zoneMs)]] };
        },
      });
      const [job] = await listJobs(client, "p");
      assert.equal(job?.isDue, isDue, `${zoneHours} ${laterMs}`);
      if (zoneHours === undefined) assert.equal(job?.nextRunMs, undefined);
      else assert.ok(Math.abs(job!.nextRunMs! - Date.now() - laterMs) < 600_000);
    }
    await runSql(
      sample.client,
      "CREATE JOB support.later AS (SELECT 1) START '2099-01-01 00:00:00'",
    );
    const later = (await listJobs(sample.client, "support")).find(({ name }) => name === "later");
    assert.equal(later?.isDue, undefined);
    assert.ok(later!.nextRunMs! > Date.now());
    await deleteJob(sample.client, { project: "support", name: "later" });
  });

  it("writes the statement that creates a job, which the server accepts", async () => {
    const [job] = await listJobs(sample.client, "support");
    const statement = createJobStatement("support", { ...job!, name: "copied" });
    assert.equal(tokenizeSql(statement).isSure, true);
    await runSql(sample.client, statement);
    const copied = (await listJobs(sample.client, "support")).find(({ name }) => name === "copied");
    const { name, nextRunAt, nextRunMs, lastRunAt, lastError, startAt, ...rest } = job!;
    assert.ok(name && nextRunAt && nextRunMs && lastRunAt && lastError && startAt);
    assert.deepEqual({ ...copied, ...rest }, copied);
    await deleteJob(sample.client, { project: "support", name: "copied" });
  });

  it("writes texts in quotes over several lines as they are", () => {
    const texts = [
      "INSERT INTO files.notes (a) VALUES ('first line\nsecond line')",
      'SELECT "a\n\n  b", `c\nd`; SELECT 1 /* e\nf */',
      "SELECT 'it''s\r\n\ttwo' AS a -- it's\nFROM t",
    ];
    for (const query of texts) {
      const job = { name: "j", query, condition: query };
      const statement = createJobStatement("p", job);
      assert.equal(statement, `CREATE JOB \`p\`.\`j\` AS (\n${query}\n)\nIF (\n${query}\n)`);
    }
  });

  it("shows jobs in their project, and deletes them", async () => {
    const project = (await childrenOf(root())).find(
      (node) => node.kind === "project" && node.project === "support",
    ) as ParentNode;
    const group = (await childrenOf(project)).find(
      (node) => node.kind === "group" && node.group === "jobs",
    ) as ParentNode;
    const names = async () =>
      (await childrenOf(group)).map((node) => (node.kind === "job" ? node.name : node.kind));
    assert.deepEqual(await names(), ["nightly"]);
    await deleteJob(sample.client, { project: "support", name: "nightly" });
    assert.deepEqual(await names(), ["empty"]);
    await assert.rejects(
      deleteJob(sample.client, { project: "support", name: "nightly" }),
      AppError,
    );
  });

  it("follows a query, and cancels it", async () => {
    const queries = (await childrenOf(root())).at(-1) as ParentNode;
    assert.deepEqual(
      (await childrenOf(queries)).map(({ kind }) => kind),
      ["empty"],
    );
    const sql = "INSERT INTO mindsdb.rental_guide (SELECT 1 AS id) USING batch_size = 500";
    await runSql(sample.client, sql);
    const [before] = await listRunningQueries(sample.client);
    assert.deepEqual([before?.sql, before?.state], [sql, "running"]);
    const [node] = await childrenOf(queries);
    assert.ok(node?.kind === "query");
    assert.ok(node.item.processedRows! > before!.processedRows!);
    await cancelQuery(sample.client, node.item.id);
    assert.deepEqual(await listRunningQueries(sample.client), []);
    await assert.rejects(cancelQuery(sample.client, node.item.id), /Query not found/);
  });

  it("hides secrets in a running query and in why it failed", async () => {
    const [query] = await listRunningQueries(
      queriesOf(
        ["ID", "SQL", "ERROR"],
        [1, "CREATE AGENT a USING api_key = 'sk-live-6KfG2bT9w'", "Bad api_key=sk-live-6KfG2bT9w"],
      ),
    );
    assert.doesNotMatch(JSON.stringify(query), /6KfG2bT9w/);
    assert.match(query?.error ?? "", /^Bad api_key=/);
  });

  it("reads a query by its columns' names, and leaves out what is finished", async () => {
    const columns = ["id", "ERROR", "FINISHED_AT", "STARTED_AT", "SQL", "PROCESSED_ROWS"];
    const found = await listRunningQueries(
      queriesOf(
        columns,
        [4, "No such table", null, "2026-11-20 10:00:00", "INSERT 4", 1000],
        [3, null, null, null, "INSERT 3", null],
        [2, null, "2026-11-20 10:00:09", "2026-11-20 10:00:00", "INSERT 2", 10],
        ["text", null, null, null, {}, "many"],
        [null, null, null, null, null, null],
      ),
    );
    assert.deepEqual(found, [
      { id: 3, sql: "INSERT 3", state: "queued" },
      {
        id: 4,
        sql: "INSERT 4",
        state: "failed",
        startedAt: "2026-11-20 10:00:00",
        processedRows: 1000,
        error: "No such table",
      },
    ]);
  });

  it("lists jobs without their last runs where the server has no history", async () => {
    const row = { name: "j", query: "SELECT 1", schedule_str: null, next_run_at: 7 };
    const client = clientOf({ [jobsOfP]: [row] }, { missing: 404 });
    assert.deepEqual(await listJobs(client, "p"), [{ name: "j", query: "SELECT 1" }]);
  });

  it("hides secrets in what jobs run and in how they failed", async () => {
    const key = "sk-proj-abcdefghijklmnop1234567890";
    const client = clientOf({
      [jobsOfP]: [{ name: "j", query: `x ${key}`, if_query: "" }],
      ...tableOf(["name", "run_start", "error"], ["j", "2026-11-20 10:00:00", `refused ${key}`]),
    });
    const jobs = await listJobs(client, "p");
    const text = JSON.stringify(jobs);
    assert.ok(text.includes("refused") && !text.includes("abcdefghijklmnop"), text);
    assert.equal(jobs[0]?.isRedacted, true);
  });
});
