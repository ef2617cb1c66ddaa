// The page of a saved run: a chat that asks nobody, with a button that replays it.
import assert from "node:assert/strict";
import type { ChatEvent } from "../../src/chat/transcript.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { themeNames, useChatPages, type ChatPage, type Theme } from "./chatPage.ts";

const head = {
  chatId: "saved",
  agent: { connectionId: "", connection: "Rentals", project: "mindsdb", name: "rental_agent" },
};
const origin = "Saved run · mindsdb on Rentals · MindsDB 26.1.0 · Nov 23, 2026, 7:29 AM";
const asked: ChatEvent = { type: "asked", run: 1, question: "How much?", startedAt: 0 };
const planned: ChatEvent = {
  type: "stepped",
  run: 1,
  at: 100,
  event: {
    type: "step",
    step: { n: 1, kind: "plan", state: "done", parts: [{ kind: "text", text: "Look." }] },
  },
};
const rest: ChatEvent[] = [
  {
    type: "stepped",
    run: 1,
    at: 900,
    event: { type: "answer", format: "markdown", text: "**40**\n\n```sql\nSELECT 40\n```" },
  },
  { type: "ended", run: 1, at: 1000, state: "answered" },
];

describe("The page of a saved run", () => {
  const pages = useChatPages();
  let chat: ChatPage;

  async function open(theme?: Theme): Promise<void> {
    const saved = { origin };
    chat = await pages.open({ head, saved, ...(theme && { theme }) });
    chat.tell(asked, planned, ...rest);
    await chat.settled();
  }
  const button = (name: string) => chat.page.getByRole("button", { name, exact: true });

  it("says where the run comes from, and offers nothing that needs a server", async () => {
    await open();
    assert.equal(await chat.page.locator(".place").innerText(), origin);
    assert.equal(await chat.page.getByRole("textbox").count(), 0);
    for (const name of ["Ask Again", "Edit and Ask Again", "Send (Enter)"]) {
      assert.equal(await button(name).count(), 0, name);
    }
    for (const name of ["Copy Answer", "Show Raw Events", "Replay"]) {
      assert.equal(await button(name).count(), 1, name);
    }
  });

  it("replays it, keeps the focus, and stops by button and by Escape", async () => {
    await open();
    await button("Replay").click();
    assert.deepEqual(chat.calls.at(-1), ["replay"]);
    chat.restart();
    chat.tell(asked, planned);
    await chat.settled();
    assert.equal(await chat.page.locator(".answer:visible").count(), 0);
    const focused = () => chat.page.evaluate(() => document.activeElement?.textContent);
    assert.equal(await focused(), "Stop Replay");
    await chat.page.keyboard.press("Enter");
    assert.deepEqual(chat.calls.at(-1), ["stop"]);
    await chat.page.keyboard.press("Escape");
    assert.equal(chat.calls.filter(([name]) => name === "stop").length, 2);
    chat.tell(...rest);
    await chat.settled();
    assert.equal(await focused(), "Replay");
    assert.equal(await chat.page.locator(".run").count(), 1);
  });

  for (const theme of themeNames) {
    it(`has no axe-core violation in ${theme}`, async () => {
      await open(theme);
      assert.deepEqual(await axeViolations(chat.page.mainFrame()), []);
      await chat.page.screenshot({ path: `out/screenshots/page-saved-run-${theme}.png` });
    });
  }
});
