// A user writes and runs SQL in a file: completion, results, and what is refused or asked.
import assert from "node:assert/strict";
import { axeViolations } from "./lib/axe.ts";
import { eventually } from "./lib/eventually.ts";
import { expectText } from "./lib/expect.ts";
import { pressOnce } from "./lib/once.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { SqlEditor } from "./lib/sqlEditor.ts";
import { SqlResults } from "./lib/sqlResults.ts";

const query = /POST .*\/sql\/query$/;

describe("SQL files", () => {
  const server = useServer();
  const journey = useWorkbench(() =>
    connectedTo({ Server: server, Archive: server }, { Archive: { protection: "readOnly" } }),
  );
  const editor = new SqlEditor(() => journey.workbench);

  const results = new SqlResults(() => journey.workbench);

  /** The statements that were sent, other than those that read names. */
  const sent = (): string[] =>
    server
      .logged(query)
      .map(({ body }) => (JSON.parse(body.toString()) as { query: string }).query)
      .filter((sql) => !/LIMIT 20$|^SHOW COLUMNS/.test(sql));

  /** Opens an empty file on a connection, and writes into it. */
  async function write(connection: string, text: string): Promise<void> {
    await journey.tree.contextMenu([connection], "New SQL File");
    await editor.isOpenOn(connection);
    await editor.type(text);
  }

  it("are begun on a connection, and a join is written by completion", async () => {
    await journey.tree.contextMenu(["Server"], "New SQL File");
    await editor.isOpenOn("Server");
    await editor.complete("SELECT * FROM fil", "files.home_rentals");
    await editor.complete(" AS h JOIN mindsdb.home", "home_rentals_model");
    await editor.type(" AS m WHERE h.");
    await editor.complete("neigh", "neighborhood");
    await editor.type(" = 'downtown' LIMIT 5;");
    await editor.expectText(
      "SELECT * FROM files.home_rentals AS h JOIN mindsdb.home_rentals_model AS m " +
        "WHERE h.neighborhood = 'downtown' LIMIT 5;",
    );
    await editor.expectProblems([]);
  });

  it("run the statement at the cursor, whose rows can be sorted and charted", async () => {
    const statement = "SELECT location, sqft FROM files.home_rentals LIMIT 4";
    await write("Server", statement);
    server.forget();
    await editor.press("Control+Enter");
    const result = await results.of(statement);
    await result.when(({ count }) => assert.match(count, /^4 rows/));
    assert.deepEqual(sent(), [statement]);
    await result.sort("descending", "sqft");
    await eventually(async () => {
      const shown = (await result.column("sqft")).map(Number);
      const sorted = shown.toSorted((a, b) => b - a);
      assert.deepEqual(shown, sorted);
    });
    const { frame } = result;
    await pressOnce(frame.getByRole("button", { name: "Show Chart" }), "Enter");
    await frame.locator(".chart svg, svg.chart").first().waitFor();
    assert.deepEqual(await axeViolations(frame), []);
    await journey.workbench.screenshot("sql-file-chart");
    await pressOnce(frame.getByRole("button", { name: "Show Rows" }), "Enter");
  });

  it("send no change on a read-only connection", async () => {
    const change = "DROP TABLE files.home_rentals";
    await write("Archive", change);
    server.forget();
    // While its name is suggested: the statement runs all the same.
    const suggestions = journey.workbench.page.locator(".suggest-widget.visible");
    await suggestions.waitFor();
    await editor.press("Control+Enter");
    await suggestions.waitFor({ state: "hidden" });
    await (await results.of(change)).when(({ message }) => assert.match(message, /read-only/));
    assert.deepEqual(sent(), []);
  });

  it("ask before an agent is asked, and send nothing without consent", async () => {
    const { dialogs } = journey.workbench;
    const question = "SELECT answer FROM mindsdb.rental_agent WHERE question = 'hello'";
    await write("Server", question);
    server.forget();
    await editor.press("Control+Enter");
    assert.match(await dialogs.modal(/may cost money/, "Cancel"), /rental_agent/);
    assert.deepEqual(sent(), []);
    await editor.press("Control+Enter");
    await dialogs.modal(/may cost money/, "Run");
    await (await results.of(question)).when(({ count }) => assert.match(count, /^1 row/));
    assert.deepEqual(sent(), [question]);
  });

  it("show rows while others are still to come, and keep them when the statement is stopped", async () => {
    const { workbench } = journey;
    const statement = "SELECT * FROM files.home_rentals";
    await write("Server", statement);
    server.proxy.set({ on: query, hangAfter: 2_000 });
    await editor.press("Control+Enter");
    const result = await results.of(statement);
    await result.when(({ count, columns, buttons }) => {
      assert.match(count, /\d+ rows · \d+ rows\/s/);
      assert.ok(columns.includes("sqft"));
      assert.ok(buttons.includes("Stop"));
    });
    const before = await result.column("sqft");
    assert.match(before[0] ?? "", /^\d+$/);
    await workbench.screenshot("sql-rows-arriving");
    await workbench.quickInput.typeCommand("MindsDB: Stop Statements");
    await result.when(({ count, notes }) => {
      assert.match(count, /Stopped.* \d+ rows/);
      assert.deepEqual(notes, [
        "The result is incomplete: it has only the rows that arrived before then.",
      ]);
    });
    assert.deepEqual(await result.column("sqft"), before);
    server.proxy.set();
  });

  it("run what follows an INSERT in the background when that has ended", async () => {
    const insert =
      "INSERT INTO mindsdb.rental_guide (SELECT * FROM files.home_rentals) USING batch_size = 500";
    await write("Server", `${insert}; SELECT sqft FROM files.home_rentals LIMIT 2`);
    server.forget();
    await editor.press("Control+Shift+Enter");
    await journey.workbench.dialogs.modal(/may change/, "Run");
    const inserted = await results.of(insert);
    await expectText(inserted.element, /Running in the background… [\d,]+ rows so far/);
    await journey.workbench.screenshot("sql-file-background");
    assert.deepEqual(
      sent().filter((sql) => !sql.includes("information_schema.queries")),
      [insert],
    );
    await server.sql("SELECT query_cancel(1)");
    const selected = await results.of("SELECT sqft FROM files.home_rentals LIMIT 2");
    await selected.when(({ count }) => assert.equal(count, "2 rows"));
  });

  it("have their results after a reload, and run again only if the user wants it", async () => {
    const { workbench } = journey;
    const statement = "SELECT sqft, location FROM files.home_rentals LIMIT 7";
    await write("Server", statement);
    await editor.press("Control+Enter");
    const before = await results.of(statement);
    await before.when(({ count }) => assert.match(count, /^7 rows/));
    const shown = await before.column("sqft");
    const button = before.frame.getByRole("button", { name: "Pin Result" });
    await pressOnce(button, "Enter");
    await before.frame.getByRole("button", { name: "Unpin Result" }).waitFor();
    server.forget();
    await workbench.reload();
    const result = await results.of(statement);
    await result.when(({ count, origin }) => {
      assert.match(count, /^7 rows/);
      assert.match(origin, /^From /);
    });
    assert.deepEqual(await result.column("sqft"), shown);
    await result.frame.getByRole("button", { name: "Unpin Result" }).waitFor();
    await workbench.screenshot("sql-results-reload");
    await result.sort("descending", "sqft");
    assert.deepEqual(sent(), []);
    await result.button("Run Again").click();
    await eventually(() => assert.deepEqual(sent(), [statement]));
  });

  it("have a result in an editor after a reload, too, and beside it the view", async () => {
    const { workbench } = journey;
    const statement = "SELECT sqft FROM files.home_rentals LIMIT 6";
    await write("Server", statement);
    await editor.press("Control+Enter");
    const before = await results.of(statement);
    await before.when(({ count }) => assert.match(count, /^6 rows/));
    await pressOnce(before.frame.getByRole("button", { name: "Open in Editor" }), "Enter");
    await workbench.tab(statement).waitFor();
    await workbench.reload();
    await eventually(async () => {
      const frames = workbench.page.frames().map((frame) => frame.locator(".head code"));
      const texts = await Promise.all(frames.map((found) => found.allInnerTexts().catch(() => [])));
      assert.deepEqual(texts.flat(), [statement, statement]);
    });
  });
});
