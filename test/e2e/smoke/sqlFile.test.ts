// A user writes SQL in a new file with completion, runs it at the cursor, and sees its rows and how long it took.
import assert from "node:assert/strict";
import { expectText } from "../lib/expect.ts";
import { connectedTo, useServer, useWorkbench } from "../lib/journey.ts";
import { SqlEditor } from "../lib/sqlEditor.ts";
import { SqlResults } from "../lib/sqlResults.ts";

describe("A SQL file", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Server: server }));
  const editor = new SqlEditor(() => journey.workbench);
  const results = new SqlResults(() => journey.workbench);

  it("is written with completion, and shows the rows of the statement at the cursor", async () => {
    await journey.tree.contextMenu(["Server"], "New SQL File");
    await editor.isOpenOn("Server");
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
