// The form and the page of a job in a browser: what they post to the host, and how they look.
import assert from "node:assert/strict";
import { emptyJobDraft, type JobDraft } from "../../src/jobs/jobDraft.ts";
import { jobFormCalls, type JobFormState } from "../../src/jobs/jobForm.ts";
import { jobCalls, type JobContent } from "../../src/jobs/jobPage.ts";
import type { ItemState } from "../../src/shared/itemPage.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import {
  itemState,
  looksRight,
  usePanelPages,
  type PageOptions,
  type StatePage,
} from "./panelPages.ts";

const query = "INSERT INTO files.daily (SELECT * FROM files.home_rentals WHERE sqft > 700)";
const draft: JobDraft = {
  ...emptyJobDraft("mindsdb"),
  name: "nightly",
  query,
  start: "2099-01-31 10:00:00",
};

describe("The form of a job", () => {
  type FormPage = StatePage<JobFormState, typeof jobFormCalls>;
  const pages = usePanelPages("src/jobs/page/jobForm.tsx");

  const open = (
    { before, initial = draft }: { before?: JobDraft; initial?: JobDraft } = {},
    options?: PageOptions,
  ): Promise<FormPage> => {
    const form = { id: "one", connectionId: "local", initial, draft: initial, before };
    const choices = { projects: ["mindsdb"], jobs: [], aheadMs: 0 };
    const state: JobFormState = { form, connection: "127.0.0.1:47334", choices };
    return pages.show(jobFormCalls, state, options);
  };

  it("sends a complete draft with a plain name and the statements as typed", async () => {
    const form = await open({ initial: emptyJobDraft("mindsdb") });
    await form.press("Create Job");
    await form.page.getByText("2 fields need attention.").waitFor();
    const typed = `-- why\n${query};\nSELECT 1`;
    await form.field("name").locator("input").fill("Nightly");
    await form.field("query").locator("textarea").fill(typed);
    await form.field("repeat").locator("select").selectOption("other");
    await form.field("interval").locator("input").fill("30 minutes");
    await form.press("Create Job");
    const sent: JobDraft = { ...draft, query: typed, start: "", repeat: "other" };
    await eventually(() =>
      assert.deepEqual(form.made("send"), [["send", { ...sent, interval: "30 minutes" }, {}]]),
    );
  });

  it("shows the next five runs as the schedule is typed", async () => {
    const form = await open({ before: draft });
    assert.equal(await form.field("name").count(), 0);
    const runs = form.page.getByRole("region", { name: "Next Runs" }).locator("li");
    await eventually(async () => assert.equal(await runs.count(), 5));
    await form.field("repeat").locator("select").selectOption("month");
    await form.field("end").locator("input").fill("2099-03-01 00:00:00");
    await eventually(async () =>
      assert.deepEqual(await runs.allInnerTexts(), ["2099-01-31 10:00:00", "2099-02-28 10:00:00"]),
    );
    await form.field("start").locator("input").fill("2020-01-01 00:00:00");
    await form.page
      .getByText("This time has passed: the server runs the job immediately.")
      .waitFor();
  });

  looksRight("job-form", async (theme) => {
    const form = await open({}, { theme });
    const text = "Server message: Unable to parse";
    const overdue = { project: "mindsdb", name: "weekly", since: "2026-11-20 10:00:00" };
    await form.update({
      failure: { field: "query", text },
      choices: { projects: ["mindsdb"], jobs: [], aheadMs: 0, overdue },
    });
    await form.field("query").getByText(text).waitFor();
    await form.page.getByText(/^The server may not be running jobs: /).waitFor();
    return form;
  });
});

