// A user looks at tables in the tree, uploads a file as one, replaces it and deletes it; finds a job that a statement has
// created, reads and deletes it; cancels a query that runs in the background; and writes SQL in a file and runs it.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { axeViolations } from "../lib/axe.ts";
import { eventually } from "../lib/eventually.ts";
import { expectText, expectValue } from "../lib/expect.ts";
import { connectedTo, useServer, useSharedWorkbench } from "../lib/journey.ts";
import { modelPage as itemPage } from "../lib/modelPage.ts";
import { SqlEditor } from "../lib/sqlEditor.ts";
import { SqlResults } from "../lib/sqlResults.ts";

const files = ["Rentals", "Data", "files"];
const jobs = ["Rentals", "support", "Jobs"];
const job = [...jobs, "nightly"];
const queries = ["Rentals", "Running Queries"];

describe("Data, jobs and SQL", () => {
  const server = useServer();
  const journey = useSharedWorkbench(() => connectedTo({ Rentals: server }));

  describe("Tables", () => {
    function write(name: string, text: string): void {
      fs.writeFileSync(path.join(journey.workbench.folder, name), text);
    }

    const children = (path: string[], expected: string[]) =>
      eventually(async () => assert.deepEqual(await journey.tree.children(path), expected));

    async function upload(file: string, name: string): Promise<void> {
      await (await journey.workbench.openView("Explorer")).contextMenu([file], "Upload as Table…");
      const { quickInput } = journey.workbench;
      await quickInput.expect("The table's name.");
      await expectValue(quickInput.box, name);
      await quickInput.press("Enter");
    }

    /** Waits until the tree shows the new table: it takes the place of the Explorer, perhaps after the page has its rows. */
    const isRevealed = () => journey.tree.find([...files, "my_homes"]);

    it("are below Data, with their columns and types", async () => {
      await journey.tree.expand(["Rentals"]);
      await journey.tree.expand(["Rentals", "Data"]);
      await journey.tree.expand(files);
      await children(files, ["home_rentals", "neighborhoods"]);
      await journey.tree.expand([...files, "home_rentals"]);
      const { description } = await journey.tree.find([...files, "home_rentals", "sqft"]);
      assert.equal(description, "number");
    });

    it("show their first rows when they are clicked", async () => {
      await journey.tree.click([...files, "home_rentals"]);
      const page = await itemPage(journey.workbench, "home_rentals", "First 100 rows");
      assert.deepEqual(await axeViolations(page), []);
      await journey.workbench.screenshot("tables", { readme: true });
    });

    it("copy their name as SQL", async () => {
      await journey.tree.contextMenu([...files, "home_rentals"], "Copy Qualified Name");
      await eventually(async () =>
        assert.equal(await journey.workbench.clipboard(), "files.home_rentals"),
      );
    });

    it("are made of files: the new table is in the tree, and open", async () => {
      write("My Homes.jsonl", '{"id":1,"place":"Berlin"}\n{"id":2,"place":null}\n');
      await upload("My Homes.jsonl", "my_homes");
      await itemPage(journey.workbench, "my_homes", "2 rows");
      await isRevealed();
      await children(files, ["home_rentals", "my_homes", "neighborhoods"]);
    });

    it("are replaced after a question only, and the page follows", async () => {
      const { dialogs } = journey.workbench;
      write("my_homes.csv", "id\n1\n2\n3\n");
      await upload("my_homes.csv", "my_homes");
      const question = await dialogs.modal("Replace the table my_homes in files?", "Replace");
      assert.match(question, /deleted once the server has read the file/);
      await itemPage(journey.workbench, "my_homes", "3 rows");
      await isRevealed();
    });

    it("are not made of a file that the server cannot read, and a sentence says why", async () => {
      const { dialogs } = journey.workbench;
      // The sample server has no reader of these; real servers have (test/mindsdb/buildJourney.test.ts).
      write("homes.xlsx", "PK");
      await upload("homes.xlsx", "homes");
      await dialogs.toast("This server can't read .xlsx files as tables. Save homes.xlsx as CSV");
      await journey.workbench.command("Notifications: Clear All Notifications");
      await journey.workbench.openView("MindsDB");
      await children(files, ["home_rentals", "my_homes", "neighborhoods"]);
    });

    it("are deleted after a question only", async () => {
      const { dialogs } = journey.workbench;
      await journey.workbench.openView("MindsDB");
      await journey.tree.contextMenu([...files, "my_homes"], "Delete Table…");
      await dialogs.modal("Delete the table my_homes in files?", "Delete");
      await children(files, ["home_rentals", "neighborhoods"]);
    });
  });

  describe("Jobs and running queries", () => {
    it("shows a job with its schedule, its next run and that its last one failed", async () => {
      await server.sql("CREATE JOB support.nightly AS (SELECT * FROM files.nothing) EVERY 1 day");
      await journey.tree.expand(jobs);
      const { description } = await journey.tree.find(job);
      assert.match(
        description,
        /^last run failed · every 1 day · next \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
      );
      await journey.workbench.screenshot("jobs");
    });

    it("shows its statements and why its last run failed on its page", async () => {
      await journey.tree.click(job);
      const page = await journey.workbench.frameWith('h1:text-is("nightly")');
      await page.getByRole("region", { name: "Statements" }).getByText("files.nothing").waitFor();
      await page
        .getByRole("table", { name: "History" })
        .getByText(/nothing/)
        .first()
        .waitFor();
      await journey.workbench.screenshot("job-page");
    });

    it("deletes it after a question, and the list follows", async () => {
      await journey.tree.contextMenu(job, "Delete Job…");
      await journey.workbench.dialogs.modal("Delete the job nightly in support", "Delete");
      await journey.tree.find([...jobs, "No jobs yet"]);
    });

    it("follows a query in the background", async () => {
      await server.sql(
        "INSERT INTO mindsdb.rental_guide (SELECT * FROM files.t) USING batch_size = 500",
      );
      await journey.tree.expand(queries);
      const rowsSoFar = async () => {
        const rows = await journey.tree.rows();
        const { description = "" } = rows.find(({ label }) => label === "Query 1") ?? {};
        const [, count] = /^([\d,]+) rows so far · INSERT INTO mindsdb\./.exec(description) ?? [];
        return Number(count?.replace(",", ""));
      };
      await eventually(async () => assert.ok((await rowsSoFar()) >= 500));
      const first = await rowsSoFar();
      await eventually(async () => assert.ok((await rowsSoFar()) > first), 20_000);
      await journey.workbench.screenshot("running-queries");
    });

    it("cancels it after a question", async () => {
      await journey.tree.contextMenu([...queries, "Query 1"], "Cancel Query…");
      await journey.workbench.dialogs.modal("Cancel the query 1", "Cancel Query");
      await journey.tree.find([...queries, "No query is running"]);
    });
  });

  describe("A SQL file", () => {
    const editor = new SqlEditor(() => journey.workbench);
    const results = new SqlResults(() => journey.workbench);

    it("is written with completion, and shows the rows of the statement at the cursor", async () => {
      await journey.tree.contextMenu(["Rentals"], "New SQL File");
      await editor.isOpenOn("Rentals");
      await editor.complete("SELECT sqft FROM files.home", "home_rentals");
      await editor.type(" LIMIT 3");
      await editor.press("Control+Enter");
      const result = await results.of("SELECT sqft FROM files.home_rentals LIMIT 3");
      await result.when(({ count, columns }) => {
        assert.equal(count, "3 rows");
        assert.deepEqual(columns, ["sqft"]);
      });
      await expectText(result.element.locator(".seconds"), /^\d+(\.\d+)? s$/);
      assert.equal((await result.column("sqft")).length, 3);
    });
  });
});
