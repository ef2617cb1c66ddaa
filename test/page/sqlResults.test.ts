// The view with the results of SQL files, in a browser: tabs, rows, copies, keyboard, themes.
import assert from "node:assert/strict";
import type { ResultRow, ToHost } from "../../src/predict/messages.ts";
import {
  sqlResultsCalls,
  type SqlResultTab,
  type SavedSqlResult,
  type ShownResult,
  type SqlResultsState,
} from "../../src/predict/sqlFile/sqlResultsPage.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { hostileTens } from "./hostile.ts";
import { themeNames, usePanelPages, type PageOptions } from "./panelPages.ts";

const count = 1_000;

function rowsFrom(from: number, to: number): ResultRow[] {
  return Array.from({ length: to - from }, (_, index) => {
    const number = from + index + 1;
    return { number, values: [String(number), '"downtown"', null] };
  });
}

const result: ShownResult = {
  runId: "first",
  statement: "SELECT * FROM files.home_rentals WHERE location = 'great'",
  place: "rentals.mindsdb.sql · Local · sales",
  state: { kind: "done" },
  count,
  refused: 0,
  notes: [],
  columns: [
    { name: "sqft", part: "input", kind: "number" },
    { name: "neighborhood", part: "input", kind: "text" },
    { name: "price", part: "input", kind: "text" },
  ],
  first: rowsFrom(0, 20),
  locale: "en",
  texts: {},
};
const saved: SavedSqlResult = {
  runId: "first",
  connectionId: "local",
  statement: result.statement,
  canRun: true,
  place: result.place,
};
const failed: ShownResult = {
  ...result,
  runId: "second",
  statement: "SELECT nosuch FROM files.home_rentals",
  state: { kind: "failed", message: 'column "nosuch" does not exist' },
  count: 0,
  columns: [],
  first: [],
};
const tab = ({ runId, statement, state }: ShownResult): SqlResultTab => ({
  runId,
  title: statement,
  isRunning: state.kind === "running",
  hasFailed: state.kind === "failed",
});
const state: SqlResultsState = { tabs: [result, failed].map(tab), shown: result };

