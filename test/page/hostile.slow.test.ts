// Hostile texts wherever server texts are shown: they run nothing and load nothing, even without the policy.
import assert from "node:assert/strict";
import MarkdownIt from "markdown-it";
import type { Page } from "playwright-core";
import type { ChatEvent } from "../../src/chat/transcript.ts";
import type { PartKind, StepEvent } from "../../src/mindsdb/stream/stepEvents.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import type { PageMonitor } from "../e2e/lib/pageMonitor.ts";
import { ChatPages } from "./chatPage.ts";
import { commonMarkTexts, hostileTexts, leavingTexts } from "./hostile.ts";

/** Everything that a page did because of a hostile text. */
interface Harm {
  scripts: number;
  requests: number;
  violations: number;
}

/** Starts counting; the page must not have loaded hostile texts yet. */
async function countHarm(page: Page, watch: PageMonitor): Promise<() => Harm> {
  let scripts = 0;
  await page.exposeFunction("pwned", () => scripts++);
  return () => ({
    scripts,
    requests: watch.foreignRequests().length,
    violations: watch.violations.length,
  });
}

/** Dispatches hover, focus and click events on every element; but icons have no text and would only repeat a click. */
function touchEverything(): void {
  for (const element of document.querySelectorAll(".log *:not(.codicon)")) {
    for (const type of ["mouseover", "mouseenter", "focus", "click"]) {
      element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }));
    }
  }
}

/** A run with the text in every field that a server can set. */
function hostileRun(run: number, text: string): ChatEvent[] {
  const stepped = (event: StepEvent): ChatEvent => ({ type: "stepped", run, at: run, event });
  const kinds: PartKind[] = ["thought", "input", "sql", "observation", "text", "error", "raw"];
  const parts = kinds.map((kind) => ({ kind, text }));
  return [
    { type: "asked", run, question: text, startedAt: 0 },
    stepped({
      type: "step",
      step: { n: 1, kind: "status", state: "done", label: text, parts: [] },
    }),
    // A failed step is open.
    stepped({ type: "step", step: { n: 2, kind: "tool", tool: text, state: "failed", parts } }),
    stepped({ type: "answer", format: "table", text: `| ${text} |\n| - |\n| ${text} |` }),
    stepped({ type: "answer", format: "markdown", text }),
    { type: "ended", run, at: run, state: "failed", reason: text },
  ];
}

describe("Hostile texts", function () {
  this.timeout(360_000);
  let pages: ChatPages;
  before(async () => {
    pages = await ChatPages.start();
  });
  after(() => pages.stop());

  for (const [name, texts] of [
    ["made to do harm", hostileTexts],
    ["of CommonMark", commonMarkTexts],
  ] as const) {
    it(`${name} do nothing in the chat`, async () => {
      const agent = { connectionId: "c", connection: "c", project: "p", name: "a" };
      const chat = await pages.open({ head: { chatId: "c", agent } });
      const harm = await countHarm(chat.page, chat.watch);
      for (const [index, text] of texts.entries()) {
        chat.tell(...hostileRun(index + 1, text));
      }
      const offers = Object.fromEntries(texts.map((text, index) => [index + 1, text]));
      await chat.update({ offers });
      await chat.settled();
      assert.equal(await chat.page.locator(".run").count(), texts.length);
      await chat.page.evaluate(touchEverything);
      await chat.settled();
      assert.deepEqual(harm(), { scripts: 0, requests: 0, violations: 0 });
      assert.deepEqual(chat.watch.errors, []);
      // The page's own script stays in the body; its texts are data in the head, beside its styles.
      const foreign =
        "script:not(head > #texts, body > [src$='/page.js']), style:not(head > style), iframe, img, svg, math, object, embed, form:not(.composer)";
      assert.equal(await chat.page.locator(foreign).count(), 0);
      assert.equal(new URL(chat.page.url()).origin, pages.origin);
      for (const [call, href] of chat.calls) {
        if (call === "openLink") assert.match(String(href), /^(https?:\/\/|mailto:)/i);
      }
      await chat.close();
    });
  }

  it("do nothing as names", async () => {
    const chat = await pages.open();
    const harm = await countHarm(chat.page, chat.watch);
    for (const name of hostileTexts) {
      const agent = { connectionId: "c", connection: name, project: name, name };
      await chat.update({ agent });
      assert.equal(await chat.page.locator("h1").textContent(), name);
    }
    assert.deepEqual(harm(), { scripts: 0, requests: 0, violations: 0 });
    await chat.close();
  });

  describe("in an unprotected page", () => {
    /** Inserts the HTML of a permissive Markdown parser so that its scripts run. */
    async function harmOf(
      texts: string[],
      policy: boolean,
      until: (harm: Harm) => boolean,
    ): Promise<Harm> {
      const { page, watch } = await pages.openBare(policy);
      const harm = await countHarm(page, watch);
      const md = new MarkdownIt({ html: true });
      md.validateLink = () => true;
      const htmls = texts.map((text) => md.render(text));
      await page.evaluate((htmls) => {
        for (const html of htmls) {
          const place = document.body.appendChild(document.createElement("div"));
          place.className = "log";
          place.append(document.createRange().createContextualFragment(html));
        }
      }, htmls);
      await page.evaluate(touchEverything).catch(() => undefined);
      await eventually(() => assert.ok(until(harm()), JSON.stringify(harm())));
      const result = harm();
      await page.context().close();
      return result;
    }

    const staying = hostileTexts.filter((text) => !leavingTexts.includes(text));

    it("run scripts and send requests", async () => {
      const enough = ({ scripts, requests }: Harm) => scripts > 10 && requests > 20;
      const harm = await harmOf(staying, false, enough);
      assert.ok(enough(harm), JSON.stringify(harm));
    });

    it("violate the policy, which stops them", async () => {
      const enough = ({ violations }: Harm) => violations > 20;
      const harm = await harmOf(staying, true, enough);
      assert.ok(enough(harm), JSON.stringify(harm));
      assert.deepEqual({ ...harm, violations: 0 }, { scripts: 0, requests: 0, violations: 0 });
    });

    it("navigate away, with or without the policy", async () => {
      const enough = ({ requests }: Harm) => requests > 0;
      assert.ok(enough(await harmOf(leavingTexts, true, enough)));
    });
  });
});
