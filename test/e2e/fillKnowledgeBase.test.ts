// A user adds the rows of a file to a knowledge base, sees what is missing, and sends it again.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Frame } from "playwright-core";
import { axeViolations } from "./lib/axe.ts";
import { eventually } from "./lib/eventually.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import type { Workbench } from "./lib/workbench.ts";

const bases = ["Rentals", "mindsdb", "Knowledge Bases"];
const count = 450;

describe("Adding content to a knowledge base", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));
  let frame: Frame;

  const documents = () => server.sql("SELECT count(DISTINCT id) FROM mindsdb.rental_guide");

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
    await journey.tree.contextMenu([...bases, "rental_guide"], "Add Content to Knowledge Base…");
    const { quickInput } = journey.workbench;
    await quickInput.row("garden_birds.jsonl").click();
    frame = await journey.workbench.frameWith(".counts");
    await frame.getByText(`${count} documents in ${count + 2} rows.`).waitFor();
    await frame.getByText("Skipped rows with a duplicate ID: 1").waitFor();
    await frame.getByText("Skipped rows without content: 1").waitFor();
    const chosen = await frame
      .locator("select")
      .evaluateAll((selects) =>
        selects.map((select) => (select as unknown as { value: string }).value),
      );
    assert.deepEqual(chosen, ["id", "content:content", "metadata:topic", "skip"]);
    await frame.getByText("The heron of garden 0 is shy.").first().waitFor();
    assert.deepEqual(await axeViolations(frame), []);
    await journey.workbench.page
      .locator(".statusbar-item[id$='.connection'] a")
      .filter({ visible: true })
      .waitFor();
    await journey.workbench.screenshot("fill-knowledge-base");
  });

  it("adds the documents, and tells how many are stored", async () => {
    const [[before]] = (await documents()) as [[number]];
    await frame.getByRole("button", { name: "Add Content", exact: true }).click();
    await frame.getByText(`${count} sent, ${count} stored.`).waitFor();
    await eventually(async () => {
      assert.deepEqual(await documents(), [[before + count]]);
    });
    assert.deepEqual(
      await server.sql(
        "SELECT topic FROM mindsdb.rental_guide WHERE content = 'shy heron' LIMIT 1",
      ),
      [["birds"]],
    );
    await journey.workbench.screenshot("fill-knowledge-base-done");
  });

  it("adds the text files of a folder, and names those that it leaves out", async () => {
    const folder = path.join(journey.workbench.folder, "handbook");
    fs.mkdirSync(path.join(folder, "rules"), { recursive: true });
    fs.writeFileSync(path.join(folder, "welcome.md"), "# Welcome\n\nThe stork brings the keys.");
    fs.writeFileSync(path.join(folder, "rules", "noise.txt"), "Owls may hoot after ten.");
    fs.writeFileSync(path.join(folder, "binary.md"), Buffer.from([0, 1, 2, 0xff]));
    fs.writeFileSync(path.join(folder, "picture.png"), Buffer.from([0x89, 0x50]));
    await frame.getByRole("button", { name: "Choose Another Source…" }).click();
    const { quickInput } = journey.workbench;
    await quickInput.row("Folder of Text Files…").click();
    await quickInput.chooseFolder("handbook", "rules");
    await frame.getByText("2 documents.").waitFor();
    await frame.getByText(/^Skipped files that aren't text .*: 1 \(binary\.md\)$/).waitFor();
    await frame.getByText("Skipped files of other kinds: 1 (picture.png)").waitFor();
    await frame.getByRole("button", { name: "Add Content", exact: true }).click();
    await frame.getByText("2 sent, 2 stored.").waitFor();
    assert.deepEqual(
      await server.sql(
        "SELECT chunk_content FROM mindsdb.rental_guide WHERE id = 'rules/noise.txt'",
      ),
      [["Owls may hoot after ten."]],
    );
    await journey.workbench.screenshot("fill-knowledge-base-folder");
  });

  it("adds a SELECT of the server, and takes no other statement", async () => {
    await frame.getByRole("button", { name: "Choose Another Source…" }).click();
    const { quickInput } = journey.workbench;
    await quickInput.row("SELECT on the Server…").click();
    await quickInput.enter("A SELECT.", "DROP TABLE files.home_rentals");
    await eventually(async () =>
      assert.match(await quickInput.message(), /Only a SELECT that surely changes nothing/),
    );
    const query =
      "SELECT location AS id, count(*) AS text FROM files.home_rentals GROUP BY location";
    await quickInput.box.fill(query);
    await quickInput.box.press("Enter");
    const [[wanted]] = (await server.sql(
      "SELECT count(DISTINCT location) FROM files.home_rentals",
    )) as [[number]];
    await frame.getByText(`${wanted} documents.`).waitFor();
    await frame.getByRole("button", { name: "Add Content", exact: true }).click();
    await frame.getByText(`${wanted} sent, ${wanted} stored.`).waitFor();
  });

  it("adds a table from the tree", async () => {
    const files = ["Rentals", "Data", "files"];
    await journey.tree.expand(["Rentals", "Data"]);
    await journey.tree.expand(files);
    await journey.tree.contextMenu([...files, "home_rentals"], "Add Table to Knowledge Base…");
    const { quickInput } = journey.workbench;
    await quickInput.row("rental_guide").click();
    await frame.getByText("No column is the id").waitFor();
    await frame.getByText("files.home_rentals", { exact: true }).waitFor();
    await frame.getByText("Select at least one content column.").waitFor();
    await frame.getByLabel("What location becomes").selectOption("content:content");
    const [[wanted]] = (await server.sql("SELECT count(*) FROM files.home_rentals")) as [[number]];
    const count = wanted.toLocaleString("en");
    await frame.getByText(`${count} documents.`).waitFor();
    const before = Number((await documents())[0]?.[0]);
    await frame.getByRole("button", { name: "Add Content", exact: true }).click();
    await frame.getByText(`${count} sent, ${count} stored.`).waitFor({ timeout: 120_000 });
    await eventually(async () => {
      assert.deepEqual(await documents(), [[before + wanted]]);
    });
    await journey.workbench.screenshot("fill-knowledge-base-table");
  });

  it("shows the new content on the page of the knowledge base", async () => {
    await frame.getByRole("button", { name: "Show Knowledge Base" }).click();
    const page = await journey.workbench.frameWith(".fields");
    await page.locator(".glance dd", { hasText: /\d documents$/ }).waitFor();
    await page.getByRole("button", { name: "Add Content…" }).waitFor();
  });
});

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
    await window.quickInput.row("owls.jsonl").click();
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
    await frame
      .getByText("rental_guide is being changed from another window of VS Code.")
      .waitFor();
    await eventually(() => assert.equal(server.requests(put).length, 1));
    await second.screenshot("fill-knowledge-base-other-window");
  });

  it("takes over when that window is gone, after the time that its last batch may take", async () => {
    await journey.workbench.closeWindow();
    const waiting = frame.getByText("Waiting for the server to finish the last batch…");
    await eventually(
      async () => {
        await frame.getByRole("button", { name: "Add Content", exact: true }).click();
        await waiting.waitFor({ timeout: 1_000 });
      },
      60_000,
      500,
    );
    await frame.getByText("2 sent, 2 stored.").waitFor();
    await eventually(() => assert.equal(server.requests(put).length, 2));
    await second.closeWindow();
    await second.page.close();
  });
});
