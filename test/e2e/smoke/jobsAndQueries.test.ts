// A user finds a job that a statement has created, reads and deletes it, and cancels a query that runs in the background.
import assert from "node:assert/strict";
import { eventually } from "../lib/eventually.ts";
import { connectedTo, useServer, useWorkbench } from "../lib/journey.ts";

const jobs = ["Rentals", "support", "Jobs"];
const job = [...jobs, "nightly"];
const queries = ["Rentals", "Running Queries"];

describe("Jobs and running queries", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));

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
