// Results of tools and queries as grids in the chat: by mouse and keyboard, accessible, and fast.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { ChatEvent } from "../../src/chat/transcript.ts";
import type { StepPart } from "../../src/mindsdb/stream/stepEvents.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { eventsOf, recordedStreams } from "../unit/mindsdb/stream/recorded.ts";
import { themeNames, useChatPages, type ChatPage, type ChatPageOptions } from "./chatPage.ts";

const pictures = path.resolve(import.meta.dirname, "..", "..", "out", "screenshots");

/** A recorded run: its events and its outcome. */
function recordedRun(name: string, run = 1): ChatEvent[] {
  const stream = recordedStreams.find((one) => one.name === name);
  assert.ok(stream, name);
  return [
    { type: "asked", run, question: stream.question ?? "", startedAt: Date.now() },
    ...eventsOf(stream.bytes).map((event, index): ChatEvent => ({
      type: "stepped",
      run,
      at: 50 * index,
      event,
    })),
    { type: "ended", run, at: 4_000, state: "answered" },
  ];
}

function runWith(parts: StepPart[], answer = "42"): ChatEvent[] {
  const step = { n: 1, kind: "sql", state: "failed", parts } as const;
  return [
    { type: "asked", run: 1, question: "How much?", startedAt: Date.now() },
    { type: "stepped", run: 1, at: 10, event: { type: "step", step } },
    {
      type: "stepped",
      run: 1,
      at: 20,
      event: { type: "answer", format: "markdown", text: answer },
    },
    { type: "ended", run: 1, at: 30, state: "answered" },
  ];
}

const observation = (text: string): StepPart => ({ kind: "observation", text });

