// The form and the page of a job and their hosts, on the sample server.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Connection, ServerAccess } from "../../src/shared/connection.ts";
import { JobFormPage } from "../../src/jobs/host/jobFormPage.ts";
import { JobPage } from "../../src/jobs/host/jobPage.ts";
import { findJob, loadJobChoices, replaceJob } from "../../src/jobs/host/jobServer.ts";
import { draftOfJob, emptyJobDraft, type JobDraft } from "../../src/jobs/jobDraft.ts";
import { AppError } from "../../src/mindsdb/errors.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { createJob, deleteJob } from "../../src/mindsdb/jobs.ts";
import type { ItemRef } from "../../src/mindsdb/references.ts";
import { runSql } from "../../src/mindsdb/sql/runSql.ts";
import { sendJson, useServer } from "../unit/mindsdb/httpServer.ts";
import { postingWith } from "./askingServers.ts";
import { useAskingServer } from "./useTestServer.ts";
import { copied, eventually, until } from "./workbench.ts";

const project = "mindsdb";
const draft: JobDraft = {
  ...emptyJobDraft(project),
  name: "nightly",
  query: "INSERT INTO files.daily (SELECT 1); SELECT 2",
  start: "2099-01-31 10:00:00",
};
const place = { project, name: draft.name };