describe("The page of a job", () => {
  type State = ItemState & JobContent;
  type JobPage = StatePage<State, typeof jobCalls>;
  const pages = usePanelPages("src/jobs/page/jobPage.tsx");

  const error = "Server message: Table 'nothing' not found in the data source files";
  const start: State = {
    ...itemState("mindsdb", "nightly"),
    job: {
      name: "nightly",
      query,
      condition: "SELECT 1 FROM files.home_rentals",
      schedule: "every 1 day",
      startAt: "2026-11-01 10:00:00.000000",
      nextRunAt: "2026-11-27 10:00:00.000000",
    },
    runs: [
      { plannedAt: "2026-11-26 10:00:00.000000", endedAt: "2026-11-26 10:00:01.500000", error },
      { plannedAt: "2026-11-25 10:00:00", endedAt: "2026-11-25 10:00:02" },
    ],
  };
  const open = (change: Partial<State> = {}, options?: PageOptions): Promise<JobPage> =>
    pages.show(jobCalls, { ...start, ...change }, options);
  /** So many runs, of which four failed. */
  const runsWithFailures = (count: number) =>
    Array.from({ length: count }, (_, n) => {
      const plannedAt = new Date(Date.UTC(2026, 10, 27) - n * 60_000).toISOString();
      return { plannedAt, endedAt: plannedAt, ...(n % (count / 4) === 7 && { error }) };
    });

  it("shows the beginning of a text of millions of characters, which would take a minute", async () => {
    const job = await open({ job: { ...start.job!, query: "a\n".repeat(2_500_000) } });
    const shown = await job.page.getByRole("region", { name: "Statements" }).textContent();
    assert.equal(shown?.length, 200_000);
  });

  it("opens the whole text of an error that is cut", async () => {
    const plannedAt = "2026-11-26 10:00:00.000000";
    const cut = { plannedAt, error: `${error}…`, errorLength: 5_000 };
    const job = await open({ runs: [cut, ...start.runs!.slice(0, 1)] });
    const whole = job.button("Open Whole Text (5,000 characters)");
    assert.equal(await whole.count(), 1);
    await whole.click();
    await eventually(() => assert.deepEqual(job.calls, [["openError", plannedAt]]));
  });

  it("calls the host for each button; of a job that is gone the history stays", async () => {
    const job = await open();
    for (const name of ["Run Now", "Edit", "Copy CREATE Statement", "Refresh"]) {
      await job.button(name).click();
    }
    await eventually(() =>
      assert.deepEqual(job.calls, [["runNow"], ["edit"], ["copyStatement"], ["refresh"]]),
    );
    await job.update({ onceName: "nightly_run_now" });
    await job.page.getByText(/^nightly_run_now is waiting for the server/).waitFor();
    await eventually(async () => assert.equal(await job.button("Run Now").isDisabled(), true));
    const notice = { text: "nightly is no longer in mindsdb." };
    await job.update({ isGone: true, notice, onceName: undefined });
    await job.page.getByText(notice.text).waitFor();
    await eventually(async () => assert.equal(await job.button("Run Now").count(), 0));
    await job.page.getByRole("cell", { name: error }).waitFor();
  });

  it("finds the failed runs among 2,000, and asks for earlier ones", async () => {
    const runs = runsWithFailures(2_000);
    const job = await open({ runs, hasEarlier: true });
    const rows = job.page.locator(".job-runs tbody tr");
    await eventually(async () => assert.equal(await rows.count(), 100));
    await job.page.getByText("These are the last 2,000 runs.").waitFor();
    await job.button("Load Earlier Runs").click();
    await eventually(() => assert.deepEqual(job.calls, [["showEarlier"]]));
    await job.page.getByRole("searchbox", { name: "Filter" }).fill("failed");
    await eventually(async () => assert.equal(await rows.count(), 4));
    await job.page.getByText("4 of 2,000").waitFor();
  });

  looksRight("job-page-filtered", async (theme) => {
    const job = await open({ runs: runsWithFailures(200), hasEarlier: true }, { theme });
    await job.page.getByRole("searchbox", { name: "Filter" }).fill("failed");
    await job.page.getByText("4 of 200").waitFor();
    return job;
  });

  it("says that there is no history, or no run yet", async () => {
    const job = await open({ runs: [] });
    await job.page.getByText("The job has not run yet.").waitFor();
    await job.update({ runs: null });
    await job.page.getByText("This server has no job history.").waitFor();
  });

  looksRight("job-page", async (theme) => {
    const job = await open({}, { theme });
    await job.page.getByRole("cell", { name: error }).waitFor();
    return job;
  });
});
