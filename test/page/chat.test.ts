// The chat page as a user works with it: asking, watching and reading, by mouse and keyboard.
import assert from "node:assert/strict";
import { decodeHTMLStrict, encodeHTML } from "entities";
import type { ChatEvent, EndState } from "../../src/chat/transcript.ts";
import type { AgentStep, StepEvent } from "../../src/mindsdb/stream/stepEvents.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { clippedElements } from "../e2e/lib/clippedElements.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { useChatPages, type ChatPage, type ChatPageOptions, themeNames } from "./chatPage.ts";

const asked = (run = 1, question = "How much?"): ChatEvent => {
  return { type: "asked", run, question, startedAt: Date.now() };
};
const stepped = (event: StepEvent, run = 1, at = 100): ChatEvent => {
  return { type: "stepped", run, at, event };
};
const step = (n: number, more: Partial<AgentStep> = {}, run = 1): ChatEvent => {
  const plain: AgentStep = { n, kind: "thinking", state: "done", parts: [] };
  return stepped({ type: "step", step: { ...plain, ...more } }, run, n * 100);
};
const query = (n: number, more: Partial<AgentStep> = {}, run = 1): ChatEvent =>
  step(n, { kind: "sql", parts: [{ kind: "sql", text: `SELECT ${String(n)}` }], ...more }, run);
const answered = (text: string, run = 1): ChatEvent =>
  stepped({ type: "answer", format: "markdown", text }, run);
const ended = (run = 1, state: EndState = "answered", reason?: string): ChatEvent => {
  return { type: "ended", run, at: 12_000, state, ...(reason === undefined ? {} : { reason }) };
};

/** The button that opens and closes a step. */
const toggle = ".step > button.line";

/** The line that the steps of an answered run are folded into. */
const fold = ".steps-toggle";

