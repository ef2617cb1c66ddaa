// The page that compares agents, in a browser: rows that change while it runs, its buttons, hostile answers, every theme.
import assert from "node:assert/strict";
import { resultsCalls, type ResultsState } from "../../src/agentTests/resultsPage.ts";
import { numericColumns } from "../../src/shared/textTable.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { hostileTexts } from "./hostile.ts";
import { themeNames, usePanelPages, type PageOptions, type StatePage } from "./panelPages.ts";

type ResultsPage = StatePage<ResultsState, typeof resultsCalls>;

const agents = ["rental_agent", "concierge"];
const columns = [
  "Question",
  ...agents.flatMap((name) => [`${name}: Verdict`, `${name}: Answer`]),
  ...["Time (ms)", "Steps", "SQL"].flatMap((what) => agents.map((name) => `${name}: ${what}`)),
];
const long = `Up to two cats or one dog.\n${"A large dog needs an agreement. ".repeat(9)}`;
const whole = ["Passed", long, "1240", "4", "SELECT * FROM `mindsdb`.`rental_guide`"];
const answers = (first: string[], second: string[]): string[][] =>
  ["May I keep a dog?", "When is rent due?"].map((question) => [
    question,
    ...[first, second].flatMap((ofAgent) => ofAgent.slice(0, 2)),
    ...[2, 3, 4].flatMap((at) => [first[at] ?? "", second[at] ?? ""]),
  ]);

const toTable = (rows: string[][]) => ({ columns, rows, numeric: numericColumns(columns, rows) });

const ended = answers(whole, ["Error", "no key", "80", "0", ""]);
const comparison = {
  id: "c",
  agents: agents.map((name) => {
    return { connectionId: "one", project: "mindsdb", name, label: name };
  }),
  questions: ["May I keep a dog?", "When is rent due?"],
};
const state: ResultsState = {
  title: "Compare Agents",
  place: "rental_agent, concierge",
  table: toTable(ended),
  status: "2 of 4 answers",
  isLoading: false,
  hasOpen: true,
  verdicts: [
    ["passed", "error"],
    ["passed", "error"],
  ],
  isJudged: true,
  summary: agents.map((label, at) => {
    return { label, passed: 2 - 2 * at, of: 2, meanMs: 1240.4, meanSteps: 3.54 };
  }),
  comparison,
};

describe("The page that compares agents", () => {
  const pages = usePanelPages("src/agentTests/page/resultsPage.tsx");

  const open = (change: Partial<ResultsState> = {}, options?: PageOptions): Promise<ResultsPage> =>
    pages.show(resultsCalls, { ...state, ...change }, options);

  it("fills its cells as answers come, and keeps the active one", async () => {
    const empty = ["Running", "", "", "", ""];
    const results = await open({ table: toTable(answers(empty, empty)), isLoading: true });
    await results.page.getByText("Running").first().waitFor();
    assert.equal(await results.button("Run Failed Tests Again").isVisible(), false);
    await results.page.locator(".grid-body .grid-row").first().locator(".cell").nth(2).click();
    await results.update({ table: toTable(ended), isLoading: false });
    const shown = results.page.getByRole("group", { name: "rental_agent: Answer, row 1" });
    assert.match(await shown.innerText(), /^Up to two cats[\s\S]*an agreement/);
    assert.equal(await results.button("Cancel").isVisible(), false);
    assert.equal(await results.page.locator(".grid").count(), 1);
  });

  it("calls the host for each button", async () => {
    const results = await open({ isLoading: true });
    await results.button("Cancel").click();
    await results.update({ isLoading: false });
    await results.button("Run Failed Tests Again").click();
    await results.button("Export…").click();
    await results.page.locator(".grid-body .cell", { hasText: "Passed" }).last().click();
    await results.button("Run Cell Again").click();
    await results.button("Open Run").click();
    await results.page.locator(".grid-body .cell", { hasText: "Passed" }).first().click();
    await results.page.locator(".grid").press("Control+c");
    await results.page.locator(".grid").press("Enter");
    await results.page.locator(".grid-body .cell", { hasText: "Passed" }).last().dblclick();
    const calls = [
      ["cancel"],
      ["runOpen"],
      ["exportTable"],
      ["runCell", 1, 1],
      ["openRun", 1, 1],
      ["copyText", "Passed"],
      ["openRun", 0, 1],
      ["openRun", 1, 1],
    ];
    await eventually(() => assert.deepEqual(results.calls, calls));
    assert.deepEqual(await results.state(), { comparison });
    await results.update({ hasOpen: false, comparison: undefined });
    assert.equal(await results.button("Run Failed Tests Again").isVisible(), false);
    assert.equal(await results.button("Run Cell Again").isVisible(), false);
  });

  it("sums up how each agent has done, and marks the verdicts", async () => {
    const results = await open();
    const summary = results.page.getByRole("table", { name: "Summary" });
    assert.deepEqual(await summary.locator("tbody tr").allInnerTexts(), [
      "rental_agent\t2 of 2\t1,240\t3.5",
      "concierge\t0 of 2\t1,240\t3.5",
    ]);
    const heads = summary.locator("th");
    assert.equal(await heads.nth(1).innerText(), "Passed");
    const marked = results.page.locator(".grid-body .grid-row").first();
    await marked.locator(".cell:has(.codicon-pass)", { hasText: "Passed" }).waitFor();
    await marked.locator(".cell:has(.codicon-warning)", { hasText: "Error" }).waitFor();
  });

  it("does not call answers passed that nothing was expected of", async () => {
    const results = await open({ isJudged: false });
    const heads = results.page.getByRole("table", { name: "Summary" }).locator("th");
    assert.deepEqual((await heads.allInnerTexts()).slice(0, 2), ["Agent", "Answered"]);
  });

  it("shows hostile answers as text", async () => {
    const results = await open({ title: hostileTexts[0] ?? "" });
    const hostile = hostileTexts.map((text) => columns.map(() => text));
    await results.update({ table: toTable(hostile) });
    await results.page.locator(".grid-body .grid-row").first().waitFor();
    assert.equal(await results.page.locator("main img, main script, main iframe").count(), 0);
  });

  for (const theme of themeNames) {
    it(`is accessible in ${theme}`, async () => {
      const results = await open({}, { theme });
      await results.page.locator(".grid-body .cell", { hasText: "Up to two" }).first().click();
      await results.checkLook(`agentResults-${theme}`, { cutCells: true });
    });
  }
});
