// A user with many rows in a real VS Code, on real servers. `npm run bench:mindsdb` measures how long they take.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { Notebook } from "../e2e/lib/notebook.ts";
import { FormData } from "undici";
import { Admin } from "./admin.ts";
import { fixture, versions } from "./fixture.ts";
import { useRealWorkbench } from "./realWorkbench.ts";
import { homes, toCsv } from "./rentals.ts";
import { SEEDED } from "./seed.ts";

for (const version of versions) {
  describe(`MindsDB ${version}, a user with many rows`, function () {
    this.timeout(10 * 60_000);
    const journey = useRealWorkbench(version);

    before("sign in, to be kept so", async () => {
      await journey.tree.expand(["Real", "mindsdb", "Models"]);
    });

    function write(name: string, lines: readonly object[]): void {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      fs.writeFileSync(path.join(journey.workbench.folder, name), text);
    }

    async function open(name: string, language: string, cell: string): Promise<Notebook> {
      const { workbench } = journey;
      const text = `\`\`\`${language} predict\n${cell}\n\`\`\`\n`;
      fs.writeFileSync(path.join(workbench.folder, name), text);
      await workbench.openFile(name);
      return Notebook.with(workbench, name);
    }

    function openRecipe(name: string, file: string): Promise<Notebook> {
      const recipe = { model: `mindsdb.${SEEDED.model}`, rows: file };
      return open(name, "json", JSON.stringify(recipe, null, 2));
    }

    it("pauses before a row far down that lacks an input, and sends it on request", async () => {
      // More than a megabyte, which is read and checked before the first row is sent; whole batches before the row. Few rows,
      // because Lightwood takes a second for a few hundred.
      const all = 3_000;
      const lacking = 2_000;
      const note = "x".repeat(600);
      write(
        "lacking.jsonl",
        homes(all, 13).map(({ sqft, ...rest }, at) =>
          at === lacking ? { ...rest, note } : { sqft, ...rest, note },
        ),
      );
      const notebook = await openRecipe("lacking.predict.md", "lacking.jsonl");
      const result = await notebook.begin();
      const row = String(lacking + 1);
      await result.when(({ message, count: shown, buttons }) => {
        assert.deepEqual(buttons, ["Run Anyway", "Stop"]);
        assert.equal(
          message,
          `“sqft” is missing in 1 row, first in row ${row} (lacking.jsonl, line ${row}).`,
        );
        assert.ok(shown.startsWith(`${lacking.toLocaleString("en")} of `), shown);
        // The server may start the model first, which has taken over a minute on a busy machine.
      }, 4 * 60_000);
      await result.button("Run Anyway").click();
      await result.when(({ count: shown, buttons }) => {
        assert.ok(shown.startsWith(`${all.toLocaleString("en")} rows`), shown);
        assert.ok(!buttons.includes("Stop"));
      }, 120_000);
    });

    it("waits for a statement until it answers, however long that takes", async () => {
      const admin = await Admin.signIn(fixture(version).server);
      const form = new FormData();
      form.set("file", new File([toCsv(homes(3_000, 12))], "many_homes.csv", { type: "text/csv" }));
      await admin.put("/api/files/many_homes", form);
      const statement =
        "SELECT t.sqft, m.rental_price FROM files.many_homes AS t " +
        `JOIN mindsdb.${SEEDED.model} AS m`;
      const notebook = await open("join.predict.md", "sql", statement);
      const result = await notebook.begin();
      await result.when(({ count: shown }) => assert.equal(shown, "3,000 rows"), 4 * 60_000);
      console.log(`      a statement over 3,000 rows: ${await notebook.seconds()} s`);
      await admin.delete("/api/files/many_homes");
    });
  });
}