describe("The chat page", () => {
  const pages = useChatPages();
  let chat: ChatPage;

  const open = async (options: ChatPageOptions = {}) => (chat = await pages.open(options));
  const tell = async (...events: ChatEvent[]) => {
    chat.tell(...events);
    await chat.settled();
  };
  const at = (selector: string) => chat.page.locator(selector);
  const button = (name: string) => chat.page.getByRole("button", { name, exact: true });
  const scroll = () => at(".log").evaluate((log) => Math.round(log.scrollTop));
  const fromEnd = () =>
    at(".log").evaluate((log) => Math.round(log.scrollHeight - log.clientHeight - log.scrollTop));
  const lines = () => at(".step .text").allTextContents();
  /** The text of the log that the button "Scroll to Bottom" covers. */
  const coveredText = () =>
    at(".to-end").evaluate((button) => {
      const { left, top, right, bottom } = button.getBoundingClientRect();
      const log = document.querySelector(".log");
      const walker = document.createTreeWalker(log ?? document, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      while (walker.nextNode()) {
        if (walker.currentNode.parentElement?.closest(".visually-hidden")) continue;
        range.selectNodeContents(walker.currentNode);
        // Clipped by a grid or a box, so not visible.
        const boxes: DOMRect[] = [];
        for (let box = walker.currentNode.parentElement; box !== log;) {
          if (!box) break;
          if (getComputedStyle(box).overflowX !== "visible") {
            boxes.push(box.getBoundingClientRect());
          }
          box = box.parentElement;
        }
        for (const text of range.getClientRects()) {
          const [textLeft, textTop, textRight, textBottom] = [
            Math.max(text.left, ...boxes.map((box) => box.left)),
            Math.max(text.top, ...boxes.map((box) => box.top)),
            Math.min(text.right, ...boxes.map((box) => box.right)),
            Math.min(text.bottom, ...boxes.map((box) => box.bottom)),
          ];
          const isSeen = textRight - textLeft > 1 && textBottom > textTop;
          const isApart =
            textRight <= left || textLeft >= right || textBottom <= top || textTop >= bottom;
          if (isSeen && !isApart) return walker.currentNode.textContent ?? "";
        }
      }
      return "";
    });

  it("opens the raw events of a run, whatever its outcome", async () => {
    await open();
    await tell(asked(), answered("42"), ended());
    await tell(asked(2), ended(2, "failed", "It failed."));
    const buttons = button("Show Raw Events");
    assert.equal(await buttons.count(), 2);
    for (const index of [0, 1]) await buttons.nth(index).click();
    const opened = chat.calls.filter(([name]) => name === "open");
    assert.deepEqual(
      opened,
      [1, 2].map((run) => ["open", { of: "events", run }]),
    );
  });

  describe("when asking", () => {
    const input = () => at("textarea");

    it("sends on Enter, and clears the text once the host has it", async () => {
      await open();
      await input().fill("  How much?  ");
      await input().press("Enter");
      await input().press("Enter");
      assert.deepEqual(chat.calls, [["ask", "How much?"]]);
      assert.equal(await input().inputValue(), "  How much?  ");
      await tell(asked());
      assert.equal(await input().inputValue(), "");
      assert.equal((await chat.state()).draft, "");
    });

    it("keeps what is typed before the host has the question, and can send it too", async () => {
      await open();
      await input().fill("One?");
      await input().press("Enter");
      await input().fill("Two?");
      await input().press("Enter");
      await input().fill("Thr");
      await tell(asked());
      await tell({ type: "waiting", questions: ["Two?"] });
      assert.deepEqual(chat.calls, [
        ["ask", "One?"],
        ["ask", "Two?"],
      ]);
      assert.equal(await input().inputValue(), "Thr");
    });

    it("shows a question no more that was sent just before the page was hidden", async () => {
      await open();
      await tell(asked(1, "One?"), ended());
      await input().fill("One?");
      await input().press("Enter");
      // The host has not got it.
      await chat.reload();
      assert.equal(await input().inputValue(), "One?");
      await input().press("Enter");
      chat.tellLater(asked(2, "One?"));
      await chat.reload();
      assert.equal(await input().inputValue(), "");
      assert.equal((await chat.state()).draft, "");
      await input().fill("One?");
      await chat.reload();
      assert.equal(await input().inputValue(), "One?");
    });

    it("breaks the line on Shift+Enter, and grows the composer up to ten lines", async () => {
      await open();
      const height = () => input().evaluate((element) => element.clientHeight);
      const one = await height();
      for (const key of ["a", "Shift+Enter", "b"]) await input().press(key);
      assert.equal(await input().inputValue(), "a\nb");
      assert.equal((await height()) - one, 20);
      await input().fill("x\n".repeat(30));
      assert.equal((await height()) - one, 180 + 4);
      assert.deepEqual(chat.calls, []);
    });

    it("does not send on an Enter that ends a composition", async () => {
      await open();
      await input().fill("日本");
      await input().dispatchEvent("keydown", { key: "Enter", isComposing: true });
      await input().dispatchEvent("keydown", { key: "Enter", keyCode: 229 });
      assert.deepEqual(chat.calls, []);
      await button("Send (Enter)").click();
      assert.equal(chat.calls.length, 1);
    });

    it("sends a suggested question with one click, and then shows no more suggestions", async () => {
      await open();
      const question = "What is the average <b>rent</b> per location?";
      await chat.update({ suggestions: [question, "How many homes are there?"] });
      await button(question).click();
      assert.deepEqual(chat.calls, [["ask", question]]);
      assert.equal(await chat.page.evaluate(() => document.activeElement?.tagName), "TEXTAREA");
      await tell(asked(1, question));
      assert.equal(await at(".suggestion:visible").count(), 0);
    });

    it("sends no empty question", async () => {
      await open();
      await input().fill(" \n ");
      await input().press("Enter");
      assert.equal(await button("Send (Enter)").isDisabled(), true);
      assert.deepEqual(chat.calls, []);
    });

    it("queues a question during a run: visible, removable, and sendable when the run has ended", async () => {
      await open();
      await tell(asked());
      await input().fill("next");
      assert.equal(await button("Send After This Answer (Enter)").isVisible(), true);
      assert.equal(await button("Stop (Escape)").isVisible(), true);
      await input().press("Enter");
      assert.deepEqual(chat.calls, [["ask", "next"]]);
      assert.equal(await input().inputValue(), "next");
      await tell({ type: "waiting", questions: ["next", "<b>and</b> then"] });
      assert.equal(await input().inputValue(), "");
      const shown = () => at(".waiting .text").allTextContents();
      assert.deepEqual(await shown(), ["next", "<b>and</b> then"]);
      assert.equal(await button("Send Now").count(), 0);
      await button("Remove").last().click();
      assert.ok(await at("textarea:focus").count());
      await chat.reload();
      assert.deepEqual(await shown(), ["next", "<b>and</b> then"]);
      await tell(ended(1, "stopped"));
      await button("Send Now").first().click();
      assert.deepEqual(chat.calls.slice(1), [
        ["removeWaiting", "<b>and</b> then"],
        ["sendWaiting", "next"],
      ]);
      await tell({ type: "waiting", questions: [] });
      assert.equal(await at(".waiting").isVisible(), false);
    });

    it("recalls earlier questions with Up in an empty composer, and leaves them with Down", async () => {
      await open();
      const two = "second\nof two lines";
      for (const [index, question] of ["first", two, two].entries()) {
        await tell(asked(index + 1, question), ended(index + 1));
      }
      const press = async (...keys: string[]): Promise<string> => {
        for (const key of keys) await input().press(key);
        return input().inputValue();
      };
      assert.equal(await press("ArrowUp"), two);
      // From the second line to the first, and then to the previous question.
      assert.equal(await press("ArrowUp"), two);
      assert.equal(await press("ArrowUp"), "first");
      assert.equal(await press("ArrowUp"), "first");
      assert.equal(await press("ArrowDown"), two);
      assert.equal(await press("ArrowDown"), "");
      assert.equal((await chat.state()).draft, "");
      assert.equal(await press("ArrowUp", "!", "ArrowUp", "ArrowUp"), `${two}!`);
    });
  });

  describe("when stopping", () => {
    it("shows Stop in place of Send, and responds at once", async () => {
      await open();
      await tell(asked());
      assert.equal(await button("Send (Enter)").isVisible(), false);
      await button("Stop (Escape)").click();
      assert.equal(await button("Stop (Escape)").isDisabled(), true);
      assert.deepEqual(chat.calls, [["stop"]]);
      await tell(ended(1, "stopped"));
      assert.equal(await button("Send (Enter)").isVisible(), true);
      assert.match((await at(".outcome").textContent()) ?? "", /Stopped after 12 s\. The server/);
    });

    it("stops on Escape, once, and only during a run", async () => {
      await open();
      await chat.page.keyboard.press("Escape");
      await tell(asked());
      await chat.page.keyboard.press("Escape");
      await chat.page.keyboard.press("Escape");
      assert.deepEqual(chat.calls, [["stop"]]);
    });
  });

  describe("in its steps", () => {
    it("shows each step when it arrives, with a label and its duration", async () => {
      await open();
      await tell(
        asked(),
        step(1, { kind: "status", label: "Generating Data Catalog..." }),
        step(2, { kind: "plan" }),
        step(3, { kind: "tool", tool: "kb_query_tool" }),
        query(4, { query: { k: 3, of: 20, final: false } }),
        query(5, { query: { final: true }, state: "running" }),
      );
      assert.deepEqual(await lines(), [
        "Generating Data Catalog...",
        "Plan",
        "Tool kb_query_tool",
        "Query 3",
        "Final query",
      ]);
      assert.deepEqual(await at(".step .time").allTextContents(), [
        ...["0.1 s", "0.1 s", "0.1 s", "0.1 s"],
      ]);
      assert.equal(await at(".step").last().locator(".time").count(), 0);
      assert.match((await at(".where").textContent()) ?? "", /^Final query · \d+ s$/);
      await tell(answered("42"), ended());
      assert.equal(await at(".where").isVisible(), false);
      assert.equal(await at(".bar").isVisible(), false);
    });

    it("updates existing elements instead of creating them again", async () => {
      await open();
      await tell(asked(), query(1, { state: "running" }), step(2, { state: "running" }));
      await at(toggle).click();
      await at(".run *").evaluateAll((nodes) => {
        for (const node of nodes) node.setAttribute("data-mark", "");
      });
      const marked = await at("[data-mark]").count();
      await tell(
        stepped({ type: "add", n: 1, state: "done", parts: [{ kind: "observation", text: "1" }] }),
        step(3),
        answered("42"),
        ended(),
      );
      assert.equal(await at("[data-mark]").count(), marked);
      assert.deepEqual(await at(".part-head > span").allTextContents(), ["SQL", "Result"]);
    });

    it("opens a failed step", async () => {
      await open();
      const parts = [{ kind: "error", text: "no such column" } as const];
      await tell(asked(), query(1), step(2, { state: "failed", parts }));
      assert.deepEqual(await at(toggle).evaluateAll(isOpen), [false, true]);
      const openStates = await at(".fold").evaluateAll((folds) =>
        folds.map((fold) => getComputedStyle(fold).transform !== "none"),
      );
      assert.deepEqual(openStates, [false, true]);
      assert.match((await at(".step").nth(1).textContent()) ?? "", /failed.*no such column/);
    });

    it("offers actions for a text", async () => {
      await open();
      const whole = "x".repeat(300_000);
      await tell(
        asked(),
        query(1, { state: "failed" }),
        step(2, { parts: [{ kind: "text", text: whole }] }),
      );
      await button("Copy").first().click();
      await button("Open in Editor").click();
      await at(toggle).nth(1).click();
      await button("Open Whole Text (300,000 characters)").click();
      const text = { of: "part", run: 1, step: 0, part: 0 } as const;
      assert.deepEqual(chat.calls, [
        ["copy", text],
        ["open", text],
        ["open", { ...text, step: 1 }],
      ]);
      assert.equal((await at(".part .prose").textContent())?.length, 200_000);
    });

    it("colors the SQL of a query and the JSON of a tool's input", async () => {
      await open();
      const parts = [
        { kind: "sql", text: "SELECT name FROM homes WHERE city = 'x'" } as const,
        { kind: "input", text: '{"rows": 2}' } as const,
      ];
      await tell(asked(), query(1, { state: "failed", parts }));
      const colors = at(".code").evaluateAll((codes) =>
        codes.map((code) => Array.from(code.children, (one) => [one.className, one.textContent])),
      );
      assert.deepEqual(await colors, [
        [
          ["token-keyword", "SELECT"],
          ["token-keyword", "FROM"],
          ["token-keyword", "WHERE"],
          ["token-string", "'x'"],
        ],
        [
          ["token-name", '"rows"'],
          ["token-number", "2"],
        ],
      ]);
      assert.equal(await at(".code").first().innerText(), parts[0]?.text);
    });

    it("shows ten thousand steps, in groups that are laid out only when visible", async () => {
      await open();
      await tell(
        asked(),
        ...Array.from({ length: 10_000 }, (_, index) => query(index + 1)),
        ended(),
      );
      assert.equal(await at(".step").count(), 10_000);
      assert.equal(await at("ol.full").count(), 399);
      assert.deepEqual(
        // The rail goes from the first step to the last.
        [await at(".step:not(.follows)").count(), await at(".step:not(.linked)").count()],
        [1, 1],
      );
      assert.equal(await fromEnd(), 0);
    });
  });

  describe("when it folds the steps", () => {
    const isFolded = async () => !(await at(".steps").last().isVisible());

    it("shows one line once the answer is there, and opens the steps with one click", async () => {
      await open();
      await tell(asked(), query(1), query(2, { state: "failed" }));
      assert.deepEqual([await at(fold).isVisible(), await isFolded()], [false, false]);
      await tell(stepped({ type: "answer", format: "markdown", text: "42" }, 1, 1500));
      assert.deepEqual([await at(fold).innerText(), await isFolded()], ["2 steps · 1.5 s", true]);
      await tell(ended());
      assert.deepEqual([await at(fold).innerText(), await isFolded()], ["2 steps · 1.5 s", true]);
      await at(fold).click();
      assert.deepEqual(await at(".step .text").allInnerTexts(), ["Query", "Query"]);
      await chat.reload();
      assert.equal(await isFolded(), false);
      await at(fold).click();
      assert.equal(await isFolded(), true);
      await chat.reload();
      assert.equal(await isFolded(), true);
    });

    it("keeps them open in a run without an answer, or that fails after it", async () => {
      await open();
      await tell(asked(), query(1), ended(1, "stopped"));
      assert.deepEqual([await at(fold).isVisible(), await isFolded()], [false, false]);
      await tell(asked(2), query(1, {}, 2), answered("42", 2));
      assert.equal(await isFolded(), true);
      await tell(ended(2, "failed", "It broke."));
      assert.equal(await isFolded(), false);
    });

    it("keeps them open while the user works in them or has opened one", async () => {
      await open();
      await tell(asked(), query(1));
      await at(toggle).focus();
      await tell(answered("42"), ended());
      assert.equal(await isFolded(), false);
      await tell(asked(2), query(1, {}, 2));
      await at(toggle).last().click();
      await at("textarea").focus();
      await tell(answered("42", 2), ended(2));
      assert.equal(await isFolded(), false);
    });
  });

  describe("when asking again", () => {
    const again = (run: number, replaces: number): ChatEvent => {
      return { type: "asked", run, question: "How much?", startedAt: Date.now(), replaces };
    };
    const shownRuns = () => at(".run:not([hidden])");
    const shownAnswers = () => at(".run:not([hidden]) > .answer").allInnerTexts();

    it("replaces the run, and keeps the earlier answers available", async () => {
      await open();
      await tell(
        asked(),
        answered("41"),
        ended(),
        asked(2, "And now?"),
        answered("x", 2),
        ended(2),
      );
      await tell(again(3, 1));
      assert.equal(await shownRuns().count(), 2);
      assert.equal(await at(".run:not([hidden]) .question").first().innerText(), "How much?");
      await tell(answered("42", 3), ended(3), again(4, 3), answered("43", 4), ended(4));
      assert.deepEqual(await shownAnswers(), ["43", "x"]);
      assert.equal(await at(".versions:visible").innerText(), "Answer 3 of 3");
      assert.equal(await button("Show Next Answer").isDisabled(), true);
      await button("Show Previous Answer").focus();
      await chat.page.keyboard.press("Enter");
      assert.deepEqual(await shownAnswers(), ["42", "x"]);
      await chat.page.keyboard.press("Enter");
      assert.deepEqual(await shownAnswers(), ["41", "x"]);
      assert.equal(await at(".versions:visible").innerText(), "Answer 1 of 3");
      await chat.reload();
      assert.deepEqual(await shownAnswers(), ["43", "x"]);
    });

    it("keeps the scroll position of a question further up", async () => {
      await open();
      for (let run = 1; run <= 10; run++) {
        await tell(asked(run), answered("A paragraph.\n\n".repeat(20), run), ended(run));
      }
      const place = (selector: string) =>
        at(selector).evaluate((run) => Math.round(run.getBoundingClientRect().top));
      await at(".run")
        .nth(3)
        .evaluate((run) => run.scrollIntoView());
      await chat.settled();
      const before = await place(".run >> nth=3");
      const isNear = async () => {
        const now = await place(".run >> nth=4");
        assert.ok(Math.abs(now - before) <= 2, `${String(before)}, then ${String(now)}`);
      };
      await tell(again(11, 4), step(1, {}, 11));
      await isNear();
      await tell(answered("42", 11), ended(11));
      await isNear();
    });
  });

  describe("with a long question", () => {
    const rows = Array.from({ length: 40 }, (_, n) => `SELECT ${String(n)};`).join("\n");
    const question = `Why is \`a\` slow?\n\n\`\`\`sql\n${rows}\n\`\`\``;

    it("shows its code as code, and folds it until the user opens it", async () => {
      await open();
      await tell(asked(1, question), answered("42"), ended());
      assert.deepEqual(await at(".question code").allInnerTexts(), ["a", rows]);
      assert.equal(await at(".question .token-keyword").count(), 40);
      const height = () => at(".question").evaluate((one) => one.getBoundingClientRect().height);
      const folded = await height();
      assert.ok(folded < 250, String(folded));
      await button("Show Whole Question").press("Enter");
      assert.ok((await height()) > 700);
      await chat.reload();
      assert.ok((await height()) > 700);
      await button("Show Less").click();
      assert.equal(await height(), folded);
    });

    it("is edited as it was written", async () => {
      await open();
      await tell(asked(1, question), answered("42"), ended());
      await button("Edit and Ask Again").click();
      const input = chat.page.getByRole("textbox", { name: "Edit Question" });
      assert.equal(await input.inputValue(), question);
    });
  });

  describe("when editing a question", () => {
    const edited = (run: number, edits: number, question: string): ChatEvent => {
      return { type: "asked", run, question, startedAt: Date.now(), edits };
    };
    const questions = () => at(".run:visible .question").allInnerTexts();
    const two = async (options: ChatPageOptions = {}) => {
      await open(options);
      for (const [run, question] of [
        [1, "How much?"],
        [2, "And now?"],
      ] as const) {
        await tell(asked(run, question), answered(question, run), ended(run));
      }
    };

    it("asks what was typed, on Enter or by the button, and leaves it on Escape", async () => {
      await two();
      const edit = button("Edit and Ask Again").first();
      await edit.focus();
      await chat.page.keyboard.press("Enter");
      const input = chat.page.getByRole("textbox", { name: "Edit Question" });
      assert.equal(await input.inputValue(), "How much?");
      await chat.page.keyboard.press("Escape");
      assert.equal(await input.count(), 0);
      assert.equal(await edit.evaluate((one) => one === document.activeElement), true);
      await edit.click();
      await input.fill("How many?");
      await input.press("Enter");
      await button("Ask").click();
      const call = ["editAndAsk", 1, "How many?"];
      assert.deepEqual(chat.calls, [call, call]);
      await tell(edited(3, 1, "How many?"));
      assert.deepEqual(await questions(), ["How many?"]);
      const composer = at(".composer textarea");
      assert.equal(await composer.evaluate((one) => one === document.activeElement), true);
    });

    it("is not offered while an answer is streaming", async () => {
      await two();
      await tell(edited(3, 2, "Then?"));
      assert.equal(await at(".edit:visible").count(), 0);
      assert.equal(await at(".branches:visible").count(), 0);
      await tell(ended(3));
      assert.equal(await at(".edit:visible").count(), 2);
      assert.equal(await at(".branches:visible").innerText(), "Question 2 of 2");
    });

    it("switches between branches by keyboard, and announces them", async () => {
      await two();
      await button("Edit and Ask Again").first().click();
      await tell(edited(3, 1, "How many?"), answered("42", 3), ended(3));
      await button("Show Previous Question").focus();
      await chat.page.keyboard.press("Enter");
      assert.deepEqual(chat.calls, [["showBranch", 1]]);
      await tell({ type: "switched", run: 1 });
      assert.deepEqual(await questions(), ["How much?", "And now?"]);
      assert.equal(await at("[role=status]").textContent(), "Question 1 of 2");
      const focused = () => chat.page.evaluate(() => document.activeElement?.ariaLabel);
      assert.equal(await focused(), "Show Next Question");
      await chat.page.keyboard.press("Enter");
      assert.deepEqual(chat.calls.at(-1), ["showBranch", 3]);
      await tell({ type: "switched", run: 3 });
      assert.deepEqual(await questions(), ["How many?"]);
      assert.equal(await button("Show Next Question").isDisabled(), true);
      await tell({ type: "switched", run: 1 });
      await chat.reload();
      assert.deepEqual(await questions(), ["How much?", "And now?"]);
      assert.equal(await at(".branches:visible").innerText(), "Question 1 of 2");
      assert.equal(await at("[role=status]").textContent(), "");
    });

    it("keeps the scroll position of the question", async () => {
      await two();
      for (let run = 3; run <= 8; run++) {
        await tell(asked(run), answered("A paragraph.\n\n".repeat(20), run), ended(run));
      }
      await tell(edited(9, 5, "Other"), answered("Line.\n\n".repeat(60), 9), ended(9));
      const top = () =>
        at(".run:visible")
          .nth(4)
          .evaluate((run) => Math.round(run.getBoundingClientRect().top));
      await at(".run:visible")
        .nth(4)
        .evaluate((run) => run.scrollIntoView());
      await chat.settled();
      const before = await top();
      await tell({ type: "switched", run: 5 });
      assert.ok(Math.abs((await top()) - before) <= 2, `${before}, then ${await top()}`);
    });

    for (const theme of themeNames) {
      it(`has no axe-core violation in ${theme}, and fits into 300 pixels`, async () => {
        await two({ theme, width: 300 });
        await tell(edited(3, 2, "x".repeat(200)), answered("42", 3), ended(3));
        await button("Edit and Ask Again").first().click();
        assert.deepEqual(await axeViolations(chat.page.mainFrame()), []);
        const right = await at(".run *").evaluateAll((all) =>
          Math.max(...all.map((one) => one.getBoundingClientRect().right)),
        );
        assert.ok(right <= 300.5);
        await chat.page.screenshot({ path: `out/edit-${theme}.png` });
      });
    }
  });

  describe("in its answer", () => {
    it("shows characters by their names in HTML, and names that it does not have", async () => {
      const characters = Array.from({ length: 0xd7ff }, (_, code) =>
        String.fromCodePoint(code + 1),
      );
      const named = characters
        .map((one) => encodeHTML(one))
        .filter((one) => /^&[a-z]+\w*;$/i.test(one));
      assert.ok(named.length > 1_000);
      // Not all: a long paragraph is shown in pieces.
      const some = named.filter((_, at) => at % 5 === 0);
      const names = [...some, "&semi;", "&NewLine;", "&bogus;", "&notit;", "&amp;lt;", "&AMP;"];
      await open();
      await tell(asked(), answered(names.map((name) => `x${name}`).join(" ")), ended());
      const shown = (await at(".answer").textContent()) ?? "";
      assert.equal(shown.trim(), names.map((name) => `x${decodeHTMLStrict(name)}`).join(" "));
    });

    it("shows Markdown, with links that the host is asked to open", async () => {
      await open();
      const address = "https://example.com/a?b=c&d=%20";
      await tell(asked(), answered(`**42**, says [it](${address}).`), ended());
      assert.equal(await at(".answer strong").textContent(), "42");
      assert.equal(await at(".answer a").getAttribute("title"), address);
      // VS Code's own click listener would open the link.
      await chat.page.evaluate(() => {
        document.addEventListener("click", () => (document.title = "heard"));
      });
      await at(".answer a").click();
      await at(".answer a").click({ button: "middle" });
      await at(".answer a").focus();
      await chat.page.keyboard.press("Enter");
      const link = ["openLink", address];
      assert.deepEqual(chat.calls, [link, link, link]);
      assert.equal(chat.page.context().pages().length, 1);
      assert.equal(await chat.page.title(), "Chat");
    });

    it("copies and inserts the code of a block, not that of a line", async () => {
      await open();
      const text = "Run `x()`:\n\n```python\nprint(1)\n  print(2)\n```\n\n```sql\nSELECT 1\n```";
      await tell(asked(), answered(text), ended());
      assert.equal(await button("Copy Code").count(), 2);
      assert.deepEqual(await at("pre .token-number").allTextContents(), ["1", "2", "1"]);
      await at("pre").first().hover();
      await button("Insert at Cursor").first().click();
      await button("Copy Code").last().focus();
      await chat.page.keyboard.press("Enter");
      assert.deepEqual(chat.calls, [
        ["insertCode", "print(1)\n  print(2)"],
        ["copyText", "SELECT 1"],
      ]);
    });

    it("sorts a table, shows it as text, copies and exports it", async () => {
      await open();
      const text = "| home   | rent |\n| ------ | ---- |\n| a | b  | 900  |\n| c      | 1000 |";
      for (const [index, format] of (["table", "markdown"] as const).entries()) {
        const run = index + 1;
        chat.calls.length = 0;
        await tell(asked(run), stepped({ type: "answer", format, text }, run), ended(run));
        const answer = at(".answer").last();
        const cells = () => answer.locator(".grid-row .cell").allTextContents();
        assert.deepEqual(await cells(), ["a | b", "900", "c", "1000"]);
        const rent = answer.locator(".grid-header .cell", { hasText: "rent" });
        await rent.click();
        await rent.click();
        assert.deepEqual(await cells(), ["c", "1000", "a | b", "900"]);
        await answer.getByRole("button", { name: "Export…" }).click();
        await answer.getByRole("button", { name: "Show as Text" }).click();
        assert.equal(await answer.locator(".code").innerText(), text);
        assert.deepEqual(chat.calls, [["export", { of: "answer", run }]]);
      }
    });

    it("shows a table within the text as a grid, copies and exports it", async () => {
      await open();
      const table =
        "| home | rent |\n| :-- | --: |\n| **a** | 1000 |\n| [b](https://b.example) | 900 |";
      await tell(asked(), answered(`Two homes:\n\n${table}\n\nThat is all.`), ended());
      const part = at(".answer .part");
      assert.equal(await part.locator(".part-head > span").textContent(), "Table · 2 rows");
      assert.equal(await part.locator("table strong").textContent(), "a");
      // Tables may be wider than text.
      assert.equal(await part.evaluate((found) => getComputedStyle(found).maxWidth), "none");
      await part.hover();
      await button("Show as Grid").click();
      assert.equal(await part.locator("table").isVisible(), false);
      await part.locator(".grid-header .cell", { hasText: "rent" }).click();
      const cells = await part.locator(".grid-row .cell").allTextContents();
      assert.deepEqual(cells, ["b", "900", "a", "1000"]);
      await button("Show as Grid").press("Enter");
      assert.equal(await part.locator("table").isVisible(), true);
      assert.equal(await part.locator(".grid-row").first().isVisible(), false);
      await part.getByRole("button", { name: "Copy" }).press("Enter");
      await part.getByRole("button", { name: "Export…" }).press("Enter");
      const rows = [
        ["a", "1000"],
        ["b", "900"],
      ];
      assert.deepEqual(chat.calls, [
        ["copyText", "home\trent\na\t1000\nb\t900"],
        ["exportTable", ["home", "rent"], rows],
      ]);
    });

    it("shows an ambiguous table as text", async () => {
      await open();
      const text = "| a |\n| --- |\n| x | y |";
      await tell(asked(), stepped({ type: "answer", format: "table", text }), ended());
      assert.equal(await at(".answer .code").textContent(), text);
    });

    it("explains an empty answer", async () => {
      await open();
      await tell(asked(), stepped({ type: "answer", format: "table", text: "" }), ended());
      assert.equal(await at(".answer").textContent(), "The table has no rows.");
    });

    it("replaces an answer by its correction", async () => {
      await open();
      await tell(asked(), answered("41"), answered("42"), ended());
      assert.equal((await at(".answer").textContent())?.trim(), "42");
    });

    it("truncates an answer of 300,000 characters, with a link to all of it", async () => {
      await open();
      const paragraph = "Some **words** in [a link](https://example.com/) and more words.\n\n";
      await tell(asked(), answered(paragraph.repeat(5000)), ended());
      assert.ok((await at(".answer .markdown").count()) > 10);
      await button("Open Whole Text (330,000 characters)").click();
      assert.deepEqual(chat.calls, [["open", { of: "answer", run: 1 }]]);
    });
  });

  describe("at the end of a run", () => {
    const outcomes: [state: EndState, reason: string | undefined, sentence: RegExp][] = [
      ["answered", undefined, /^Answered in 12 s$/],
      ["stopped", undefined, /^Stopped after 12 s\. The server may still be processing this\.$/],
      ["failed", "The server is gone.", /^The server is gone\.$/],
      ["cutOff", undefined, /^Cut off: /],
      ["noAnswer", undefined, /^The agent ended without an answer\.$/],
    ];
    for (const [state, reason, sentence] of outcomes) {
      it(`shows ${state} with everything received, and Ask Again`, async () => {
        await open();
        await tell(asked(), step(1), ended(1, state, reason));
        assert.match((await at(".sentence").textContent()) ?? "", sentence);
        assert.equal(await at(".step").count(), 1);
        await button("Ask Again").click();
        assert.deepEqual(chat.calls, [["retry", 1]]);
      });
    }

    it("shows one action that helps, if there is one", async () => {
      await open();
      await tell(asked(), ended(1, "failed", "Sign in first."));
      await chat.update({ offers: { 1: "Sign In" } });
      assert.deepEqual(await at(".outcome .secondary-button").allTextContents(), ["Sign In"]);
      await button("Sign In").click();
      await button("Ask Again").click();
      assert.deepEqual(chat.calls, [
        ["acceptOffer", 1],
        ["retry", 1],
      ]);
    });

    it("shows the server's full message in the failure's details", async () => {
      await open();
      const detail = "status_code: 429, model_name: m, body: {'message': '<b>Slow</b>'}";
      await tell(asked(), { ...ended(1, "failed", "Rate limit."), detail } as ChatEvent);
      assert.equal(await at(".details .code").isVisible(), false);
      await at(".details summary").click();
      await at(".details .code").waitFor();
      assert.equal(await at(".details .code").textContent(), detail);
      await chat.reload();
      await at(".details .code").waitFor();
      assert.equal(await at(".details .code").textContent(), detail);
    });

    it("does not offer to ask again while another question runs", async () => {
      await open();
      await tell(asked(), answered("4"), ended(), asked(2), ended(2, "stopped"));
      assert.equal(await button("Ask Again").count(), 2);
      await button("Ask Again").last().press("Enter");
      await tell(asked(3));
      assert.equal(await button("Ask Again").count(), 0);
      // The pressed button is gone, and the focus with it.
      assert.ok(await at("textarea:focus").count());
      await tell(ended(3));
      assert.equal(await button("Ask Again").count(), 3);
    });

    it("says that the server is silent", async () => {
      await open();
      chat.tell({ ...asked(), startedAt: Date.now() - 95_000 } as ChatEvent, step(1));
      await chat.settled();
      const line = (await at(".where").textContent()) ?? "";
      assert.match(line, /^Thinking · \d min \d+ s · no response for \d min \d+ s$/);
    });
  });

  describe("when scrolling", () => {
    const long = (run: number) => [
      asked(run),
      ...Array.from({ length: 60 }, (_, index) => step(index + 1, {}, run)),
      ended(run),
    ];

    it("never moves what the user has scrolled back to", async () => {
      await open();
      await tell(...long(1), asked(2));
      await at(".log").hover();
      await chat.page.mouse.wheel(0, -30);
      await eventually(async () => assert.ok((await fromEnd()) > 0));
      const before = await eventually(async () => {
        const place = await scroll();
        await chat.settled();
        assert.equal(await scroll(), place, "it still scrolls");
        return place;
      });
      await tell(...Array.from({ length: 60 }, (_, index) => step(index + 1, {}, 2)));
      assert.equal(await scroll(), before);
      await button("Scroll to Bottom").click();
      assert.equal(await fromEnd(), 0);
      await tell(step(61, {}, 2));
      assert.equal(await fromEnd(), 0);
    });

    it("goes on to the end after the layout, and not the user, has moved the view", async () => {
      await open();
      await tell(...long(1), asked(2));
      await at(".log").evaluate((log) => (log.scrollTop -= 200));
      await eventually(async () => assert.equal(await button("Scroll to Bottom").count(), 1));
      await tell(step(1, {}, 2));
      assert.equal(await fromEnd(), 0);
    });

    it("shows a button to the end that covers no text, at any width", async () => {
      for (const width of [300, 1600]) {
        if (width > 300) await chat.close();
        await open({ width, height: 400 });
        const table = `| ${"wide ".repeat(60)} | n |\n| --- | --- |\n| x | 1 |`;
        const body = `${"Many words. ".repeat(100)}\n\n\`\`\`\n${"code ".repeat(80)}\n\`\`\``;
        for (const [index, text] of [body, table, body].entries()) {
          await tell(asked(index + 1, body), answered(text, index + 1), ended(index + 1));
        }
        for (let top = 0; ; top += 230) {
          await at(".log").evaluate((log, to) => log.scrollTo(0, to), top);
          await chat.settled();
          if (!(await at(".to-end").isVisible())) break;
          assert.equal(await coveredText(), "", `${String(width)}: ${String(top)}`);
        }
      }
    });

    it("shows a long answer from its beginning", async () => {
      await open();
      await tell(asked(), step(1));
      await tell(answered("A paragraph.\n\n".repeat(200)));
      await tell(ended());
      const top = await at(".answer").evaluate((answer) => answer.getBoundingClientRect().top);
      assert.ok(top >= 0 && top < 40, String(top));
    });

    it("restores the draft, the scroll position and open steps after it was hidden", async () => {
      await open();
      await tell(
        ...long(1),
        asked(2),
        query(1, {}, 2),
        query(2, { state: "failed" }, 2),
        answered("42", 2),
        ended(2),
      );
      await tell(...long(3));
      await at("textarea").fill("a draft, Bearer sk-canary-0123456789abcdefgh");
      await at(fold).nth(1).click();
      await at(toggle).nth(0).click();
      await at(toggle).nth(1).click();
      await at(".log").evaluate((log) => (log.scrollTop = 500));
      await chat.settled();
      const before = [await scroll(), await at(toggle).evaluateAll(isOpen)];
      await chat.reload();
      await eventually(async () =>
        assert.deepEqual([await scroll(), await at(toggle).evaluateAll(isOpen)], before),
      );
      assert.equal(await at("textarea").inputValue(), "a draft, Bearer ******");
      assert.equal(await at(".run").count(), 3);
    });

    it("is at the end again after it was hidden there, however long the conversation is", async () => {
      await open();
      for (let run = 1; run <= 40; run++) {
        chat.tell(asked(run), step(1, {}, run), answered("x\n\n".repeat(run), run), ended(run));
      }
      await chat.settled();
      await chat.reload();
      await eventually(async () => assert.equal(await fromEnd(), 0));
    });
  });

  describe("after it was hidden", () => {
    it("shows a run that continued while the page was hidden", async () => {
      await open();
      await tell(asked(), step(1));
      const reloaded = chat.reload();
      chat.tell(step(2), answered("42"), ended());
      await reloaded;
      await chat.settled();
      assert.equal(await at(".step").count(), 2);
      assert.match((await at(".outcome").textContent()) ?? "", /Answered/);
    });
  });

  describe("with the keyboard", () => {
    const focused = () => chat.page.evaluate(() => document.activeElement?.textContent ?? "");

    it("moves between steps with the arrow keys and opens them; Tab leaves the list", async () => {
      await open();
      await tell(asked(), query(1), query(2), query(3), answered("42"), ended());
      await at(fold).focus();
      await chat.page.keyboard.press("Enter");
      await chat.page.keyboard.press("Tab");
      await chat.page.keyboard.press("ArrowDown");
      await chat.page.keyboard.press("ArrowRight");
      assert.deepEqual(await at(toggle).evaluateAll(isOpen), [false, true, false]);
      await chat.page.keyboard.press("ArrowLeft");
      assert.deepEqual(await at(toggle).evaluateAll(isOpen), [false, false, false]);
      await chat.page.keyboard.press("End");
      assert.match(await focused(), /SELECT 3/);
      await chat.page.keyboard.press("Enter");
      assert.deepEqual(await at(toggle).evaluateAll(isOpen), [false, false, true]);
      await chat.page.keyboard.press("Home");
      await chat.page.keyboard.press("Tab");
      assert.doesNotMatch(await focused(), /SELECT/);
    });

    it("focuses the composer first, and restores the last focus later", async () => {
      await open();
      assert.equal(await chat.page.evaluate(() => document.activeElement?.tagName), "TEXTAREA");
      await tell(asked(), query(1), ended());
      await at(toggle).focus();
      // Like a webview that regains the focus: the window has it, but no element.
      await chat.page.evaluate(() => {
        (document.activeElement as HTMLElement).blur();
        window.dispatchEvent(new FocusEvent("focus"));
      });
      assert.equal(await chat.page.evaluate(() => document.activeElement?.tagName), "BUTTON");
    });

    it("leaves the focus where the user has clicked, as steps come", async () => {
      await open();
      await tell(asked(), step(1));
      await at(".question").click();
      const tag = () => chat.page.evaluate(() => document.activeElement?.tagName);
      assert.equal(await tag(), "BODY");
      await tell(step(2));
      assert.equal(await at(".step").count(), 2);
      assert.equal(await tag(), "BODY");
    });

    it("focuses the last answer on a command", async () => {
      await open();
      await tell(
        asked(),
        answered("first"),
        ended(),
        asked(2),
        answered("second", 2),
        ended(2),
        asked(3),
      );
      await chat.post({ type: "focusLastAnswer" });
      assert.equal((await focused()).trim(), "second");
    });
  });

  describe("for accessibility", () => {
    it("announces steps and the end to screen readers, but not every second", async () => {
      await open();
      await tell(asked(), step(1, { kind: "plan" }));
      assert.equal(await at("[role=status]").textContent(), "Plan");
      await tell(answered("42"), ended());
      assert.equal(await at("[role=status]").textContent(), "Answered in 12 s");
      assert.equal(await at("[role=log]").getAttribute("aria-live"), "off");
      assert.equal(await at("[role=status] .where").count(), 0);
    });

    it("does not announce the history", async () => {
      await open();
      await tell(asked(), step(1), answered("42"), ended());
      await chat.reload();
      assert.equal(await at("[role=status]").textContent(), "");
    });

    it("is never wider than a panel of 300 pixels", async () => {
      await open({ width: 300 });
      const text = `${"word".repeat(100)}\n\n| ${"wide ".repeat(30)}| b |\n| - | - |\n| 1 | 2 |\n\n\`\`\`\n${"x".repeat(500)}\n\`\`\``;
      const parts = [{ kind: "observation", text: "y".repeat(500) } as const];
      await tell(
        asked(1, "q".repeat(300)),
        step(1, { state: "failed", label: "l".repeat(300), parts }),
      );
      await tell(answered(text), ended(1, "failed", "r".repeat(300)));
      const wide = await at(".chat *").evaluateAll((elements) =>
        elements
          .filter((element) => !element.closest(".table *, .visually-hidden"))
          .filter((element) => element.getBoundingClientRect().right > 300.5)
          .map((element) => String(element.className)),
      );
      assert.deepEqual(wide, []);
      const scrolls = (table: Element) => table.scrollWidth > table.clientWidth;
      assert.equal(await at(".table").evaluate(scrolls), true);
      assert.equal(
        await at(".table").evaluate((table) => getComputedStyle(table).overflowX),
        "auto",
      );
    });

    it("can be read and used where there is little space", async () => {
      await open({ width: 640 });
      await chat.page.setViewportSize({ width: 640, height: 400 });
      await tell(asked(), query(1), answered("# One\n\n| a | b |\n| - | -: |\n| 1 | 2 |"), ended());
      await at(".steps-toggle").click();
      await chat.settled();
      assert.deepEqual(await axeViolations(chat.page.mainFrame()), []);
      assert.deepEqual(await clippedElements(chat.page.mainFrame()), []);
    });

    for (const theme of themeNames) {
      it(`has no axe-core violation in ${theme}`, async () => {
        await open({ theme });
        const sql = "-- All\nSELECT `a`, 'b', 1.5 FROM c";
        const parts = [
          { kind: "sql", text: sql } as const,
          { kind: "raw", text: '{"a": "b"}' } as const,
          { kind: "observation", text: "| a |\n| - |\n| 1 |" } as const,
          { kind: "error", text: "line\n".repeat(300) } as const,
          { kind: "observation", text: "x".repeat(250_000) } as const,
        ];
        const text =
          "# One\n\n## Two\n\n[link](https://example.com) `code`\n\n> quote\n\n| a | b |\n| - | -: |\n| 1 | 2 |";
        await chat.update({ suggestions: ["How much?", "How many homes are there?"] });
        assert.deepEqual(await axeViolations(chat.page.mainFrame()), []);
        const question = `Why \`a\`?\n\`\`\`sql\n${`${sql}\n`.repeat(5)}\`\`\``;
        await tell(asked(1, question), query(1), step(2, { state: "failed", parts }));
        await tell(answered(`${text}\n\n\`\`\`sql\n${sql}\n\`\`\``), ended());
        await tell(asked(2), ended(2, "failed", "Sign in first."));
        await chat.update({ offers: { 2: "Sign In" } });
        await tell(asked(3), query(1, { state: "running" }));
        await at(".log").evaluate((log) => (log.scrollTop = 0));
        await chat.settled();
        assert.deepEqual(await axeViolations(chat.page.mainFrame()), []);
      });
    }
  });
});

function isOpen(toggles: Element[]): boolean[] {
  return toggles.map((element) => element.getAttribute("aria-expanded") === "true");
}
