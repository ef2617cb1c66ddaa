// A user in a real VS Code who connects a real PostgreSQL to real servers, sees it die and come back, and disconnects it.
import assert from "node:assert/strict";
import type { Frame, Locator } from "playwright-core";
import { startPostgres, type Postgres } from "../../scripts/mindsdb/postgres.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { placesThatHold } from "../e2e/lib/storage.ts";
import { Admin } from "./admin.ts";
import { fixture, versions } from "./fixture.ts";
import { useRealWorkbench } from "./realWorkbench.ts";
import { runInPostgres } from "./shopDatabase.ts";

const password = "canary-postgres-4711";
const source = ["Real", "Data", "lantern"];
const tables = [...source, "public"];

/** Two schemas, names that must be quoted, and as many tables as no list shows at once. */
const statements = `
  CREATE SCHEMA "Billing 2";
  CREATE TABLE "Open Orders" (id int PRIMARY KEY, "Total" int);
  INSERT INTO "Open Orders" VALUES (1, 10), (2, 20);
  CREATE TABLE "Billing 2".payments (id int PRIMARY KEY, amount int);
  DO $$ BEGIN
    FOR g IN 1..2000 LOOP EXECUTE format('CREATE TABLE t_%s (a int)', g); END LOOP;
  END $$`;

for (const version of versions) {
  describe(`MindsDB ${version}, a user who connects a PostgreSQL`, () => {
    const journey = useRealWorkbench(version);
    let postgres: Postgres;
    let admin: Admin;
    let frame: Frame;

    const field = (name: string): Locator => frame.locator(`.field[data-field="${name}"]`);
    const fill = (name: string, text: string) => field(name).locator("input").first().fill(text);
    const press = (name: string) => frame.getByRole("button", { name, exact: true }).click();
    const says = (name: string, sentence: RegExp): Promise<void> =>
      eventually(async () => assert.match(await field(name).innerText(), sentence), 60_000);
    const names = async (): Promise<string[]> =>
      ((await admin.get("/api/databases/")) as { name: string }[]).map(({ name }) => name);

    before("start a PostgreSQL", async () => {
      postgres = await startPostgres(password);
      await runInPostgres(version, postgres, statements);
      admin = await Admin.signIn(fixture(version).server);
    });
    after("remove it", async () => {
      await admin.sql("DROP JOB IF EXISTS mindsdb.lantern_job");
      await admin.sql("DROP VIEW IF EXISTS mindsdb.lantern_view");
      await admin.sql("DROP DATABASE IF EXISTS lantern");
      await postgres.stop();
    });

    it("is told that the password is wrong before anything is stored, and connects with the right one", async () => {
      const { quickInput } = journey.workbench;
      await journey.tree.expand(["Real", "Data"]);
      await journey.tree.inlineAction(["Real", "Data"], "Connect Data Source…");
      await quickInput.expect("What do you want to connect to?");
      await quickInput.typeAndTake("PostgreSQL");
      frame = await journey.workbench.frameWith('.form h1:text-is("Connect PostgreSQL")');
      const { host, port, user, database } = postgres.parameters;
      const values = { host, port, user, database, password: "not-it" };
      await fill("name", "lantern");
      for (const [name, value] of Object.entries(values)) {
        await fill(`arg-${name}`, String(value));
      }
      await press("Test Connection");
      await says("arg-password", /password authentication failed/);
      assert.ok(!(await names()).includes("lantern"));
      await fill("arg-password", password);
      await press("Connect");
      await journey.tree.find(source);
      await eventually(() => assert.equal(frame.isDetached(), true));
      assert.ok((await names()).includes("lantern"));
    });

    it("sees its schemas and tables, and the rows of one whose name must be quoted", async () => {
      await journey.tree.expand(source);
      await journey.tree.expand([...source, "Billing 2"]);
      await journey.tree.find([...source, "Billing 2", "payments"]);
      await journey.tree.expand(tables);
      await journey.tree.click([...tables, "Open Orders"]);
      frame = await journey.workbench.frameWith('h1:text-is("Open Orders")');
      await eventually(async () => {
        assert.match(await frame.locator("main").innerText(), /Total[\s\S]*20/);
      });
      await journey.workbench.screenshot(`postgres-${version}`);
    });

    it("changes a parameter only if the source can be reached with it", async () => {
      await journey.tree.contextMenu(source, "Edit Data Source…");
      frame = await journey.workbench.frameWith('.form h1:has-text("lantern")');
      await fill("arg-database", "no_such_database");
      await press("Save");
      await says("arg-database", /no_such_database/);
      const stored = (await admin.get("/api/databases/lantern")) as {
        connection_data: { database: string };
      };
      assert.equal(stored.connection_data.database, postgres.parameters["database"]);
      await journey.workbench.command("View: Close Editor");
    });

    it("sees why it has no tables while PostgreSQL is down, and reconnects it", async () => {
      await postgres.restart(async () => {
        await journey.workbench.command("MindsDB: Refresh");
        await eventually(async () => {
          const rows = await journey.tree.rows();
          const texts = rows.map(({ label, description = "" }) => `${label} ${description}`);
          assert.ok(
            texts.some((text) => /refused|can't be reached|terminat|closed/i.test(text)),
            texts.join("; "),
          );
        }, 60_000);
        await journey.workbench.screenshot(`postgres-down-${version}`);
      });
      await journey.tree.contextMenu(source, "Reconnect Data Source");
      await eventually(async () => {
        await journey.tree.expand(source);
        await journey.tree.expand(tables);
        await journey.tree.find([...tables, "Open Orders"]);
      }, 60_000);
    });

    it("disconnects it after a question that names the view and the job that read it", async () => {
      await admin.sql('CREATE VIEW mindsdb.lantern_view AS (SELECT * FROM lantern."Open Orders")');
      await admin.sql("CREATE JOB mindsdb.lantern_job AS (SELECT * FROM lantern.t_1) EVERY 1 day");
      await journey.tree.contextMenu(source, "Disconnect Data Source…");
      const question = "Disconnect the data source lantern?";
      const text = await journey.workbench.dialogs.modal(question, "Disconnect");
      assert.match(text, /mindsdb\.lantern_view/);
      assert.match(text, /mindsdb\.lantern_job/);
      await eventually(async () => assert.ok(!(await names()).includes("lantern")));
      await eventually(async () => {
        assert.ok(!(await journey.tree.children(["Real", "Data"])).includes("lantern"));
      });
    });

    it("leaves its password nowhere", async () => {
      assert.deepEqual(await placesThatHold(journey.workbench, [password, "not-it"]), []);
    });
  });
}
