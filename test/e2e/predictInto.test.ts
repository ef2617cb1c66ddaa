// Predicting into a table of the server: the question, what the cell says then, the table, and connections that are
// protected.
import assert from "node:assert/strict";
import { eventually } from "./lib/eventually.ts";
import { expectCount } from "./lib/expect.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { Notebook } from "./lib/notebook.ts";
import type { Result, ShownResult } from "./lib/result.ts";

const model = "mindsdb.home_rentals_model";
const rows = { table: "files.home_rentals" };

describe("Predicting into a table", () => {
  const server = useServer();
  const journey = useWorkbench(() => ({
    ...connectedTo(
      { Rentals: server, Archive: server, Live: server },
      { Archive: { protection: "readOnly" }, Live: { isProduction: true } },
    ),
    viewport: { width: 1400, height: 900 },
  }));
  let count = 0;

  afterEach(() => {
    server.proxy.set();
    server.forget();
  });

  const open = (cell: object) => Notebook.of(journey.workbench, `into${++count}.predict.md`, cell);

  async function selectKernel(notebook: Notebook, connection: string): Promise<void> {
    const { workbench } = journey;
    await notebook.kernels();
    await workbench.quickInput.row(connection).click();
    await notebook.expectKernel(connection);
  }

  /**
   * The result of the visible notebook once it satisfies a condition; that of the notebook before may be shown a moment
   * longer.
   */
  function expectResult(notebook: Notebook, holds: (shown: ShownResult) => void): Promise<Result> {
    return eventually(async () => {
      const result = await notebook.result();
      holds(await result.shown());
      return result;
    });
  }

  function expectMessage(notebook: Notebook, says: RegExp): Promise<Result> {
    return expectResult(notebook, ({ message }) => assert.match(message, says));
  }

  const statements = (): string[] =>
    server
      .logged(/sql.query/)
      .map(({ body }) => (JSON.parse(body.toString()) as { query: string }).query)
      .filter((query) => query.startsWith("CREATE"));

  it("asks, writes, checks, and shows the table and the statement", async () => {
    const { workbench, tree } = journey;
    const { dialogs } = workbench;
    const notebook = await open({ model, rows, into: "files.priced" });
    await notebook.run();
    const question = "Write predictions into the new table files.priced on “Rentals”?";
    await dialogs.modal(question);
    await workbench.screenshot("predict-into-question");
    const detail = await dialogs.modal(question, "Write");
    assert.match(detail, /rows are predicted by mindsdb\.home_rentals_model\.2 on the server\./);
    assert.match(detail, /CREATE TABLE `files`\.`priced`/);
    assert.match(detail, /Connection: Rentals/);
    const result = await expectMessage(
      notebook,
      /^.*model\.2 wrote \d+ predictions to files\.priced\. Verified: \d+ random rows were predicted again with the same results\.$/,
    );
    await result.when(({ buttons }) => assert.deepEqual(buttons, ["Preview Table", "Show SQL"]));
    for (const theme of ["dark", "light"] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`predict-into-${theme}`);
    }
    await tree.expand(["Rentals", "Data", "files", "priced"]);
    await result.button("Show SQL").click();
    await eventually(async () => {
      const text = await workbench.page.locator(".editor-instance .view-lines").last().innerText();
      assert.match(text.replaceAll("\u00a0", " "), /CREATE TABLE `files`\.`priced` \(/);
    });
    await workbench.tab("files.priced.sql").waitFor();
    await workbench.screenshot("predict-into-statement");
    await expectCount(workbench.page.locator(".tab.dirty"), 0);
    await workbench.openFile(`into${count}.predict.md`);
    await (await notebook.result()).button("Preview Table").click();
    const frame = await workbench.frameWith('h1:text-is("priced")');
    await frame.getByText("predicted_rental_price").first().waitFor();
    await workbench.screenshot("predict-into-preview");
  });

  it("keeps what it did with the notebook, and its buttons", async () => {
    const { workbench } = journey;
    const first = "into1.predict.md";
    await workbench.openFile(first);
    await workbench.editors.close();
    await workbench.openFile(first);
    const again = await (await Notebook.with(workbench, first)).result();
    await again.when(({ origin, message, buttons }) => {
      assert.match(origin, /^Rows of files\.home_rentals from .*, model version 2\.?$/);
      assert.match(message, /with the same results\.$/);
      assert.deepEqual(buttons, ["Preview Table", "Show SQL", "Run Again"]);
    });
  });

  it("asks before it replaces a table, and leaves it as it is if the user declines", async () => {
    const { dialogs } = journey.workbench;
    const notebook = await open({ model, rows, into: "files.priced", limit: 7 });
    assert.match(await notebook.hover("files.priced"), /The cell asks before replacing it/);
    server.forget();
    await notebook.run();
    const question = "Replace the table files.priced on “Rentals” with predictions?";
    assert.match(await dialogs.modal(question, "Cancel"), /Its current contents will be lost/);
    await expectMessage(notebook, /^Nothing was written\.$/);
    assert.deepEqual(statements(), []);
    await notebook.run();
    await dialogs.modal(question, "Replace");
    await expectMessage(notebook, /wrote 7 predictions to files\.priced/);
  });

  it("writes nothing on a read-only connection, and asks for the table's name on a production one", async () => {
    const { quickInput } = journey.workbench;
    const notebook = await open({ model, rows, into: "files.priced" });
    server.forget();
    await selectKernel(notebook, "Archive");
    await notebook.run();
    await expectMessage(notebook, /^This connection is read-only\. Nothing was sent\.$/);
    await selectKernel(notebook, "Live");
    await notebook.run();
    await quickInput.expect("Replace the table files.priced on “Live” with predictions?");
    await quickInput.cancel();
    await expectMessage(notebook, /^Nothing was written\.$/);
    assert.deepEqual(statements(), []);
  });

  it("marks a source that is not there, and says that the server goes on when it is stopped", async () => {
    const { workbench } = journey;
    const { dialogs } = workbench;
    const marked = await open({ model, rows, into: "nowhere.priced" });
    await selectKernel(marked, "Rentals");
    await eventually(async () => {
      assert.equal(await marked.codeCells.locator(".squiggly-error").count(), 1);
    });
    const notebook = await open({ model, rows, into: "files.stopped" });
    await notebook.run();
    await dialogs.modal("new table files.stopped");
    server.proxy.set({ on: /sql.query/, silent: true });
    await dialogs.modal("new table files.stopped", "Write");
    const running = await expectResult(notebook, ({ message, count: activity }) => {
      assert.match(activity, /^Predicting \d+ rows into files\.stopped on the server… \d+ s$/);
      assert.match(message, /^The server does not report progress\./);
    });
    await workbench.screenshot("predict-into-running");
    await running.button("Stop").click();
    await expectMessage(notebook, /^The server can't be told to stop. It continues and may still/);
    await (
      await notebook.result()
    ).when(({ buttons }) => assert.deepEqual(buttons, ["Show SQL", "Run Again"]));
  });
});