describe("The view with the results of SQL files", () => {
  const pages = usePanelPages("src/predict/page/sqlResults/sqlResultsPage.tsx");

  const open = (shown: SqlResultsState, options?: PageOptions, all = rowsFrom(0, count)) =>
    pages.show(sqlResultsCalls, shown, {
      width: 900,
      height: 360,
      handlers: {
        send: (message: ToHost) => {
          if (message.type === "copy" && message.format === "json") {
            return { type: "copied", runId: message.runId, count: 7 };
          }
          if (message.type !== "window") return undefined;
          const { runId, instance, request, from } = message;
          const rows = all.slice(from, from + message.count);
          return { type: "window", runId, instance, request, total: all.length, from, rows };
        },
      },
      ...options,
    });

  /** Opens a result's chart. */
  const openChart = async (shown: ShownResult, options: PageOptions = {}, all = shown.first) => {
    const view = await open({ tabs: [tab(shown)], shown }, options, all);
    await view.page.getByRole("button", { name: "Show Chart" }).press("Enter");
    return view;
  };

  it("shows the selected result, whose rows the host sends", async () => {
    const view = await open(state);
    const { page } = view;
    await page.getByText("rentals.mindsdb.sql · Local · sales").waitFor();
    await page.getByRole("gridcell", { name: "downtown" }).first().waitFor();
    await eventually(async () => {
      await page.getByRole("grid").press("Control+End");
      assert.ok((await page.getByRole("gridcell", { name: /^1,?000$/ }).count()) > 0);
    });
    await page.getByRole("button", { name: "Copy as JSON" }).click();
    await eventually(() => {
      const sent = view.calls.findLast(([name]) => name === "send")?.[1] as { type: string };
      assert.equal(sent.type, "copy");
    });
    const status = page.locator(".tools [role=status]");
    await eventually(async () => assert.equal(await status.innerText(), "Copied 7 rows"));
    // The host refuses this one.
    await page.getByRole("button", { name: "Copy as INSERT" }).click();
    await eventually(() => {
      const sent = view.calls.findLast(([name]) => name === "send")?.[1] as { format?: string };
      assert.equal(sent.format, "insert");
    });
    assert.equal(await status.innerText(), "");
    await view.update({ shown: failed });
    await page.getByText('column "nosuch" does not exist').waitFor();
    assert.equal(await page.getByText("downtown").count(), 0);
  });

  it("tells how long the statement took, in the first line", async () => {
    const { page } = await open({ tabs: [tab(result)], shown: { ...result, seconds: 1.236 } });
    await page.getByText("1,000 rows").waitFor();
    assert.equal(await page.locator(".result-bar .seconds").innerText(), "1.24 s");
    await page.getByTitle("The time from sending the statement").waitFor();
  });

  it("opens warnings where they leave room for rows, and those of a result without rows", async () => {
    const notes = ["This may be wrong."];
    for (const [height, count, isOpen] of [
      [360, 1_000, false],
      [600, 1_000, true],
      [360, 0, true],
    ] as const) {
      const shown = { ...result, count, notes, first: result.first.slice(0, count) };
      const { page } = await open({ tabs: [tab(result)], shown }, { height }, rowsFrom(0, count));
      const details = page.locator("details", { hasText: "1 warning" });
      await details.waitFor();
      assert.equal(await details.evaluate((one: HTMLDetailsElement) => one.open), isOpen);
    }
  });

  it("is used by keyboard", async () => {
    const view = await open(state);
    const { page } = view;
    const tabs = page.getByRole("tab");
    await tabs.first().focus();
    await tabs.first().press("ArrowDown");
    await eventually(() => {
      assert.deepEqual(
        view.calls.find(([name]) => name === "select"),
        ["select", "second"],
      );
    });
    await page.getByRole("button", { name: "Close Result" }).press("Enter");
    await view.called("close", "first");
    await view.update({ tabs: [], shown: undefined });
    await page.getByText("Run a statement in a SQL file").waitFor();
  });

  it("pins results", async () => {
    const view = await open(state);
    const { page } = view;
    await page.getByRole("button", { name: "Pin Result", exact: true }).press("Enter");
    await view.called("pin", "first", true);
    const [first, second] = state.tabs;
    await view.update({ tabs: [{ ...first!, isPinned: true }, second!] });
    await page.getByRole("tab", { name: /pinned/ }).waitFor();
    await page.getByRole("button", { name: "Unpin Result" }).press("Enter");
    await view.called("pin", "first", false);
  });

  it("opens a result in an editor, which has rows and no tabs", async () => {
    const view = await open(state);
    await view.page.getByRole("button", { name: "Open in Editor" }).press("Enter");
    await view.called("openInEditor", "first");
    await view.update({ tabs: [], editor: saved });
    await eventually(async () => assert.equal(await view.page.getByRole("tab").count(), 0));
    await view.page.getByRole("gridcell", { name: "downtown" }).first().waitFor();
    assert.equal(await view.page.getByRole("button", { name: /Result$|Editor/ }).count(), 0);
  });

  it("leaves room for rows in a narrow panel, and beside many results", async () => {
    const view = await open(state);
    const { page } = view;
    const heightOf = (selector: string) =>
      page.locator(selector).evaluate((shown) => shown.getBoundingClientRect().height);
    const tabHeight = () => heightOf('[role="tab"][aria-selected="true"]');
    assert.ok((await heightOf(".tools")) < 40, "the tools take more than one line");
    assert.ok((await tabHeight()) < 50);
    await page.setViewportSize({ width: 300, height: 360 });
    await eventually(async () => assert.ok((await heightOf(".tools")) < 110));
    assert.ok((await tabHeight()) < 30);
    assert.ok((await heightOf(".grid")) > 120);
  });

  it("says in an editor that its result is no longer stored, and runs the statement again", async () => {
    const gone = { tabs: [], editor: saved, isGone: true };
    const view = await open(gone);
    await view.page.getByText("The rows of this result are no longer stored.").waitFor();
    await view.page.getByText(saved.statement).waitFor();
    await view.page.getByText(saved.place).waitFor();
    await view.page.getByRole("button", { name: "Run Again" }).click();
    const run = { type: "run", runId: "first", anyway: false };
    await view.called("send", run);
    await view.update({ editor: { ...saved, statement: "" } });
    await eventually(async () => assert.equal(await view.page.getByRole("button").count(), 0));
  });

  it("labels each bar of a chart, or the first of neighbors with one label where there is no room", async () => {
    const ids = [1, 1, 1, 2, 2, 1];
    const rows = ids.map((id, at): ResultRow => {
      return { number: at + 1, values: [String(id), String(at), "0"] };
    });
    const columns = result.columns.map((one) => ({ ...one, kind: "number" as const }));
    const view = await openChart({ ...result, columns, count: rows.length, first: rows });
    const labels = view.page.locator(".chart text.across");
    await eventually(async () =>
      assert.deepEqual(await labels.allTextContents(), ["1", "1", "1", "2", "2", "1"]),
    );
    await view.page.setViewportSize({ width: 420, height: 500 });
    await eventually(async () => assert.deepEqual(await labels.allTextContents(), ["1", "2"]));
  });

  it("draws the first rows as a chart, and as a table behind it", async () => {
    const view = await open(state);
    const { page } = view;
    const rows = page.getByRole("gridcell", { name: "downtown" }).first();
    await rows.waitFor();
    await page.getByRole("button", { name: "Show Chart" }).press("Enter");
    const chart = page.getByRole("img", { name: "sqft by sqft" });
    await chart.waitFor();
    await eventually(async () => assert.equal(await chart.locator("rect").count(), count));
    assert.equal(await rows.isVisible(), false);
    await page.getByLabel("X axis").selectOption({ label: "neighborhood" });
    await page.getByLabel("Chart type").selectOption({ label: "Line" });
    const line = page.getByRole("img", { name: "sqft by neighborhood" });
    await eventually(async () => assert.equal(await line.locator("polyline").count(), 1));
    await page.getByText("Show as Table").press("Enter");
    await eventually(async () => {
      const cells = page.getByRole("table", { name: "sqft by neighborhood" }).getByRole("cell");
      assert.deepEqual((await cells.allInnerTexts()).slice(0, 4), [
        "downtown",
        "1",
        "downtown",
        "2",
      ]);
    });
    // The table is longer than the view: the button to leave the chart stays in sight.
    const leave = page.getByRole("button", { name: "Show Rows" });
    await page.getByRole("cell", { name: "1000", exact: true }).scrollIntoViewIfNeeded();
    await eventually(async () => {
      const scrolled = await page.locator(".chart").evaluate((chart) => chart.scrollTop);
      const top = (await leave.boundingBox())?.y ?? -1;
      assert.ok(scrolled > 0 && top >= 0, `scrolled ${String(scrolled)}, top ${String(top)}`);
    });
    await leave.press("Enter");
    await rows.waitFor();
  });

  it("draws values and labels of any kind, with their digits, and cuts long ones", async () => {
    const odd = [
      ["1e308", "1e308"],
      ["-1.7976931348623157e308", "-1e308"],
      ["-0", "-0"],
      ["9007199254740993", "0.1234567890123456789"],
      ['"NaN"', "5"],
      ['"Infinity"', "1e400"],
      ["null", null],
      ['"275760-09-13T00:00:00Z"', "7"],
      ['"-271821-04-20"', "8"],
      ['"1_000"', '"NaN"'],
      [JSON.stringify("<img src=x onerror=pwned()><b>"), "9"],
      [JSON.stringify("\u202e$(x)\0\ud800"), "10"],
      [JSON.stringify("{0} {1} $&"), "11"],
    ];
    const long = "<i>".repeat(3_333);
    const filler = Array.from({ length: count - odd.length }, (_, at) => [
      JSON.stringify(`${String(at)} ${long}`),
      String(at),
    ]);
    const all = [...odd, ...filler].map((values, at) => ({ number: at + 1, values }));
    const columns = (
      [
        ["<u>{1}</u>", "text"],
        [`amount ${long}`, "number"],
      ] as const
    ).map(([name, kind]) => ({ name, kind, part: "input" as const }));
    const shown: ShownResult = { ...result, columns, count: 100_000, first: all.slice(0, 20) };
    const { page } = await openChart(shown, {}, all);
    const svg = page.locator(".chart svg");
    for (const kind of ["bar", "line", "scatter"]) {
      await page.getByLabel("Chart type").selectOption(kind);
      for (const x of ["0", "1"]) {
        await page.getByLabel("X axis").selectOption(x);
        await eventually(async () => {
          const marks = await svg.locator(".mark").count();
          // Without what is no number: 1e400, null and NaN.
          assert.equal(marks, count - 3, kind);
        });
        assert.doesNotMatch(await svg.evaluate((one) => one.outerHTML), /NaN|Infinity"|undefined/);
        assert.equal(await svg.locator("img, b, i, u").count(), 0);
      }
    }
    await page.getByLabel("X axis").selectOption("0");
    await page.getByText("Show as Table").press("Enter");
    const cells = page.locator(".chart td");
    await eventually(async () => assert.equal(await cells.count(), 2 * (count - 3)));
    const texts = (await cells.allTextContents()).slice(0, 20);
    const expected = odd.filter(([, value]) => value && !["1e400", '"NaN"'].includes(value));
    assert.deepEqual(
      texts,
      expected.flatMap(([label, value]) => {
        const plain = label!.startsWith('"') ? (JSON.parse(label!) as string) : label!;
        return [plain, value!];
      }),
    );
    assert.equal(await page.locator(".chart td > *").count(), 0);
    // Laying out the 10 million characters of these labels takes ten seconds.
    const { length } = (await page.locator(".chart").textContent()) ?? "";
    assert.ok(length < 500 * count, `${String(length)} characters`);
  });

  it("shows a narrow range of values at the side of a chart with their digits", async () => {
    const first = ["1000001", "1000001.5"].map((value, at) => ({
      number: at + 1,
      values: [`"${"ab"[at]!}"`, value],
    }));
    const columns: ShownResult["columns"] = [
      { name: "name", part: "input", kind: "text" },
      { name: "amount", part: "input", kind: "number" },
    ];
    const { page } = await openChart({ ...result, columns, count: 2, first });
    await page.getByLabel("Chart type").selectOption({ label: "Scatter" });
    await eventually(async () =>
      assert.deepEqual(await page.locator(".chart .up").allTextContents(), [
        "1,000,001",
        "1,000,001.5",
      ]),
    );
  });

  it("draws a chart that is all in sight in a low panel, with its labels", async () => {
    // A panel of VS Code's default height, and one that is lower still, and narrow.
    for (const [width, height] of [
      [900, 200],
      [420, 260],
    ] as const) {
      const view = await openChart(result, { width, height }, rowsFrom(0, count));
      const { page } = view;
      await page.locator(".chart rect").first().waitFor({ state: "attached" });
      await eventually(async () => {
        const { bottom } = await page
          .locator(".chart svg")
          .evaluate((svg) => svg.getBoundingClientRect());
        const labels = await page
          .locator(".chart .across")
          .evaluateAll((found) => found.map((text) => text.getBoundingClientRect().bottom));
        assert.ok(bottom <= height, `${String(bottom)} of ${String(height)}`);
        assert.ok(labels.length >= 2 && labels.every((label) => label <= height));
      });
      await view.close();
    }
  });

  it("has a line for each result of the list in a low panel, with rows in sight", async () => {
    const long = { ...result, statement: `SELECT ${"a_long_column, ".repeat(20)} b FROM files.t` };
    const word = { ...failed, statement: `SELECT * FROM ${"sales_".repeat(10)}` };
    const notes = ["The result may be incomplete. ".repeat(10).trim()];
    const view = await open(
      { tabs: [long, word].map(tab), shown: { ...long, notes } },
      { width: 900, height: 200 },
    );
    const { page } = view;
    const height = await page
      .getByRole("tab")
      .first()
      .evaluate((one) => one.getBoundingClientRect().height);
    assert.ok(height < 30, String(height));
    // A long name begins in the line, so that it tells which result it is.
    const isNameShown = await page
      .locator(".tabs .title")
      .last()
      .evaluate((title) => {
        const range = document.createRange();
        range.setStart(title.firstChild!, "SELECT * FROM ".length);
        range.setEnd(title.firstChild!, "SELECT * FROM s".length);
        return range.getBoundingClientRect().bottom <= title.getBoundingClientRect().bottom + 1;
      });
    assert.ok(isNameShown);
    await view.picture("sql-results-low");
  });

  it("shows texts of servers and files as text", async () => {
    const hostile = hostileTens.map((ten, at): ShownResult => {
      const texts = ten.map((text) => text.slice(0, 10_000));
      const all = texts.join("\n");
      return {
        ...result,
        runId: String(at),
        statement: all,
        place: all,
        state: { kind: "failed", message: all },
        columns: texts.map((name) => ({ name, part: "input", kind: "text" })),
        first: [{ number: 1, values: texts.map((text) => JSON.stringify(text)) }],
      };
    });
    const view = await open({ tabs: hostile.map(tab), shown: hostile[0] });
    for (const shown of hostile) await view.update({ shown });
    assert.equal(await view.page.locator("main img, main script, main iframe").count(), 0);
  });

  for (const theme of themeNames) {
    it(`can be read in the theme ${theme}`, async () => {
      for (const [name, shown, width] of [
        ["result", result, 900],
        ["failed", failed, 900],
        ["narrow-failed", failed, 300],
        ["narrow", result, 300],
        ["chart", result, 900],
        ["narrow-chart", result, 300],
        ["editor", result, 900],
      ] as const) {
        const editor = name === "editor" && { editor: saved };
        const view = await open({ ...state, shown, ...editor }, { theme, width, height: 360 });
        await view.page.locator("#result").waitFor();
        if (name.endsWith("chart")) {
          await view.page.getByRole("button", { name: "Show Chart" }).press("Enter");
          await view.page.locator(".chart rect").first().waitFor({ state: "attached" });
          const colors = await view.page.locator(".chart select").evaluateAll((pickers) =>
            pickers.map((picker) => {
              const sample = document.body.appendChild(document.createElement("i"));
              sample.style.background = "var(--vscode-dropdown-background)";
              const expected = getComputedStyle(sample).backgroundColor;
              sample.remove();
              return [getComputedStyle(picker).backgroundColor, expected];
            }),
          );
          assert.equal(colors.length, 3);
          for (const [color, expected] of colors) assert.equal(color, expected);
        }
        await view.checkLook(`sqlResults-${name}-${theme}`);
        await view.close();
      }
    });
  }
});
