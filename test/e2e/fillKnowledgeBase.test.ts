// A user adds content to one knowledge base from two windows.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Frame } from "playwright-core";
import { eventually } from "./lib/eventually.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import type { Workbench } from "./lib/workbench.ts";
import { patiently } from "./lib/once.ts";

const bases = ["Rentals", "mindsdb", "Knowledge Bases"];

describe("Adding content from two windows", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));
  const put = /^PUT .*knowledge_bases/;
  let second: Workbench;
  let frame: Frame;

  /** Opens the page that adds content, and starts. */
  async function start(window: Workbench): Promise<Frame> {
    const tree = await window.openView("MindsDB");
    await tree.expand(bases);
    await tree.contextMenu([...bases, "rental_guide"], "Add Content to Knowledge Base…");
    await window.quickInput.choose("owls.jsonl");
    const page = await window.frameWith(".counts");
    await page.getByText("2 documents.").waitFor();
    await page.getByRole("button", { name: "Add Content", exact: true }).click();
    return page;
  }

  it("names the other window while that one adds", async () => {
    const rows = ["Owls hoot.", "Owls sleep."].map((content, id) => ({ id: `owl-${id}`, content }));
    const text = rows.map((row) => JSON.stringify(row)).join("\n");
    fs.writeFileSync(path.join(journey.workbench.folder, "owls.jsonl"), text);
    server.proxy.set({ on: put, silent: true, times: 1 });
    await start(journey.workbench);
    await server.proxy.waitFor(({ method }) => method === "PUT", 30_000);
    second = await journey.workbench.openWindow();
    frame = await start(second);
    await frame.getByText("rental_guide is being changed in another VS Code window.").waitFor();
    await eventually(() => assert.equal(server.requests(put).length, 1));
    await second.screenshot("fill-knowledge-base-other-window");
  });

  it("takes over when that window is gone, after the time that its last batch may take", async () => {
    await journey.workbench.closeWindow();
    const waiting = frame.getByText("Waiting for the server to finish the last batch…");
    const add = frame.getByRole("button", { name: "Add Content", exact: true });
    await eventually(async () => {
      if (await add.isVisible()) await add.click(patiently);
      await waiting.waitFor({ timeout: 5_000 });
    }, 60_000);
    await frame.getByText("2 sent, 2 stored.").waitFor();
    await eventually(() => assert.equal(server.requests(put).length, 2));
    await second.closeWindow();
    await second.page.close();
  });
});
