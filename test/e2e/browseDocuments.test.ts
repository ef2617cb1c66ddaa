// A user browses the documents of a knowledge base, reads one and deletes it.
import assert from "node:assert/strict";
import type { Frame } from "playwright-core";
import { axeViolations } from "./lib/axe.ts";
import { eventually } from "./lib/eventually.ts";
import { expectCount, expectValue } from "./lib/expect.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";

const bases = ["Rentals", "mindsdb", "Knowledge Bases"];

describe("Browsing the documents of a knowledge base", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));
  let frame: Frame;

  const ids = async () =>
    (await server.sql("SELECT DISTINCT id FROM mindsdb.rental_guide")).map(([id]) => String(id));
  const row = (text: string) => frame.locator(".grid-row", { hasText: text }).first();

  before("add more documents than a page of the grid has", async () => {
    const rows = Array.from({ length: 300 }, (_, at) => {
      return { id: `heron-${String(at)}`, content: `Heron ${String(at)} is shy.`, topic: "birds" };
    });
    await server.addContent("rental_guide", rows);
  });

  it("lists all of them, with the starts of their contents", async () => {
    await journey.tree.expand(bases);
    await journey.tree.contextMenu([...bases, "rental_guide"], "Browse Documents");
    frame = await journey.workbench.frameWith(".grid");
    const all = await ids();
    const count = String(all.length);
    await frame.getByText(`Documents: ${count}. Chunks: ${count}.`).waitFor();
    await row("Heron 0 is shy.").waitFor();
    assert.deepEqual(await axeViolations(frame), []);
    await journey.workbench.screenshot("browse-documents");
  });

  it("finds one by its id, and shows it whole", async () => {
    await frame.getByLabel("Filter by id").fill("heron-29");
    await frame.getByText("11 of ").waitFor();
    await row("heron-299").click();
    await frame.getByRole("heading", { name: "heron-299" }).waitFor();
    const shown = await frame.locator(".document").innerText();
    assert.match(shown, /topic\s+birds/);
    assert.match(shown, /Heron 299 is shy\./);
    await journey.workbench.screenshot("browse-documents-one", { readme: true });
  });

  it("deletes it after a question only, and shows the rest", async () => {
    const { dialogs } = journey.workbench;
    const button = frame.getByRole("button", { name: "Delete…" });
    const question =
      "Delete the document heron-299 from the knowledge base rental_guide in mindsdb?";
    await button.click();
    await dialogs.modal(question, "Cancel");
    await eventually(async () => {
      assert.ok((await ids()).includes("heron-299"));
    });
    await button.click();
    await dialogs.modal(question, "Delete");
    await frame.getByText("10 of ").waitFor();
    await eventually(async () => assert.equal(await row("heron-299").count(), 0));
    await eventually(async () => {
      assert.ok(!(await ids()).includes("heron-299"));
    });
    await expectCount(frame.getByRole("heading", { name: "heron-299" }), 0);
  });

  it("keeps filter and document when the window reloads", async () => {
    await row("heron-298").click();
    await frame.getByRole("heading", { name: "heron-298" }).waitFor();
    await journey.workbench.reload("heron-298");
    frame = await journey.workbench.frameWith(".document");
    await frame.getByRole("heading", { name: "heron-298" }).waitFor();
    await frame.getByText("10 of ").waitFor();
    await expectValue(frame.getByLabel("Filter by id"), "heron-29");
  });

  it("leads to the search", async () => {
    await frame.getByRole("button", { name: "Search" }).click();
    const page = await journey.workbench.frameWith(".fields");
    await page.getByRole("button", { name: "Browse Documents" }).waitFor();
  });
});
