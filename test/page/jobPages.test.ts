// The form and the page of a job in a browser: what they post to the host, and how they look.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { emptyJobDraft, type JobDraft } from "../../src/jobs/jobDraft.ts";
import { jobFormCalls, type JobFormState } from "../../src/jobs/jobForm.ts";
import { jobCalls, type JobContent } from "../../src/jobs/jobPage.ts";
import type { ItemState } from "../../src/shared/itemPage.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { clippedElements } from "../e2e/lib/clippedElements.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { PanelPages, themeNames, type PageOptions, type StatePage } from "./panelPages.ts";

const pictures = path.resolve(import.meta.dirname, "..", "..", "out", "screenshots", "page");
const query = "INSERT INTO files.daily (SELECT * FROM files.home_rentals WHERE sqft > 700)";
const draft: JobDraft = {
  ...emptyJobDraft("mindsdb"),
  name: "nightly",
  query,
  start: "2099-01-31 10:00:00",
};

describe("The form of a job", function () {
  this.timeout(60_000);
  type FormPage = StatePage<JobFormState, typeof jobFormCalls>;
  let pages: PanelPages;
  before(async () => {
    pages = await PanelPages.start("src/jobs/page/jobForm.tsx");
    fs.mkdirSync(pictures, { recursive: true });
  });
  after(() => pages.stop());

  const open = (
    { before, initial = draft }: { before?: JobDraft; initial?: JobDraft } = {},
    options?: PageOptions,
  ): Promise<FormPage> => {
    const form = { id: "one", connectionId: "local", initial, draft: initial, before };
    const choices = { projects: ["mindsdb"], jobs: [], aheadMs: 0 };
    const state: JobFormState = { form, connection: "127.0.0.1:47334", choices };
    return pages.show(jobFormCalls, state, options);
  };
  const field = ({ page }: FormPage, name: string) => page.locator(`.field[data-field="${name}"]`);
  const press = ({ page }: FormPage, name: string) =>
    page.getByRole("button", { name, exact: true }).click();

  it("sends a complete draft with a plain name and the statements as typed", async () => {
    const form = await open({ initial: emptyJobDraft("mindsdb") });
    await press(form, "Create Job");
    await form.page.getByText("2 fields need attention.").waitFor();
    const typed = `-- why\n${query};\nSELECT 1`;
    await field(form, "name").locator("input").fill("Nightly");
    await field(form, "query").locator("textarea").fill(typed);
    await field(form, "repeat").locator("select").selectOption("other");
    await field(form, "interval").locator("input").fill("30 minutes");
    await press(form, "Create Job");
    const sent: JobDraft = { ...draft, query: typed, start: "", repeat: "other" };
    await eventually(() =>
      assert.deepEqual(
        form.calls.filter(([call]) => call === "send"),
        [["send", { ...sent, interval: "30 minutes" }, {}]],
      ),
    );
    await form.close();
  });

  it("shows the next five runs as the schedule is typed", async () => {
    const form = await open({ before: draft });
    assert.equal(await field(form, "name").count(), 0);
    const runs = form.page.getByRole("region", { name: "Next Runs" }).locator("li");
    await eventually(async () =>
      assert.deepEqual(await runs.allInnerTexts(), [
        "2099-01-31 10:00:00",
        "2099-02-01 10:00:00",
        "2099-02-02 10:00:00",
        "2099-02-03 10:00:00",
        "2099-02-04 10:00:00",
      ]),
    );
    await field(form, "repeat").locator("select").selectOption("month");
    await field(form, "end").locator("input").fill("2099-03-01 00:00:00");
    await eventually(async () =>
      assert.deepEqual(await runs.allInnerTexts(), ["2099-01-31 10:00:00", "2099-02-28 10:00:00"]),
    );
    await field(form, "start").locator("input").fill("2020-01-01 00:00:00");
    await form.page
      .getByText("This time has passed: the server runs the job immediately.")
      .waitFor();
    await form.close();
  });

  for (const theme of themeNames) {
    it(`looks right (${theme}), wide and narrow`, async () => {
      const form = await open({}, { theme });
      const text = "Server message: Unable to parse";
      const overdue = { project: "mindsdb", name: "weekly", since: "2026-11-20 10:00:00" };
      await form.update({
        failure: { field: "query", text },
        choices: { projects: ["mindsdb"], jobs: [], aheadMs: 0, overdue },
      });
      await field(form, "query").getByText(text).waitFor();
      await form.page.getByText(/^The server may not be running jobs: /).waitFor();
      assert.deepEqual(await axeViolations(form.page.mainFrame()), []);
      await form.page.screenshot({
        path: path.join(pictures, `job-form-${theme}.png`),
        fullPage: true,
      });
      await form.page.setViewportSize({ width: 300, height: 700 });
      assert.deepEqual(await clippedElements(form.page.mainFrame()), []);
      await form.page.screenshot({ path: path.join(pictures, `job-form-narrow-${theme}.png`) });
      await form.close();
    });
  }
});

