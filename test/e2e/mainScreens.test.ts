// The main screens in a dark, a light and a high-contrast theme: screenshots, and axe-core on an answer.
import assert from "node:assert/strict";
import { axeViolations } from "./lib/axe.ts";
import { eventually } from "./lib/eventually.ts";
import { useWorkbench } from "./lib/journey.ts";
import { themes } from "./lib/workbench.ts";

type Theme = keyof typeof themes;
const allThemes = Object.keys(themes) as Theme[];

describe("The main screens", () => {
  const journey = useWorkbench();

  /** Does something in each theme, with the pointer moved away. */
  async function inEachTheme(work: (theme: Theme) => Promise<void>): Promise<void> {
    await journey.workbench.page.mouse.move(700, 700);
    for (const theme of allThemes) {
      await journey.workbench.setTheme(theme);
      await work(theme);
    }
  }

  it("offer three ways to start", async () => {
    await journey.tree.sideBar.locator(".welcome-view-content").waitFor();
    const clip = { x: 0, y: 0, width: 640, height: 400 };
    await inEachTheme(async (theme) => {
      await journey.workbench.screenshot(`welcome-${theme}`, { clip });
    });
  });

  it("show the content of a server", async () => {
    const { tree, workbench } = journey;
    await workbench.command("MindsDB: Start Sample Server");
    const group = (name: string) => ["Sample Server", "mindsdb", name];
    for (const name of ["Knowledge Bases", "Agents", "Models"]) {
      await tree.expand(group(name));
      await eventually(async () => {
        assert.notEqual((await tree.find(group(name))).description, "");
      });
    }
    await tree.expand([...group("Models"), "home_rentals_model"]);
    const clip = { x: 0, y: 0, width: 640, height: 400 };
    await inEachTheme(async (theme) => {
      await workbench.screenshot(`tree-${theme}`, { readme: theme === "dark", clip });
    });
  });

  it("show an answer with its steps", async () => {
    const chat = await journey.chatWith("Sample Server", "mindsdb", "rental_agent");
    await chat.ask("What is the average rental price per location?");
    const { state, steps } = await chat.ended(1);
    assert.equal(state, "answered");
    await chat.openStep(steps.findIndex(({ words }) => words.startsWith("Query")));
    await chat.composer.focus();
    // Tall enough for all of it.
    const { page } = journey.workbench;
    await page.setViewportSize({ width: 1280, height: 880 });
    await inEachTheme(async (theme) => {
      await journey.workbench.screenshot(`chat-${theme}`);
      await eventually(async () => assert.deepEqual(await axeViolations(chat.frame), [], theme));
    });
    const late = await chat.frame.evaluate(() => {
      const files = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const scripts = files.filter(({ name }) => /\.(?:js|css)$/.test(name));
      const answered = Math.min(...scripts.map(({ responseEnd }) => responseEnd));
      return scripts.filter(({ startTime }) => startTime > answered).map(({ name }) => name);
    });
    assert.deepEqual(late, [], "all files of the page are requested at once");
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});
