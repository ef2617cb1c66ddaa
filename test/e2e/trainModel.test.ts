// A user trains a model on a table, retrains it, switches between its versions, compares and deletes them.
import assert from "node:assert/strict";
import type { TrainField } from "../../src/models/trainValidation.ts";
import { AgentForm } from "./lib/agentForm.ts";
import { axeViolations } from "./lib/axe.ts";
import { eventually } from "./lib/eventually.ts";
import { expectText } from "./lib/expect.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";

const models = ["Rentals", "mindsdb", "Models"];
const model = [...models, "rent_model"];

describe("Training a model", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));
  let form: AgentForm<TrainField>;

  const versions = () =>
    server.sql("SELECT VERSION, STATUS, ACTIVE FROM mindsdb.models WHERE NAME = 'rent_model'");
  const openForm = async (heading: string) =>
    AgentForm.with<TrainField>(journey.workbench, heading);
  const closeEditors = () => journey.workbench.command("View: Close All Editors");

  it("opens on a table, and shows its columns and first rows", async () => {
    const table = ["Rentals", "Data", "files", "home_rentals"];
    await journey.tree.expand(["Rentals", "Data", "files"]);
    await journey.tree.contextMenu(table, "Train Model on Table…");
    form = await openForm("Train Model");
    await form.field("table").getByText("files.home_rentals").waitFor();
    await form.frame.locator(".rows td", { hasText: "mill_yard" }).first().waitFor();
    await expectText(form.frame.locator(".rows thead"), /rental_price/);
    assert.deepEqual(await axeViolations(form.frame), []);
  });

  it("trains, shows it in the tree, and says once when it is over", async () => {
    await form.fill("name", "rent_model");
    await form.choose("target", "rental_price");
    await form.frame.locator(".rows th.target", { hasText: "rental_price" }).waitFor();
    await journey.workbench.screenshot("train-model", { readme: true });
    await form.button("Train Model").click();
    await form.frame.getByText("Training of rent_model (version 1) has started.").waitFor();
    await journey.tree.expand(models);
    await eventually(async () => {
      assert.match((await journey.tree.find(model, 5_000)).description, /^complete · v1$/);
    }, 30_000);
    await journey.workbench.dialogs.toast(/rent_model is trained\. r2_score: 0\.\d+\./);
    await eventually(async () => {
      assert.deepEqual(await versions(), [[1, "complete", true]]);
    });
  });

  it("says that its engine cannot finetune, before anything is sent", async () => {
    const { quickInput, dialogs } = journey.workbench;
    const items = await journey.tree.contextMenuItems(model);
    assert.ok(!items.includes("Finetune Model…"), items.join());
    await journey.workbench.command("MindsDB: Finetune Model…");
    await quickInput.pick("Which model?", "rent_model");
    await dialogs.toast("The engine sample cannot finetune. Retrain rent_model instead.");
    await eventually(async () => {
      assert.deepEqual(await versions(), [[1, "complete", true]]);
    });
    await journey.workbench.command("Notifications: Clear All Notifications");
  });

  it("retrains with a SELECT and keeps the version before in use", async () => {
    await closeEditors();
    await journey.tree.contextMenu(model, "Retrain Model…");
    form = await openForm("Retrain rent_model");
    await form.choose("source", "A SELECT");
    await form.fill("select", "SELECT sqft, rental_price FROM files.home_rentals");
    await form.frame.locator(".rows th", { hasText: "sqft" }).waitFor();
    await form.choose("activates", "Keep using the current version");
    await form.button("Retrain rent_model").click();
    await form.frame.getByText("Training of rent_model (version 2) has started.").waitFor();
    const { dialogs } = journey.workbench;
    await dialogs.toast(
      /rent_model version 2 is trained\. r2_score: 0\.\d+ \(version 1: 0\.\d+\)\./,
      "Use This Version",
    );
    await eventually(async () => {
      assert.deepEqual(await versions(), [
        [1, "complete", false],
        [2, "complete", true],
      ]);
    });
  });

  it("compares the versions side by side", async () => {
    await closeEditors();
    await journey.tree.contextMenu(model, "Compare Model Versions…");
    await journey.workbench.quickInput.pick("Which version?", "version 1");
    const diff = journey.workbench.page.locator(".monaco-diff-editor");
    const expectBoth = async (): Promise<void> => {
      const lines = (side: string) => diff.locator(`.editor.${side} .view-line`);
      await lines("modified").filter({ hasText: "sqft, rental_price" }).waitFor();
      await lines("original").filter({ hasText: "r2_score" }).waitFor();
    };
    await expectBoth();
    await journey.workbench.screenshot("compare-versions");
    await journey.reload();
    await expectBoth();
  });

  it("switches back, and deletes the version that is not used", async () => {
    await closeEditors();
    await journey.tree.expand(model);
    const items = await journey.tree.contextMenuItems([...model, "version 2"]);
    assert.ok(!items.includes("Delete Model Version…"), items.join());
    await journey.tree.contextMenu([...model, "version 1"], "Set Active Model Version");
    await eventually(async () => {
      const row = await journey.tree.find([...model, "version 1"]);
      assert.equal(row.description, "complete · active");
    });
    await journey.tree.contextMenu([...model, "version 2"], "Delete Model Version…");
    await journey.workbench.dialogs.modal("Delete version 2 of rent_model in mindsdb", "Delete");
    await eventually(async () => {
      assert.deepEqual(await versions(), [[1, "complete", true]]);
      // The rows below move when the versions are gone.
      const labels = (await journey.tree.rows()).map(({ label }) => label);
      assert.ok(!labels.some((label) => label.startsWith("version")), labels.join());
    }, 30_000);
  });

  it("deletes the model", async () => {
    await journey.tree.contextMenu(model, "Delete Model…");
    await journey.workbench.dialogs.modal("Delete the model rent_model in mindsdb", "Delete");
    await eventually(async () => {
      assert.ok(!(await journey.tree.children(models)).includes("rent_model"));
    });
    await eventually(async () => {
      assert.deepEqual(await versions(), []);
    });
  });

  it("creates and deletes projects, and says what a project holds", async () => {
    const { dialogs, quickInput } = journey.workbench;
    await journey.tree.contextMenu(["Rentals"], "Create Project…");
    await quickInput.enter("Lowercase letters", "trials");
    await journey.tree.find(["Rentals", "trials"]);
    await journey.tree.contextMenu(["Rentals", "support"], "Delete Project…");
    const text = await dialogs.modal("support is not empty");
    assert.match(text, /Agents: manual_agent/);
    await journey.workbench.page.keyboard.press("Escape");
    await journey.tree.contextMenu(["Rentals", "trials"], "Delete Project…");
    await dialogs.modal("Delete the project trials", "Delete");
    await eventually(async () => {
      assert.ok(!(await journey.tree.children(["Rentals"])).includes("trials"));
    });
  });
});
