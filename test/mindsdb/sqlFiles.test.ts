// A user in a real VS Code who runs a SQL file on real servers: a read, USE, a statement that fails at its place, and a
// change that a read-only connection does not send.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Frame } from "playwright-core";
import { eventually } from "../e2e/lib/eventually.ts";
import { Admin } from "./admin.ts";
import { fixture, versions } from "./fixture.ts";
import { useRealWorkbench } from "./realWorkbench.ts";

const text = `SELECT location, sqft FROM files.home_rentals LIMIT 3;
USE files;
SELECT sqft FROM home_rentals LIMIT 2;
SELECT nope FROM home_rentals;
SELECT 4;
`;
const change = "CREATE TABLE files.never_written (SELECT 1 AS one)";

for (const version of versions) {
  describe(`MindsDB ${version}, a user who runs a SQL file`, function () {
    this.timeout(180_000);
    const journey = useRealWorkbench(version, {
      connections: { Real: {}, Archive: { protection: "readOnly" } },
    });

    function write(name: string, sql: string): void {
      fs.writeFileSync(path.join(journey.workbench.folder, name), sql);
    }

    const results = (): Promise<Frame> => journey.workbench.frameWith(".sql-results");

    /** Runs all statements of the open file on a connection, which VS Code asks for the first time. */
    async function runFile(connection: string): Promise<void> {
      const { workbench } = journey;
      await workbench.command("MindsDB: Run Selection or File");
      await workbench.quickInput.pick("Which connection?", connection);
    }

    it("reads the results, and sees where a statement fails", async () => {
      const { workbench } = journey;
      write("week.mindsdb.sql", text);
      await workbench.openFile("week.mindsdb.sql");
      await runFile("Real");
      await eventually(async () => {
        const frame = await results();
        const titles = await frame.locator("[role=tab] .title").allInnerTexts();
        assert.deepEqual(titles, [
          "SELECT nope FROM home_rentals",
          "SELECT sqft FROM home_rentals LIMIT 2",
          "USE files",
          "SELECT location, sqft FROM files.home_rentals LIMIT 3",
        ]);
        assert.match(await frame.locator(".message.failed").innerText(), /nope/);
      }, 60_000);
      await eventually(async () => {
        const frame = await results();
        await frame.getByRole("tab", { name: /LIMIT 2/ }).click({ timeout: 3_000 });
        const rows = frame.locator(".grid-row");
        assert.equal(await rows.count(), 2);
        assert.match(await frame.locator(".place").innerText(), /Real · files$/);
      });
      await eventually(async () => {
        await workbench.command("Problems: Focus on Problems View");
        const problem = workbench.page.locator(".markers-panel .monaco-list-row", {
          hasText: "Ln 4, Col 8",
        });
        await problem.first().waitFor({ timeout: 3_000 });
        assert.match(await problem.first().innerText(), /nope/);
      });
    });

    it("sends no change on a read-only connection", async () => {
      const { workbench } = journey;
      write("change.mindsdb.sql", change);
      await workbench.openFile("change.mindsdb.sql");
      await runFile("Archive");
      await eventually(async () => {
        const frame = await results();
        assert.equal(await frame.locator(".head code").innerText(), change);
        assert.match(await frame.locator(".message.failed").innerText(), /read-only/);
      });
      const admin = await Admin.signIn(fixture(version).server);
      const files = JSON.stringify(await admin.get("/api/files/"));
      assert.ok(files.includes("home_rentals") && !files.includes("never_written"), files);
    });
  });
}