describe("Jobs", () => {
  const server = useAskingServer();
  const { asked, log, servers } = server;
  let client: Client;
  const saved: ItemRef[] = [];

  before(() => void ({ client } = server));
  beforeEach(() => void (saved.length = 0));
  afterEach(() => deleteJob(client, place).catch(() => undefined));

  const stored = () => findJob(client, place);
  /** Creates the job, and returns it as the draft of a form. */
  const create = async (query = "SELECT 1", schedule?: string): Promise<JobDraft> => {
    await createJob(client, project, { name: draft.name, query, schedule, startAt: draft.start });
    return draftOfJob(project, (await stored())!);
  };

  describe("in the form", () => {
    const open = (before?: JobDraft, access = servers): JobFormPage => {
      const initial = before ?? draft;
      const form = { id: "one", connectionId: "local", draft: initial, initial, before };
      const onSaved = (job: ItemRef): void => void saved.push(job);
      return new JobFormPage({ form, content: {} }, { servers: access, log, onSaved });
    };

    it("are not created on a read-only connection, which the form says", async () => {
      server.answer = false;
      const readOnly = { id: "local", name: "Shop", protection: "readOnly" } as Connection;
      const form = open(undefined, { ...servers, find: () => readOnly });
      await form.handlers.send(draft, {});
      const expected = "Not saved. The connection Shop is read-only.";
      assert.equal(form.state.current.failure?.text, expected);
    });

    it("are created once, and not where writing is refused", async () => {
      server.answer = false;
      const refused = open();
      await refused.handlers.send(draft, {});
      assert.equal(refused.state.current.failure?.text, "Not saved.");
      assert.equal(await stored(), undefined);
      server.answer = true;
      await open().handlers.send(draft, {});
      assert.deepEqual(saved, [{ connectionId: "local", ...place }]);
      const job = await stored();
      assert.deepEqual(job && { ...draftOfJob(project, job), interval: "" }, draft);
      const second = open();
      await second.handlers.send(draft, {});
      assert.equal(second.state.current.failure?.field, "name");
      assert.equal(asked.length, 2, "nobody is asked for what cannot be done");
    });

    it("show the server's refusal at its field", async () => {
      const page = open();
      await page.handlers.send({ ...draft, query: "SELECT FROM WHERE" }, {});
      const { failure } = page.state.current;
      assert.equal(failure?.field, "query");
      assert.match(failure.text, /^Server message: /);
    });

    it("are restored if the server refuses the changed job", async () => {
      const before = await create("SELECT 1", "every day");
      const page = open(before);
      await page.handlers.send({ ...before, query: "SELECT FROM WHERE" }, {});
      const { failure } = page.state.current;
      assert.equal(failure?.field, "query");
      assert.match(failure.text, /The previous job was restored\.$/);
      assert.deepEqual(draftOfJob(project, (await stored())!), before);
      await page.handlers.send({ ...before, query: "SELECT 3", repeat: "week" }, {});
      const changed = await stored();
      assert.deepEqual([changed?.query, changed?.schedule], ["SELECT 3", "every 1 week"]);
      assert.match(String(asked.at(-1)?.detail), /deleted and created again/);
    });

    it("are not lost if nothing can be created: the form can save again, and shows the old statement", async () => {
      const before = await create();
      server.over = postingWith(client, (path, ...rest) =>
        path.endsWith("/jobs")
          ? Promise.reject(new AppError("serverFault", "no such luck"))
          : client.post(path, ...rest),
      );
      const page = open(before);
      await page.handlers.send({ ...before, query: "SELECT 4" }, {});
      const { failure } = page.state.current;
      assert.match(
        failure?.text ?? "",
        /old job was deleted, and the new one could not be created/,
      );
      assert.equal(failure?.action, "Show Statement");
      assert.equal(await stored(), undefined);
      server.over = client;
      await page.handlers.send({ ...before, query: "SELECT 4" }, {});
      assert.equal((await stored())?.query, "SELECT 4");
    });

    it("are not lost if the server deletes the old one and the connection breaks before it says so", async () => {
      const before = await create();
      server.over = postingWith(client, async (path, body, ...rest) => {
        const answer = await client.post(path, body, ...rest);
        if (JSON.stringify(body).includes("DROP JOB")) throw new AppError("cutOff", "cut off");
        return answer;
      });
      const page = open(before);
      await page.handlers.send({ ...before, query: "SELECT 7" }, {});
      assert.notEqual(page.state.current.failure, undefined);
      assert.equal(await stored(), undefined);
      server.over = client;
      await page.handlers.send({ ...before, query: "SELECT 7" }, {});
      assert.equal((await stored())?.query, "SELECT 7");
    });

    it("are not created again from statements whose secret is hidden, or after they were deleted", async () => {
      const query = "SELECT 'sk-proj-abcdefghijklmnop1234567890'";
      const before = await create(query);
      const page = open(before);
      await page.handlers.send({ ...before, repeat: "week" }, {});
      assert.match(page.state.current.failure?.text ?? "", /contain a secret that is hidden here/);
      assert.ok(await stored());
      await deleteJob(client, place);
      await page.handlers.send({ ...before, repeat: "week" }, {});
      assert.match(page.state.current.failure?.text ?? "", /no longer in mindsdb/);
      assert.equal(await stored(), undefined);
      assert.deepEqual(asked, []);
    });

    it("are not overwritten unasked if somebody else has changed them", async () => {
      const before = { ...(await create("SELECT 5")), query: "SELECT 1" };
      server.answer = false;
      await open(before).handlers.send({ ...before, query: "SELECT 6" }, {});
      assert.deepEqual(
        asked.map(({ isAlwaysAsked }) => isAlwaysAsked),
        [true],
      );
      assert.match(String(asked[0]?.detail), /changed on the server while this form was open/);
      assert.equal((await stored())?.query, "SELECT 5");
    });
  });

  describe("on their page", () => {
    const open = (): JobPage =>
      new JobPage({ connectionId: "local", ...place }, server.pageOptions);

    it("show earlier runs when they are asked for", async () => {
      await create();
      const limits: number[] = [];
      server.over = postingWith(client, async (path, body, options) => {
        const limit = Number(/ = :name .*LIMIT (\d+)/.exec(JSON.stringify(body))?.[1]);
        if (!Number.isFinite(limit)) return client.post(path, body, options);
        const { params } = body as { params: { name: string } };
        if (params.name !== "nightly") return { type: "table", column_names: [], data: [] };
        limits.push(limit);
        const times = Array.from({ length: 250 }, (_, n) => new Date(n * 60_000).toISOString());
        const data = times.slice(0, limit).map((time) => [time, time, ""]);
        return { type: "table", column_names: ["run_start", "run_end", "error"], data };
      });
      const page = open();
      const shown = () => page.state.current;
      await eventually(() => assert.equal(shown().runs?.length, 100));
      assert.equal(shown().hasEarlier, true);
      await page.handlers.showEarlier();
      assert.equal(shown().runs?.length, 250);
      assert.equal(shown().hasEarlier, false);
      await page.handlers.refresh();
      assert.deepEqual(limits, [100, 1_000, 1_000]);
      page.onClosed();
    });

    it("show their history with errors, also once they are gone", async () => {
      const sql = "CREATE JOB mindsdb.nightly AS (SELECT * FROM files.nothing) EVERY 1 day";
      await runSql(client, sql);
      // The sample server runs what is due when somebody looks.
      await stored();
      const page = open();
      const shown = () => page.state.current;
      await eventually(() => {
        assert.equal(shown().job?.schedule, "every 1 day");
        assert.match(shown().runs?.[0]?.error ?? "", /nothing/);
      });
      await page.handlers.copyStatement();
      await copied(/^CREATE JOB `mindsdb`\.`nightly` AS \(\nSELECT \* FROM files\.nothing\n\)/);
      await deleteJob(client, place);
      await page.handlers.refresh();
      await eventually(() => assert.equal(shown().isGone, true));
      assert.match(shown().notice?.text ?? "", /nightly is no longer in mindsdb\. It was deleted/);
      assert.match(shown().runs?.[0]?.error ?? "", /nothing/);
      page.onClosed();
    });

    it("open the whole error of a run, without secrets", async () => {
      const secret = "made-up-error-secret";
      client.secrets.add(secret);
      const table = `${"x".repeat(3_000)} ${secret}`;
      await runSql(client, `CREATE JOB mindsdb.nightly AS (SELECT * FROM files.\`${table}\`)`);
      await stored();
      const page = open();
      const run = await until("the error", () =>
        page.state.current.runs?.find(({ errorLength }) => errorLength !== undefined),
      );
      assert.equal(run.error?.length, 2_000);
      assert.ok(!("wholeError" in run));
      await page.handlers.openError(run.plannedAt);
      const text = await until("the text", () => {
        const shown = vscode.window.activeTextEditor?.document.getText() ?? "";
        return shown.length > 3_000 && shown;
      });
      assert.ok(!text.includes(secret), text);
      page.onClosed();
    });

    it("run now, after a question, as a job that runs once", async () => {
      await create("SELECT 1", "every day");
      const page = open();
      await until("the job", () => page.state.current.job);
      server.answer = false;
      await page.handlers.runNow();
      assert.deepEqual(
        asked.map(({ isAlwaysAsked, button }) => [isAlwaysAsked, button]),
        [[true, "Run Now"]],
      );
      server.answer = true;
      const count = page.state.current.runs?.length ?? 0;
      await page.handlers.runNow();
      await eventually(async () => {
        await page.handlers.refresh();
        assert.equal(page.state.current.runs?.length, count + 1);
        assert.equal(page.state.current.onceName, undefined);
      });
      assert.equal(page.state.current.isGone, false);
      page.onClosed();
    });
  });
});

