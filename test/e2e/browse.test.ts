// A user browses a server, and finds things in it.
import assert from "node:assert/strict";
import { eventually } from "./lib/eventually.ts";
import { Notebook } from "./lib/notebook.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import type { TreeRow } from "./lib/tree.ts";

describe("Browsing a server", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));

  const group = (name: string) => ["Rentals", "mindsdb", name];

  async function described(path: string[], description: string): Promise<TreeRow> {
    return eventually(async () => {
      const row = await journey.tree.find(path);
      assert.equal(row.description, description);
      return row;
    });
  }

  before("expand the lists", async () => {
    for (const name of ["Knowledge Bases", "Agents", "Models"]) {
      await journey.tree.expand(group(name));
    }
  });

  it("suggests a next step in an empty group", async () => {
    const { tree, workbench } = journey;
    const models = ["Rentals", "support", "Models"];
    await tree.expand(models);
    await described([...models, "No models yet"], "Show the statement that creates one");
    await described(models, "0");
    await tree.click([...models, "No models yet"]);
    // A runnable cell with the group's connection.
    const notebook = await Notebook.with(workbench, "my_model.predict.md");
    await eventually(async () => {
      assert.match(await notebook.cellText(), /^CREATE MODEL `support`\.my_model\nFROM /);
      await notebook.expectKernel("Rentals");
    });
    await notebook.paste("SHOW MODELS");
    await (await notebook.runToEnd()).when(({ count }) => assert.match(count, /rows$/));
    await workbench.editors.close("View: Revert and Close Editor");
    await tree.collapse(["Rentals", "support"]);
  });

  it("copies names in the API's format", async () => {
    const { tree, workbench } = journey;
    const model = [...group("Models"), "home_rentals_model"];
    await tree.expand(model);
    for (const [path, name] of [
      [[...group("Agents"), "rental_agent"], "rental_agent"],
      [[...model, "version 1"], "home_rentals_model.1"],
      [["Rentals", "mindsdb"], "mindsdb"],
      [["Rentals"], "Rentals"],
      [["Rentals"], `http://${server.address}`],
    ] as const) {
      await tree.contextMenu(
        [...path],
        name.startsWith("http") ? "Copy Address" : "Copy Qualified Name",
      );
      await eventually(async () => {
        assert.equal(await workbench.clipboard(), name);
      });
    }
  });

  it("finds an item by part of its name, opens it and selects it in the tree", async () => {
    const { quickInput } = journey.workbench;
    await journey.workbench.command("MindsDB: Find…");
    await quickInput.expect("Find in MindsDB");
    await quickInput.box.fill("manuals");
    await quickInput.row("appliance_manuals").waitFor();
    await quickInput.expectLabels(["appliance_manuals", "Load the Tables of 3 Data Sources"]);
    await journey.workbench.screenshot("find");
    await quickInput.press("Enter");
    const path = ["Rentals", "support", "Knowledge Bases", "appliance_manuals"];
    await journey.tree.find(path);
    await eventually(async () => {
      const selected = journey.tree.sideBar.locator(".monaco-list-row.selected .label-name");
      assert.equal(await selected.innerText(), "appliance_manuals");
    });
    await journey.workbench.frameWith("h1:text-is('appliance_manuals')");
  });

  it("lists the best matches first, then by kind and name", async () => {
    const { quickInput } = journey.workbench;
    await journey.workbench.command("MindsDB: Find…");
    await quickInput.expect("Find in MindsDB");
    // In tree order, whichever response arrives first.
    const kinds = ["mindsdb", "support", "appliance_manuals", "rental_guide"];
    await eventually(async () => {
      assert.deepEqual((await quickInput.labels()).slice(0, kinds.length), kinds);
    });
    await quickInput.box.pressSequentially("rental");
    await eventually(async () => {
      const fitting = ["rental_agent", "rental_guide", "home_rentals"];
      assert.deepEqual((await quickInput.labels()).slice(0, 3), fitting);
    });
    await quickInput.cancel();
  });

  it("finds an item whose name was typed before it was loaded", async () => {
    const { quickInput } = journey.workbench;
    let load = () => undefined as void;
    const until = new Promise<void>((resolve) => (load = resolve));
    server.proxy.set({ on: /\/support\/knowledge_bases$/, until });
    await journey.workbench.command("MindsDB: Find…");
    await quickInput.expect("Find in MindsDB");
    await quickInput.box.fill("manuals");
    await quickInput.press("Enter");
    load();
    await quickInput.row("appliance_manuals").waitFor();
    server.proxy.set();
    await quickInput.cancel();
  });

  it("fits long names into a narrow side bar", async () => {
    const name = "a_name_that_somebody_did_not_keep_short_".repeat(6);
    const answer = { status: 200, body: JSON.stringify([{ id: 1, name, project_id: 1 }]) };
    server.proxy.set({ on: /\/mindsdb\/agents$/, answer });
    await journey.tree.inlineAction(group("Agents"), "Refresh");
    await journey.tree.find([...group("Agents"), name]);
    await narrowSideBar(200);
    await eventually(async () => {
      const spills = await journey.tree.sideBar.evaluate(
        (bar) => bar.scrollWidth > bar.clientWidth,
      );
      assert.equal(spills, false);
    });
    await journey.workbench.screenshot("tree-narrow");
    await journey.tree.tooltip([...group("Agents"), name], new RegExp(name));
    server.proxy.set();
    await journey.tree.inlineAction(group("Agents"), "Refresh");
  });

  async function narrowSideBar(width: number): Promise<void> {
    const { page } = journey.workbench;
    await eventually(async () => {
      const box = await journey.tree.sideBar.boundingBox();
      assert.ok(box);
      if (box.width < width + 10) return;
      const edge = box.x + box.width;
      const sashes = await page
        .locator(".monaco-sash.vertical:not(.disabled)")
        .evaluateAll((all) =>
          all.map((sash) => sash.getBoundingClientRect().x + sash.clientWidth / 2),
        );
      const sash = sashes.sort((a, b) => Math.abs(a - edge) - Math.abs(b - edge))[0] ?? edge;
      await page.mouse.move(sash, 500);
      await page.mouse.down();
      await page.mouse.move(box.x + width, 500, { steps: 4 });
      await page.mouse.up();
      throw new Error(`The side bar was ${String(box.width)} wide`);
    });
  }
});
