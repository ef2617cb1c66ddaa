// Every screen in a pseudo language with marked texts that are 1.4 times as long: nothing is English or clipped.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Frame } from "playwright-core";
import { Chat } from "./lib/chat.ts";
import { eventually } from "./lib/eventually.ts";
import { pressOnce } from "./lib/once.ts";
import { expectText } from "./lib/expect.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { clippedElements } from "./lib/clippedElements.ts";
import { Notebook } from "./lib/notebook.ts";
import { pseudo, pseudoLanguage, untranslated } from "./lib/pseudoLocale.ts";

const manifest = JSON.parse(
  fs.readFileSync(path.resolve(import.meta.dirname, "../../package.nls.json"), "utf8"),
) as Record<string, string>;

describe("A language other than English", () => {
  const server = useServer();
  const journey = useWorkbench(() => ({
    ...connectedTo({ Rentals: server }),
    language: pseudoLanguage(),
  }));
  const group = (name: string) => ["Rentals", "mindsdb", pseudo(name)];
  const command = (key: string) =>
    journey.workbench.command(`MindsDB: ${pseudo(manifest[`command.${key}`] ?? "")}`);

  async function isTranslated(frame: Frame, name: string, data?: string): Promise<void> {
    await journey.workbench.screenshot(`pseudo-${name}`);
    await eventually(async () => {
      assert.deepEqual(await untranslated(frame, "body", data), [], name);
      assert.deepEqual(await clippedElements(frame), [], name);
    });
  }

  it("is used in the tree", async () => {
    for (const name of ["Knowledge Bases", "Agents", "Models"]) {
      await journey.tree.expand(group(name));
    }
    await journey.workbench.screenshot("pseudo-tree");
    const { page } = journey.workbench;
    await eventually(async () =>
      assert.deepEqual(await untranslated(page, ".part.sidebar .pane-body"), []),
    );
  });

  it("is used on a model page", async () => {
    await journey.tree.click([...group("Models"), "home_rentals_model"]);
    const frame = await journey.workbench.frameWith(".stage");
    await isTranslated(frame, "model", ".stage");
  });

  it("is used on the page of a table", async () => {
    const files = ["Rentals", pseudo("Data"), "files"];
    await journey.tree.expand(files);
    await journey.tree.click([...files, "home_rentals"]);
    const frame = await journey.workbench.frameWith(".count");
    await isTranslated(frame, "table", "[role=gridcell]");
    await expectText(frame.locator(".count"), /áá|éé|íí|óó|úú/);
  });

  it("is used on a knowledge base page", async () => {
    await journey.tree.click([...group("Knowledge Bases"), "rental_guide"]);
    const frame = await journey.workbench.frameWith("form .after");
    await isTranslated(frame, "knowledge-base");
    await frame.locator("textarea").first().fill("Large dogs?");
    await pressOnce(frame.locator("textarea").first(), "Enter");
    await frame.locator(".chunk").first().waitFor();
    await isTranslated(frame, "knowledge-base-found", ".content, .labels");
  });

  it("is used in a chat and its steps", async () => {
    await journey.tree.click([...group("Agents"), "rental_agent"]);
    const chat = await Chat.with(journey.workbench, "rental_agent");
    // Their nouns are names of tables and columns.
    await eventually(async () => {
      const suggestions = await chat.frame.locator(".suggestions button").allInnerTexts();
      assert.ok(suggestions.length > 0);
      for (const question of suggestions) assert.match(question, /(áá|éé|íí|óó|úú).* /);
    });
    await isTranslated(chat.frame, "chat", ".suggestions button");
    await chat.ask("How many flats are there?");
    // Its end folds the steps.
    await chat.ended(1);
    await chat.frame.locator(".steps-toggle").waitFor();
    await isTranslated(chat.frame, "chat-answer", ".question, .answer");
    await chat.frame.locator(".steps-toggle").click();
    await chat.frame.locator(".step .line").first().click();
    await isTranslated(chat.frame, "chat-steps", ".question, .answer, .text, .hint, .body");
  });

  it("is used in the agent form", async () => {
    await command("agent.create");
    const frame = await journey.workbench.frameWith(".form");
    await isTranslated(frame, "agent-form");
  });

  it("is used in a predict notebook and its result", async () => {
    const { workbench } = journey;
    await workbench.openFile("first-predictions.predict.md");
    const notebook = await Notebook.with(workbench, "first-predictions.predict.md");
    await notebook.run();
    // A running cell's result takes the place of the one that said that it runs.
    const first = await eventually(async () => {
      const [result] = await notebook.results();
      assert.ok(result);
      assert.match((await result.shown()).count, /\d/);
      await result.element.scrollIntoViewIfNeeded({ timeout: 5_000 });
      return result;
    });
    await workbench.screenshot("pseudo-result");
    await eventually(async () =>
      assert.deepEqual(await untranslated(first.frame, ".result", "[role=gridcell]"), []),
    );
  });
});

describe("German", () => {
  const server = useServer();
  const journey = useWorkbench(() => ({
    ...connectedTo({ Rentals: server }),
    language: { id: "de" },
  }));

  it("is included in the package: in the tree, its commands and a page", async () => {
    await journey.tree.expand(["Rentals", "mindsdb", "Wissensdatenbanken"]);
    await journey.tree.click(["Rentals", "mindsdb", "Wissensdatenbanken", "rental_guide"]);
    const frame = await journey.workbench.frameWith("form .after");
    await journey.workbench.screenshot("german-knowledge-base");
    await eventually(async () => assert.deepEqual(await clippedElements(frame), []));
    await journey.workbench.command("MindsDB: Agent erstellen…");
    await journey.workbench.frameWith(".form");
    await journey.workbench.screenshot("german-agent-form");
  });
});