describe("The jobs of a server", () => {
  const posted: unknown[] = [];
  const listed = { name: "weekly", query: "SELECT 1", schedule_str: "every 1 week" };
  /** By how many minutes the next run is overdue. */
  let lateBy = 0;
  let fails = { create: false, list: false };

  const at = (ms: number) => new Date(ms).toISOString().replace("T", " ").replace("Z", "000");
  const used = useServer(({ method, path, body }, response) => {
    const isList = path.endsWith("/jobs");
    if (path === "/api/databases/") sendJson(response, 200, [{ name: project, type: "project" }]);
    else if (isList && method === "GET") {
      const next_run_at = at(Date.now() - lateBy * 60_000);
      sendJson(response, fails.list ? 500 : 200, [{ ...listed, next_run_at }]);
    } else if (isList) {
      posted.push((JSON.parse(body) as { job: unknown }).job);
      sendJson(response, fails.create && posted.length === 1 ? 400 : 200, {});
    } else if (body.includes("localtimestamp")) {
      sendJson(response, 200, { type: "table", column_names: ["now"], data: [[at(Date.now())]] });
    } else sendJson(response, 200, { type: "ok" });
  });
  beforeEach(() => {
    posted.length = 0;
    fails = { create: false, list: false };
  });

  it("are overdue once the next run is late by more than five minutes", async () => {
    const servers = { client: () => Promise.resolve(used.client) } as unknown as ServerAccess;
    const overdue = async (minutes: number) => {
      lateBy = minutes;
      return (await loadJobChoices(servers, "local")).overdue;
    };
    assert.equal(await overdue(4), undefined);
    const late = await overdue(6);
    assert.deepEqual([late?.project, late?.name], [project, "weekly"]);
    assert.match(late?.since ?? "", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });

  it("are created once if the server creates one and answers with an error", async () => {
    fails = { create: true, list: false };
    const old = { name: "weekly", query: "SELECT 1" };
    await replaceJob(used.client, project, { old, job: { ...old, query: "SELECT 2" } });
    assert.equal(posted.length, 1);
  });

  it("are put back as they were, also if they cannot be listed, and do not run at once", async () => {
    fails = { create: true, list: true };
    const old = { name: "nightly", query: "SELECT 1", startAt: "2099-01-01 10:00:00" };
    for (const [nextRunAt, startAt] of [
      [undefined, old.startAt],
      ["2099-02-01 10:00:00.5", "2099-02-01 10:00:00"],
    ]) {
      posted.length = 0;
      const replaced = replaceJob(used.client, project, {
        old: { ...old, ...(nextRunAt !== undefined && { nextRunAt }) },
        job: { ...old, query: "SELECT 2" },
      });
      await assert.rejects(replaced, { isRestored: true });
      const [, restored] = posted as { query: string; start_at: string }[];
      assert.deepEqual([restored?.query, restored?.start_at], ["SELECT 1", startAt]);
    }
  });
});