describe("The page of a job", function () {
  this.timeout(60_000);
  type State = ItemState & JobContent;
  type JobPage = StatePage<State, typeof jobCalls>;
  let pages: PanelPages;
  before(async () => {
    pages = await PanelPages.start("src/jobs/page/jobPage.tsx");
    fs.mkdirSync(pictures, { recursive: true });
  });
  after(() => pages.stop());

  const error = "Server message: Table 'nothing' not found in the data source files";
  const start: State = {
    item: { connectionId: "local", project: "mindsdb", name: "nightly" },
    title: "nightly",
    connection: "127.0.0.1:47334",
    isLoading: false,
    isGone: false,
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
  const button = ({ page }: JobPage, name: string) => page.getByRole("button", { name });
  /** So many runs, of which four failed. */
  const runsWithFailures = (count: number) =>
    Array.from({ length: count }, (_, n) => {
      const plannedAt = new Date(Date.UTC(2026, 10, 27) - n * 60_000).toISOString();
      return { plannedAt, endedAt: plannedAt, ...(n % (count / 4) === 7 && { error }) };
    });
  const picture = ({ page }: JobPage, name: string) =>
    page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });

  it("shows the beginning of a text of millions of characters, which would take a minute", async () => {
    const job = await open({ job: { ...start.job!, query: "a\n".repeat(2_500_000) } });
    const shown = await job.page.getByRole("region", { name: "Statements" }).textContent();
    assert.equal(shown?.length, 200_000);
    await job.close();
  });

  it("opens the whole text of an error that is cut", async () => {
    const plannedAt = "2026-11-26 10:00:00.000000";
    const cut = { plannedAt, error: `${error}…`, errorLength: 5_000 };
    const job = await open({ runs: [cut, ...start.runs!.slice(0, 1)] });
    const whole = button(job, "Open Whole Text (5,000 characters)");
    assert.equal(await whole.count(), 1);
    await whole.click();
    await eventually(() => assert.deepEqual(job.calls, [["openError", plannedAt]]));
    await job.close();
  });

  it("calls the host for each button; of a job that is gone the history stays", async () => {
    const job = await open();
    for (const name of ["Run Now", "Edit", "Copy CREATE Statement", "Refresh"]) {
      await button(job, name).click();
    }
    await eventually(() =>
      assert.deepEqual(job.calls, [["runNow"], ["edit"], ["copyStatement"], ["refresh"]]),
    );
    await job.update({ onceName: "nightly_run_now" });
    await job.page.getByText(/^nightly_run_now is waiting for the server/).waitFor();
    await eventually(async () => assert.equal(await button(job, "Run Now").isDisabled(), true));
    const notice = { text: "nightly is no longer in mindsdb." };
    await job.update({ isGone: true, notice, onceName: undefined });
    await job.page.getByText(notice.text).waitFor();
    await eventually(async () => assert.equal(await button(job, "Run Now").count(), 0));
    await job.page.getByRole("cell", { name: error }).waitFor();
    await job.close();
  });

  it("finds the failed runs among 2,000, and asks for earlier ones", async () => {
    const runs = runsWithFailures(2_000);
    const job = await open({ runs, hasEarlier: true });
    const rows = job.page.locator(".job-runs tbody tr");
    await eventually(async () => assert.equal(await rows.count(), 100));
    await job.page.getByText("These are the last 2,000 runs.").waitFor();
    await button(job, "Load Earlier Runs").click();
    await eventually(() => assert.deepEqual(job.calls, [["showEarlier"]]));
    await job.page.getByRole("searchbox", { name: "Filter" }).fill("failed");
    await eventually(async () => assert.equal(await rows.count(), 4));
    await job.page.getByText("4 of 2,000").waitFor();
    await job.close();
  });

  for (const theme of themeNames) {
    it(`shows a long history that is filtered, wide and narrow (${theme})`, async () => {
      const job = await open({ runs: runsWithFailures(200), hasEarlier: true }, { theme });
      await job.page.getByRole("searchbox", { name: "Filter" }).fill("failed");
      await job.page.getByText("4 of 200").waitFor();
      assert.deepEqual(await axeViolations(job.page.mainFrame()), []);
      await picture(job, `job-page-filtered-${theme}`);
      await job.page.setViewportSize({ width: 300, height: 700 });
      assert.deepEqual(await clippedElements(job.page.mainFrame()), []);
      await picture(job, `job-page-filtered-narrow-${theme}`);
      await job.close();
    });
  }

  it("says that there is no history, or no run yet", async () => {
    const job = await open({ runs: [] });
    await job.page.getByText("The job has not run yet.").waitFor();
    await job.update({ runs: null });
    await job.page.getByText("This server has no job history.").waitFor();
    await job.close();
  });

  for (const theme of themeNames) {
    it(`looks right (${theme}), wide and narrow`, async () => {
      const job = await open({}, { theme });
      await job.page.getByRole("cell", { name: error }).waitFor();
      assert.deepEqual(await axeViolations(job.page.mainFrame()), []);
      await job.page.screenshot({ path: path.join(pictures, `job-page-${theme}.png`) });
      await job.page.setViewportSize({ width: 300, height: 700 });
      assert.deepEqual(await clippedElements(job.page.mainFrame()), []);
      await job.page.screenshot({ path: path.join(pictures, `job-page-narrow-${theme}.png`) });
      await job.close();
    });
  }
});
