// A user who never touches the mouse: from the palette to the question, Stop, once more, and through the answer.
import assert from "node:assert/strict";
import { eventually } from "./lib/eventually.ts";
import { useWorkbench } from "./lib/journey.ts";

describe("With the keyboard alone", () => {
  const journey = useWorkbench();
  const page = () => journey.workbench.page;
  const press = (key: string) => page().keyboard.press(key);

  async function command(label: string): Promise<void> {
    const { quickInput } = journey.workbench;
    await eventually(async () => {
      await press("F1");
      await page().keyboard.type(label);
      // The list is made when the palette opens: what has come since needs a fresh one.
      await quickInput
        .row(label)
        .waitFor({ timeout: 2000 })
        .catch(async (error: unknown) => {
          await press("Escape");
          throw error;
        });
    }, 30_000);
    await press("Enter");
  }

  /** What has the focus in the chat: its class and words. */
  async function focus(): Promise<{ kind: string; words: string }> {
    const { frame } = await journey.chat("rental_agent");
    return frame.evaluate(() => {
      const { tagName, className, textContent } = document.activeElement as HTMLElement;
      return { kind: className || tagName.toLowerCase(), words: textContent };
    });
  }

  async function focusOn(kind: string): Promise<string> {
    return eventually(async () => {
      const focused = await focus();
      assert.equal(focused.kind, kind);
      return focused.words;
    });
  }

  it("starts the sample server and picks an agent", async () => {
    await command("MindsDB: Start Sample Server");
    await journey.tree.find(["Sample Server", "mindsdb"]);
    await command("MindsDB: Ask Agent…");
    await journey.workbench.quickInput.expect("Which agent?");
    await page().keyboard.type("rental");
    await journey.workbench.quickInput.row("rental_agent").waitFor();
    await press("Enter");
    await journey.chat("rental_agent");
  });

  it("types the question where the focus is, and stops the answer", async () => {
    const chat = await journey.chat("rental_agent");
    await focusOn("textarea");
    await page().keyboard.type("What is the average rental price");
    await press("Shift+Enter");
    await page().keyboard.type("per location?");
    await press("Enter");
    await eventually(async () => {
      assert.notEqual((await chat.lastRun()).steps.length, 0);
    });
    await press("Escape");
    const run = await chat.ended(1);
    assert.equal(run.state, "stopped");
    assert.equal(run.question, "What is the average rental price\nper location?");
  });

  it("asks again and goes to the answer", async () => {
    const chat = await journey.chat("rental_agent");
    await command("MindsDB: Ask Again");
    assert.equal((await chat.ended(2)).state, "answered");
    await command("MindsDB: Focus Last Answer");
    assert.match(await focusOn("answer"), /2602\.7/);
  });

  it("walks through the steps", async () => {
    const chat = await journey.chat("rental_agent");
    await press("Shift+Tab");
    await focusOn("line");
    await press("End");
    await press("Home");
    const open = async () => (await chat.lastRun()).steps.map(({ isOpen }) => isOpen);
    const { steps } = await chat.lastRun();
    const query = steps.findIndex(({ words }) => words.startsWith("Query"));
    await eventually(async () => {
      if (!(await focusOn("line")).startsWith("Query")) {
        await press("ArrowDown");
        throw new Error("The focus has not reached the query");
      }
    });
    await press("ArrowRight");
    await eventually(async () => {
      assert.equal((await open())[query], true);
    });
    await press("ArrowLeft");
    await eventually(async () => {
      assert.equal((await open())[query], false);
    });
  });

  it("comes back to where it was", async () => {
    await command("View: Focus into Primary Side Bar");
    await eventually(async () => {
      assert.ok(await journey.tree.sideBar.locator(":focus").count());
    });
    await command("View: Focus Active Editor Group");
    assert.match(await focusOn("line"), /^Query/);
  });
});
