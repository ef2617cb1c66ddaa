// The moving pictures of the README, filmed in the real product on the sample server.
import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { startSampleServer } from "../../src/sample/server/server.ts";
import { AgentForm } from "./lib/agentForm.ts";
import { Chat } from "./lib/chat.ts";
import { Film, type FilmedFrame } from "./lib/film.ts";
import { KnowledgeBasePage } from "./lib/knowledgeBasePage.ts";
import { Notebook } from "./lib/notebook.ts";
import { loadSharp } from "./lib/sharp.ts";
import { SqlEditor } from "./lib/sqlEditor.ts";
import { SqlResults } from "./lib/sqlResults.ts";
import { TestExplorer } from "./lib/testExplorer.ts";
import type { Tree } from "./lib/tree.ts";
import { openWorkbench, themes, type Workbench } from "./lib/workbench.ts";

interface Scene {
  workbench: Workbench;
  tree: Tree;
}

/** Half of it can be read still. */
const viewport = { width: 960, height: 600 };
const project = ["Sample Server", "mindsdb"];

/** What happens in each; what comes before the film begins is not shown. */
const scenes: Record<string, (scene: Scene) => Promise<FilmedFrame[]>> = {
  async "ask-agent"({ workbench, tree }) {
    const agents = [...project, "Agents"];
    await tree.expand(agents);
    return Film.of(workbench.page, async (film) => {
      await film.pointTo(tree.sideBar.getByText("rental_agent", { exact: true }));
      await tree.click([...agents, "rental_agent"]);
      const chat = await Chat.with(workbench, "rental_agent");
      await film.type(chat.composer, "May I keep a dog?");
      await chat.composer.press("Enter");
      await chat.ended(1);
      await film.read();
      await film.click(chat.frame.locator(".answer .also").first());
      await film.read();
    });
  },

  async "create-agent"({ workbench, tree }) {
    await tree.expand([...project, "Agents"]);
    return Film.of(workbench.page, async (film) => {
      await film.pointTo(tree.sideBar.getByText("Agents", { exact: true }));
      await workbench.command("MindsDB: Create Agent…");
      const form = await AgentForm.with(workbench);
      await film.type(form.control("name"), "price_helper");
      await film.click(form.field("tables").getByRole("button").first());
      await workbench.quickInput.box.fill("home_rentals");
      await film.click(workbench.quickInput.row("files.home_rentals"));
      await workbench.quickInput.box.press("Enter");
      await film.click(form.button("Create Agent"));
      await film.click(form.frame.locator(".created button").first());
      const chat = await Chat.with(workbench, "price_helper");
      await film.click(chat.frame.getByRole("button", { name: "Which location" }));
      await chat.ended(1);
      await film.read();
    });
  },

  async "search-knowledge-base"({ workbench, tree }) {
    const bases = [...project, "Knowledge Bases"];
    await tree.expand(bases);
    return Film.of(workbench.page, async (film) => {
      await film.pointTo(tree.sideBar.getByText("rental_guide", { exact: true }));
      await tree.click([...bases, "rental_guide"]);
      const page = await KnowledgeBasePage.with(workbench, "rental_guide");
      const question = page.frame.getByLabel("Question");
      await film.type(question, "May I keep a dog?");
      await question.press("Enter");
      const found = page.frame.locator("mark", { hasText: "dog" }).first();
      await found.waitFor();
      await film.read(1_000);
      await found.evaluate((mark) => mark.closest(".chunk")?.scrollIntoView());
      await film.read(2_000);
    });
  },

  async predict({ workbench }) {
    await workbench.command("View: Toggle Primary Side Bar Visibility");
    await workbench.openFile("first-predictions.predict.md");
    const notebook = await Notebook.with(workbench, "first-predictions.predict.md");
    return Film.of(workbench.page, async (film) => {
      const cell = notebook.codeCells.first();
      await film.click(cell.locator(".view-lines"));
      await film.click(cell.locator(".run-button-container .action-label").first());
      const result = await notebook.result();
      await result.when(({ count }) => {
        if (!/^\d+ rows$/.test(count)) throw new Error(count);
      });
      await film.read();
      await workbench.page.mouse.wheel(0, 250);
      await film.read(2_500);
    });
  },

  async "write-sql"({ workbench, tree }) {
    await tree.contextMenu(["Sample Server"], "New SQL File");
    const editor = new SqlEditor(() => workbench);
    await editor.isOpenOn("Sample Server");
    await workbench.command("View: Toggle Primary Side Bar Visibility");
    await workbench.command("View: Focus into Panel");
    await enlargePanel(workbench.page);
    await workbench.command("View: Hide Panel");
    return Film.of(workbench.page, async (film) => {
      await editor.type("SELECT location, avg(rental_price) AS rent\n");
      await editor.complete("FROM files.ho", "home_rentals");
      await editor.type(" GROUP BY location");
      await film.read(500);
      await editor.press("Control+Enter");
      const results = new SqlResults(() => workbench);
      const frame = await results.frame();
      await frame.locator(".grid-row").first().waitFor();
      await film.read();
      await film.click(frame.getByRole("button", { name: "Show Chart" }));
      await film.read(2_500);
    });
  },

  async "test-agent"({ workbench }) {
    await workbench.openFile("tests.agent-test.yaml");
    const tests = await TestExplorer.open(workbench);
    return Film.of(workbench.page, async (film) => {
      await film.pointTo(tests.row("tests.agent-test.yaml"));
      await tests.expand("tests.agent-test.yaml");
      await tests.run("tests.agent-test.yaml", true);
      await tests.expectState("tests.agent-test.yaml", "passed");
      await film.read(2_000);
    });
  },
};

