// The main screens: pictures of the tree in a dark, a light and a high-contrast theme, and what a page loads.
import assert from "node:assert/strict";
import { eventually } from "./lib/eventually.ts";
import { useWorkbench } from "./lib/journey.ts";
import { themes } from "./lib/workbench.ts";

describe("The main screens", () => {
  const journey = useWorkbench();

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
    await workbench.page.mouse.move(700, 700);
    for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`tree-${theme}`, { readme: theme === "dark", clip });
    }
  });

  it("request all files of a page at once", async () => {
    const chat = await journey.chatWith("Sample Server", "mindsdb", "rental_agent");
    await chat.ask("What is the average rental price per location?");
    const { steps } = await chat.ended(1);
    await chat.openStep(steps.findIndex(({ words }) => words.startsWith("Query")));
    const late = await chat.frame.evaluate(() => {
      const files = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const scripts = files.filter(({ name }) => /\.(?:js|css)$/.test(name));
      const answered = Math.min(...scripts.map(({ responseEnd }) => responseEnd));
      return scripts.filter(({ startTime }) => startTime > answered).map(({ name }) => name);
    });
    assert.deepEqual(late, []);
  });
});
