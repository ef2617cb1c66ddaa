// A user in a real VS Code, on real servers, who reads an answer that the server has cut, and a table whose names are odd.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { eventually } from "../e2e/lib/eventually.ts";
import { expectCount } from "../e2e/lib/expect.ts";
import { Notebook } from "../e2e/lib/notebook.ts";
import { useClients } from "./clients.ts";
import { versions } from "./fixture.ts";
import { useRealWorkbench } from "./realWorkbench.ts";
import { SEEDED } from "./seed.ts";

const source = "odd_duck";
/** A value that must not become a picture. */
const markup = "<img src=x onerror=alert(1)>";

for (const version of versions) {
  describe(`MindsDB ${version}, a user who reads what is cut or odd`, function () {
    this.timeout(5 * 60_000);
    const isNew = version === "26.1.0";
    const session = useClients(version);
    const journey = useRealWorkbench(version);
    let folder: string | undefined;

    before("be signed in, with a data source", async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), "odd-duck-"));
      const parameters = JSON.stringify({ database: path.join(folder, "odd.duckdb") });
      await session.admin.sql(
        `CREATE DATABASE ${source} WITH ENGINE = 'duckdb', PARAMETERS = ${parameters}`,
      );
      await journey.tree.expand(["Real", "mindsdb", "Agents"]);
    });

    after("leave the server as it was", async () => {
      await session.admin.sql(`DROP DATABASE ${source}`).catch(() => undefined);
      if (folder) fs.rmSync(folder, { recursive: true, force: true });
    });

    if (isNew) {
      it("sees which answer the server has cut, and reads the rest of it", async () => {
        const chat = await journey.chatWith("Real", "mindsdb", SEEDED.tableAgent);
        await chat.ask("[all] List all homes");
        const { state, sentence } = await chat.ended(1, 60_000);
        assert.equal(state, "answered", sentence);
        await chat.frame.getByText("There may be more rows").first().waitFor();
        await journey.workbench.screenshot("agent-first-100-rows");
        const whole = await session.admin.sql("SELECT sqft, rental_price FROM files.home_rentals");
        const { quickInput, dialogs } = journey.workbench;
        const answer = chat.frame.locator(".run").last().locator(".answer");
        await answer.getByRole("button", { name: "Export…" }).click();
        await quickInput.saveAs(`${SEEDED.tableAgent}.csv`, "first.csv");
        await dialogs.toast("Exported the first 100 rows to");
        const exported = fs.readFileSync(path.join(journey.workbench.folder, "first.csv"), "utf8");
        const [head, ...lines] = exported.trim().split("\r\n");
        assert.equal(head, "sqft,rental_price");
        const numbers = lines.map((line) => line.split(",").map(Number));
        assert.deepEqual(numbers, whole.slice(0, 100));
        await chat.frame.getByRole("button", { name: "Open Query in Notebook" }).first().click();
        const { page } = journey.workbench;
        await page.locator(".notebookOverlay:visible .code-cell-row").first().waitFor();
        const result = await new Notebook(journey.workbench).runToEnd(60_000);
        await result.when(({ count }) => assert.equal(count, `${whole.length} rows`));
        await eventually(async () => {
          const shown = await result.column("sqft");
          const plain = whole.slice(0, shown.length).map(([sqft]) => String(sqft));
          assert.ok(shown.length > 5);
          assert.deepEqual(shown, plain);
        });
        await journey.workbench.command("View: Revert and Close Editor");
      });
    }

    it("sees names and values of others as they are, in the tree and on a page", async () => {
      const odd = 'Ünï "x".y 🏠 <img src=x>';
      const long = "l".repeat(200);
      for (const name of [odd, long]) {
        const table = `"${name.replaceAll('"', '""')}"`;
        const statement = `CREATE TABLE ${table} AS SELECT '${markup}' AS "<i>c</i>"`;
        // 26.1.0 creates it, and then fails to answer.
        await session.admin.sql(`SELECT * FROM ${source} (${statement})`).catch(() => undefined);
      }
      const tables = ["Real", "Data", source];
      await journey.workbench.command("MindsDB: Refresh");
      await journey.tree.expand(tables);
      await journey.tree.find([...tables, long]);
      await journey.tree.click([...tables, odd]);
      const frame = await journey.workbench.frameWith(`h1:text-is(${JSON.stringify(odd)})`);
      await eventually(async () => {
        const text = await frame.locator("main").innerText();
        assert.ok(text.includes(markup) && text.includes("<i>c</i>"), text);
      });
      await expectCount(frame.locator("main img"), 0);
      await journey.workbench.screenshot(`odd-table-${version}`);
      await journey.workbench.command("View: Close All Editors");
    });
  });
}