describe("An observation in the chat", () => {
  const pages = useChatPages();
  let chat: ChatPage;

  const open = async (options: ChatPageOptions = {}) => (chat = await pages.open(options));
  const tell = async (events: ChatEvent[]) => {
    chat.tell(...events);
    await chat.settled();
    const folded = at(".steps-toggle[aria-expanded=false]:visible");
    while ((await folded.count()) > 0) await folded.first().click();
  };
  const at = (selector: string) => chat.page.locator(selector);
  const button = (name: string) => chat.page.getByRole("button", { name, exact: true });
  const openStep = (label: string) =>
    at(".step").filter({ hasText: label }).last().locator("button.line").click();
  const headers = () => at(".grid-header .title").allTextContents();
  const rows = () =>
    at(".grid-row").evaluateAll((all) =>
      all.map((row) => [...row.children].map((cell) => cell.textContent)),
    );
  const cellText = () => at(".cell-text").textContent();

  it("of 25.14.1 is a grid of its CSV's rows", async () => {
    await open();
    await tell(recordedRun("25.14.1/02_sql"));
    await openStep("Query");
    assert.deepEqual(await headers(), ["location", "avg_price"]);
    assert.deepEqual(await rows(), [
      ["great", "2697.5882352941176"],
      ["poor", "1646.2890173410406"],
      ["good", "2271.9540229885056"],
    ]);
    assert.equal(await at(".part.observation .part-head > span").textContent(), "Result · 3 rows");
    assert.equal(await at(".cell.numbers").count(), 4);
  });

  it("is no larger than its columns and rows", async () => {
    await open({ width: 1300 });
    await tell(recordedRun("25.14.1/02_sql"));
    await openStep("Query");
    const left = await at(".grid").evaluate((grid) => {
      const [header, body] = [".grid-header", ".grid-body"].map((part) => grid.querySelector(part));
      const used = (header?.clientHeight ?? 0) + (body?.clientHeight ?? 0);
      return [grid.clientWidth - (header?.clientWidth ?? 0), grid.clientHeight - used];
    });
    assert.deepEqual(left, [0, 0]);
    assert.equal(await at(".grid-header").evaluate(({ clientHeight }) => clientHeight), 24);
  });

  it("of a knowledge base shows the most relevant chunk first, in full", async () => {
    await open({ width: 1300 });
    await tell(recordedRun("25.14.1/01b_kbfull"));
    await openStep("Query");
    const shown = ["relevance", "chunk_content", "id", "neighborhood", "distance", "chunk_id"];
    assert.deepEqual((await headers()).slice(0, 6), shown);
    const relevances = (await rows()).map(([relevance]) => Number(relevance));
    assert.deepEqual(
      relevances,
      [...relevances].sort((a, b) => b - a),
    );
    assert.match((await cellText()) ?? "", /^Bright flat downtown, close to the station/);
  });

  for (const count of [2, 40]) {
    it(`of ${count} rows is as wide as its columns, its borders and its scrollbar`, async () => {
      await open();
      const line = (number: number) => `${String(number)},"in the ${"middle ".repeat(3)}"`;
      const lines = Array.from({ length: count }, (_, index) => line(index));
      await tell(runWith([observation(`n,place\n${lines.join("\n")}\n`)]));
      const room = () =>
        at(".grid").evaluate((grid) => {
          const last = grid.querySelector(".grid-header")!.lastElementChild!;
          const inside = grid.getBoundingClientRect().left + grid.clientLeft + grid.clientWidth;
          return {
            right: inside - last.getBoundingClientRect().right,
            hidden: grid.scrollWidth - grid.clientWidth,
            below: grid.clientHeight - Math.min(grid.scrollHeight, grid.clientHeight),
          };
        });
      const exact = { right: 0, hidden: 0, below: 0 };
      assert.deepEqual(await room(), exact);
      await at(".grid .cell").nth(1).click();
      await chat.page.keyboard.press("Alt+ArrowRight");
      await chat.settled();
      assert.deepEqual(await room(), exact);
    });
  }

  /** A run of 26.x whose answer is the result of its query. */
  function limitedRun(sql: string, count: number): ChatEvent[] {
    const rows = Array.from({ length: count }, (_, index) => `| ${String(index)} |`);
    const text = ["| a |", "| - |", ...rows].join("\n");
    const parts = [{ kind: "sql" as const, text: sql }, observation(text)];
    const step = { n: 1, kind: "sql", state: "failed", query: { final: true }, parts } as const;
    return [
      { type: "asked", run: 1, question: "Which?", startedAt: Date.now() },
      { type: "stepped", run: 1, at: 10, event: { type: "step", step } },
      { type: "stepped", run: 1, at: 20, event: { type: "answer", format: "table", text } },
      { type: "ended", run: 1, at: 30, state: "answered" },
    ];
  }
  const heads = () => at(".part.observation .part-head > span").allTextContents();

  it("says that the server may have more rows, and opens its query", async () => {
    await open();
    await tell(limitedRun("SELECT a FROM files.t", 100));
    assert.deepEqual(await heads(), ["Result · the first 100 rows", "Table · the first 100 rows"]);
    const note = /^There may be more rows: the server gives agents at most 100 if the query has/;
    for (const text of await at(".row-limit").allTextContents()) assert.match(text, note);
    for (const index of [0, 1]) await at(".row-limit button").nth(index).click();
    await chat.settled();
    assert.deepEqual(chat.calls.slice(-2), [
      ["runWithoutLimit", { of: "part", run: 1, step: 0, part: 1 }],
      ["runWithoutLimit", { of: "answer", run: 1 }],
    ]);
    assert.deepEqual(await axeViolations(chat.page.mainFrame()), []);
  });

  it("offers a view of a step's SELECT, where the connection accepts one", async () => {
    await open({ canCreateViews: true });
    await tell(runWith([{ kind: "sql", text: "```sql\nSELECT a FROM files.t;\n```" }]));
    await at(".part.sql").hover();
    const create = button("Create View…");
    await create.click();
    await chat.settled();
    assert.deepEqual(chat.calls.at(-1), ["createView", { of: "part", run: 1, step: 0, part: 0 }]);
    assert.deepEqual(await axeViolations(chat.page.mainFrame()), []);
    await chat.update({ canCreateViews: false });
    assert.equal(await create.isVisible(), false);
  });

  it("offers no view of another statement, nor where the connection accepts none", async () => {
    await open({ canCreateViews: true });
    await tell(
      runWith([
        { kind: "sql", text: "DROP TABLE files.t" },
        { kind: "sql", text: "SELECT 1; SELECT 2" },
        observation("SELECT 1"),
      ]),
    );
    assert.equal(await button("Copy").count(), 3);
    assert.equal(await button("Create View…").count(), 0);
    await chat.close();
    await open();
    await tell(runWith([{ kind: "sql", text: "SELECT 1" }]));
    assert.equal(await button("Create View…").count(), 0);
  });

  for (const [sql, count] of [
    ["SELECT a FROM files.t LIMIT 100", 100],
    ["SELECT a FROM files.t", 99],
  ] as const) {
    it(`says nothing of more rows for ${String(count)} of ${sql}`, async () => {
      await open();
      await tell(limitedRun(sql, count));
      const rows = `${String(count)} rows`;
      assert.deepEqual(await heads(), [`Result · ${rows}`, `Table · ${rows}`]);
      assert.equal(await at(".row-limit").count(), 0);
    });
  }

  it("stays text if it is not a table", async () => {
    await open();
    const text = "Table named `t`:\n\na,b\r\n1,2\r\n";
    await tell(runWith([observation(text), observation("| a |\n| - |\n| 1 | 2 |")]));
    assert.equal(await at(".grid").count(), 0);
    assert.equal(await at(".part .code").first().textContent(), text.trimEnd());
  });

  it("with cells that are padded with spaces is shown at once", async () => {
    await open();
    const text = `| a |\n| - |\n| one${" ".repeat(190_000)}two`;
    await tell(runWith([observation(text)]));
    await button("Show as Text").click();
    assert.equal(
      (await at(".part .code").textContent())?.replaceAll("\n", ""),
      text.replaceAll("\n", ""),
    );
  });

  it("can be shown as the original text", async () => {
    await open();
    await tell(runWith([observation("a,b\r\n1,2\r\n")]));
    await button("Show as Text").click();
    assert.equal(await at(".part .code").textContent(), "a,b\r\n1,2");
    assert.equal(await at(".grid").isVisible(), false);
    await button("Show as Text").click();
    assert.equal(await at(".grid").isVisible(), true);
    assert.equal(await at(".part .code").isVisible(), false);
  });

  it("can be navigated, sorted and copied by keyboard", async () => {
    await open();
    await tell(runWith([observation('a,b\r\n2,"long, very long and longer"\r\n10,y\r\n1,\r\n')]));
    await at(".grid").focus();
    for (const key of ["ArrowRight", "Control+c"]) await chat.page.keyboard.press(key);
    assert.equal(await cellText(), "long, very long and longer");
    assert.equal(await at(".cell-text").getAttribute("aria-label"), "b, row 1");
    for (const key of ["ArrowLeft", "ArrowUp", "Enter"]) await chat.page.keyboard.press(key);
    assert.deepEqual(
      (await rows()).map(([a]) => a),
      ["1", "2", "10"],
    );
    await chat.page.keyboard.press("Enter");
    assert.deepEqual(
      (await rows()).map(([a]) => a),
      ["10", "2", "1"],
    );
    await chat.page.keyboard.press("Enter");
    assert.deepEqual(
      (await rows()).map(([a]) => a),
      ["2", "10", "1"],
    );
    for (const key of ["Control+a", "Control+c"]) await chat.page.keyboard.press(key);
    assert.deepEqual(chat.calls, [
      ["copyText", "long, very long and longer"],
      ["copyText", "a\tb\n2\tlong, very long and longer\n10\ty\n1\t"],
    ]);
    await chat.page.keyboard.press("Tab");
    assert.equal(await at(".grid:focus").count(), 0);
  });

  it("marks its values in the answer, and the marks lead to the row without calling it a source", async () => {
    await open();
    const parts = [
      observation("id,price,note\r\na,2602.71,short\r\nb,1646.2,a note of some length\r\n"),
    ];
    await tell(
      runWith(parts, "**2602.71** and 1646.2, of `a note of some length`, 2602.7, short."),
    );
    assert.deepEqual(
      await at(".also").evaluateAll((marks) =>
        marks.map((mark) => [mark.textContent, mark.getAttribute("title")]),
      ),
      [
        ["2602.71", "Also in “Query”, row 1"],
        ["1646.2", "Also in “Query”, row 2"],
        ["a note of some length", "Also in “Query”, row 2"],
      ],
    );
    assert.doesNotMatch((await at(".log").textContent()) ?? "", /source/i);
    // Tab stops once, arrow keys move between marks, Enter follows one.
    await at(".also").first().focus();
    assert.equal(await at(".also[tabindex='0']").count(), 1);
    await chat.page.keyboard.press("ArrowRight");
    await chat.page.keyboard.press("Enter");
    assert.equal(await at(".grid:focus .cell.active").textContent(), "1646.2");
    // In any order of the rows.
    await at(".grid-header .cell").filter({ hasText: "price" }).click();
    assert.deepEqual((await rows())[0], ["b", "1646.2", "a note of some length"]);
    await at(".also").nth(1).press("Enter");
    assert.equal(await at(".grid:focus .cell.active").textContent(), "1646.2");
  });

  it("is cited once after sentences of the same row, which are not underlined", async () => {
    await open();
    const [first, second] = [
      "Give notice in writing 30 days before you leave.",
      "The deposit is returned within two weeks after that.",
    ];
    await tell(
      runWith(
        [observation(`| id | text |\n| - | - |\n| 1 | ${first} ${second} |`)],
        `${first} ${second}`,
      ),
    );
    assert.equal(await at(".also").count(), 1);
    assert.equal(await at(".also").getAttribute("title"), "Also in “Query”, row 1");
    assert.equal(await at(".also").getAttribute("data-number"), "1");
    assert.equal((await at(".answer").textContent())?.trim(), `${first} ${second}`);
    await at(".citation").click();
    assert.equal(await at(".grid:focus .cell.active").count(), 1);
  });

  it("describes the step that a mark leads to", async () => {
    await open();
    const step = (n: number, log: string, value: string): ChatEvent => ({
      type: "stepped",
      run: 1,
      at: n,
      event: {
        type: "step",
        step: {
          n,
          kind: "sql",
          state: "done",
          parts: [
            { kind: "thought", text: log },
            { kind: "sql", text: "SELECT 1" },
            observation(value),
          ],
        },
      },
    });
    const [asked, , ...rest] = runWith([], "First 2602.71, then 1646.2.");
    assert.ok(asked);
    await tell([
      asked,
      step(1, "Thought: I want the mean.\nAction: sql_db_query\nAction Input: SELECT 1", "2602.71"),
      step(2, "Thought: Do I need to use a tool? Yes\nAction: sql_db_query", "1646.2"),
      ...rest,
    ]);
    assert.deepEqual(await at(".step .hint").allTextContents(), ["I want the mean.", "SELECT 1"]);
    assert.deepEqual(
      await at(".also").evaluateAll((marks) => marks.map((mark) => mark.getAttribute("title"))),
      ["Also in “Query: I want the mean.”", "Also in “Query: SELECT 1”"],
    );
    await openStep("I want the mean.");
    assert.match((await at(".step .body").first().textContent()) ?? "", /Action Input: SELECT 1/);
  });

  it("opens its step when a mark leads to it", async () => {
    await open();
    const events = recordedRun("25.14.1/02_sql");
    const text = "Poor locations: 1646.2890173410406 on average.";
    const answer = { type: "answer", format: "markdown", text } as const;
    events.splice(-1, 0, { type: "stepped", run: 1, at: 3_000, event: answer });
    await tell(events);
    assert.equal(await at(".grid").count(), 0);
    await at(".also").click();
    assert.equal(await at(".grid:focus .cell.active").textContent(), "1646.2890173410406");
  });

  it("counts one row in the singular if the text is cut in the second", async () => {
    await open();
    const text = `Output columns: 'n', 't'\nResult in CSV format (dialect is 'excel'):\nn,t\r\n1,a\r\n2,${"b".repeat(120_000)}\r\n`;
    await tell(runWith([observation(text)], "1"));
    assert.equal(await at(".part-head > span").textContent(), "Result · the first row");
  });

  it("of 16 MB shows its beginning, and all of it with one click", async () => {
    await open();
    const line = (n: number) =>
      `${String(n)},"a ""quoted"" text, of some length",${String(n / 7)}\r\n`;
    const lines = Array.from({ length: 350_000 }, (_, n) => line(n)).join("");
    const text = `Output columns: 'n', 't', 'x'\nResult in CSV format (dialect is 'excel'):\nn,t,x\r\n${lines}`;
    assert.ok(text.length > 16_000_000);
    await chat.page.evaluate(() => {
      const tasks: number[] = [];
      Object.assign(window, { tasks });
      new PerformanceObserver((list) => {
        tasks.push(...list.getEntries().map(({ duration }) => duration));
      }).observe({ type: "longtask" });
    });
    await tell(runWith([observation(text)], "1234.5 and 2345.6"));
    await chat.settled();
    assert.match(
      (await at(".part-head > span").textContent()) ?? "",
      /^Result · the first [\d,]+ rows$/,
    );
    assert.equal(await at(".link-button").count(), 1);
    const tasks = await chat.page.evaluate(() => (window as unknown as { tasks: number[] }).tasks);
    // Logged, not asserted: other load slows the machine down.
    console.log(`      tasks over 50 ms: ${JSON.stringify(tasks)}`);
    const drawn = await at(".grid-row").count();
    assert.ok(drawn > 5 && drawn < 60, String(drawn));
  });

  it("shows hostile texts as plain text in its cells", async () => {
    await open();
    const bad = "<img src=x: onerror=alert(1)>";
    await tell(runWith([observation(`| a |\n| - |\n| ${bad} |`)], bad));
    assert.deepEqual(await rows(), [[bad]]);
    assert.equal(await cellText(), bad);
    assert.equal(await at(".also").textContent(), bad);
  });

  for (const theme of themeNames) {
    it(`looks right and has no axe-core violation in ${theme}`, async () => {
      await open({ theme, canCreateViews: true });
      fs.mkdirSync(pictures, { recursive: true });
      await tell([...recordedRun("25.14.1/01_kb"), ...recordedRun("26.1.0/text_exploratory", 2)]);
      await openStep("Query 2");
      await at(".step").filter({ hasText: "SELECT * FROM" }).first().locator("button.line").click();
      await at(".log").evaluate((log) => (log.scrollTop = 0));
      await chat.settled();
      await chat.page.screenshot({ path: path.join(pictures, `observations-${theme}.png`) });
      assert.deepEqual(await axeViolations(chat.page.mainFrame()), []);
      await at(".log").evaluate((log) => (log.scrollTop = log.scrollHeight));
      await at(".grid").last().focus();
      await chat.page.screenshot({ path: path.join(pictures, `observations-end-${theme}.png`) });
      assert.deepEqual(await axeViolations(chat.page.mainFrame()), []);
    });
  }

  it("is never wider than a panel of 300 pixels", async () => {
    await open({ width: 300, height: 700, canCreateViews: true });
    await tell(recordedRun("25.14.1/01_kb"));
    await openStep("Query");
    await chat.page.screenshot({ path: path.join(pictures, "observations-narrow.png") });
    assert.ok((await at(".grid").evaluate((grid) => grid.getBoundingClientRect().right)) <= 300);
    assert.equal(await at(".log").evaluate((log) => log.scrollWidth <= log.clientWidth), true);
  });
});