/** Drags the panel's upper edge up. */
async function enlargePanel(page: Page): Promise<void> {
  const top = (await page.locator(".part.panel").boundingBox())?.y ?? 0;
  const edges = await page.locator(".monaco-sash.horizontal:not(.disabled)").all();
  const boxes = await Promise.all(edges.map((edge) => edge.boundingBox()));
  const [edge] = boxes
    .filter((box) => box !== null)
    .sort((a, b) => Math.abs(a.y - top) - Math.abs(b.y - top));
  if (!edge) throw new Error("The panel has no edge");
  const [x, y] = [edge.x + edge.width / 3, edge.y + edge.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 140, { steps: 5 });
  await page.mouse.up();
}

/** Films these scenes, by default all, and writes them into a folder. */
export async function filmScenes(folder: string, names = Object.keys(scenes)): Promise<void> {
  for (const name of names) {
    const play = scenes[name];
    if (!play) throw new Error(`There is no ${name}, only ${Object.keys(scenes).join(", ")}`);
    const server = await startSampleServer();
    const connections = [{ id: "sample", name: "Sample Server", address: server.url }];
    const workbench = await openWorkbench({
      viewport,
      machineSettings: { "mindsdbWorkbench.connections": connections },
      settings: { "workbench.colorTheme": themes.dark },
    });
    try {
      const frames = await play({ workbench, tree: await workbench.openView("MindsDB") });
      await write(path.join(folder, `${name}.webp`), frames);
    } finally {
      await workbench.close();
      await server.stop();
    }
  }
}

/** Writes an animated WebP. Without loss it is smallest: a screen has few colors and changes little. */
async function write(file: string, frames: FilmedFrame[]): Promise<void> {
  const sharp = await loadSharp();
  const pictures = frames.map(({ png }) => png);
  const webp = await sharp(pictures, { join: { animated: true } })
    .webp({ delay: frames.map(({ ms }) => ms), loop: 0, lossless: true, effort: 6, minSize: true })
    .toBuffer();
  fs.writeFileSync(file, webp);
  const seconds = frames.reduce((sum, { ms }) => sum + ms, 0) / 1_000;
  console.log(`${path.basename(file)}: ${seconds.toFixed(1)} s, ${webp.length} bytes`);
}
