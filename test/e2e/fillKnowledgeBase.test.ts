// A user adds the rows of a file to a knowledge base, sees what is missing, and sends it again.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Frame } from "playwright-core";
import { axeViolations } from "./lib/axe.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";

const bases = ["Rentals", "mindsdb", "Knowledge Bases"];
const count = 450;

describe("Adding content to a knowledge base", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));
  let frame: Frame;

  async function ask(query: string): Promise<unknown[][]> {
    const response = await fetch(`${server.behind}/api/sql/query`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    return ((await response.json()) as { data: unknown[][] }).data;
  }
  const documents = () => ask("SELECT count(DISTINCT id) FROM mindsdb.rental_guide");

  before("write a file of rows", () => {
    const rows = Array.from({ length: count }, (_, at) => {
      return { id: at, text: `The heron of garden ${at} is shy.`, topic: "birds" };
    });
    const all = [...rows, { id: 3, text: "again" }, { id: "x", text: " " }];
    const text = all.map((row) => JSON.stringify(row)).join("\n");
    fs.writeFileSync(path.join(journey.workbench.folder, "garden_birds.jsonl"), text);
  });

  it("shows what the columns of a file become, and what is left out", async () => {
    await journey.tree.expand(bases);
    await journey.tree.contextMenu([...bases, "rental_guide"], "Add Content…");
    const { quickInput } = journey.workbench;
    await quickInput.row("garden_birds.jsonl").click();
    frame = await journey.workbench.frameWith(".counts");
    await frame.getByText(`${count} documents in ${count + 2} rows.`).waitFor();
    await frame.getByText("Rows that repeat an earlier id, left out: 1").waitFor();
    await frame.getByText("Rows without content, left out: 1").waitFor();
    const chosen = await frame
      .locator("select")
      .evaluateAll((selects) =>
        selects.map((select) => (select as unknown as { value: string }).value),
      );
    assert.deepEqual(chosen, ["id", "content:content", "metadata:topic", "skip"]);
    await frame.getByText("The heron of garden 0 is shy.").first().waitFor();
    assert.deepEqual(await axeViolations(frame), []);
    await journey.workbench.screenshot("fill-knowledge-base");
  });

  it("adds the documents, and tells how many are stored", async () => {
    const [[before]] = (await documents()) as [[number]];
    await frame.getByRole("button", { name: "Add Content", exact: true }).click();
    await frame.getByText(`${count} sent, ${count} stored.`).waitFor();
    assert.deepEqual(await documents(), [[before + count]]);
    assert.deepEqual(
      await ask("SELECT topic FROM mindsdb.rental_guide WHERE content = 'shy heron' LIMIT 1"),
      [["birds"]],
    );
    await journey.workbench.screenshot("fill-knowledge-base-done");
  });

  it("shows the new content on the page of the knowledge base", async () => {
    await frame.getByRole("button", { name: "Show Knowledge Base" }).click();
    const page = await journey.workbench.frameWith(".fields");
    await page.locator(".glance dd", { hasText: /464 documents$/ }).waitFor();
    await page.getByRole("button", { name: "Add Content…" }).waitFor();
  });
});
