import assert from "node:assert/strict";
import { pickNode } from "../../src/explorer/host/findPicker.ts";
import type { ServerAccess } from "../../src/shared/connection.ts";
import { accessTo } from "../unit/explorer/accessTo.ts";
import { clientOf } from "../unit/mindsdb/scriptedServer.ts";
import { connectionsWith } from "./askingServers.ts";
import { hiddenPick, until, useSampleServer, withWindow, workbench } from "./workbench.ts";

describe("The list of all items", () => {
  useSampleServer();

  async function titleOf(client: ServerAccess["client"]): Promise<string | undefined> {
    const { connections } = await workbench();
    const access = connectionsWith(connections, client);
    const { pick, close } = hiddenPick();
    return withWindow({ createQuickPick: () => pick }, async () => {
      const picked = pickNode(access, { title: "Find", placeholder: "", connectionId: "sample" });
      await until("the end of the search", () => pick.items.length > 0 && !pick.busy);
      const { title } = pick;
      close();
      assert.equal(await picked, undefined);
      return title;
    });
  }

  it("says in its title how many lists could not be loaded, if any", async () => {
    const { connections } = await workbench();
    assert.equal(await titleOf((id) => connections.client(id)), "Find");
    const failed = await titleOf(() => Promise.reject(new Error("no server")));
    assert.equal(failed, "Find (1 list could not be loaded)");
  });

  it("shows foreign names as text, and loads the tables of a data source when asked", async () => {
    const tables = "/api/tree/%24(bug)?all_schemas=true";
    const client = clientOf(
      {
        "/api/databases/": [
          { name: "mindsdb", type: "project" },
          { name: "$(bug)", type: "data", engine: "postgres" },
        ],
        [tables]: [{ name: "orders", class: "table" }],
      },
      { missing: 404 },
    );
    const { pick, accept } = hiddenPick();
    const labels = () => pick.items.map(({ label }) => label);
    await withWindow({ createQuickPick: () => pick }, async () => {
      const picked = pickNode(accessTo({ shop: client }), {
        title: "Find $(x)",
        placeholder: "",
        data: { tables: [] },
      });
      assert.equal(pick.title, "Find $\u200B(x)");
      const load = "Load the Tables of $\u200B(bug)";
      await until("the end of the search", () => labels().includes(load));
      assert.ok(!labels().includes("orders"));
      accept(pick.items.find(({ label }) => label === load)!);
      const table = await until("the table", () =>
        pick.items.find(({ label }) => label === "orders"),
      );
      await until("the end of loading", () => !pick.busy && !labels().includes(load));
      accept(table);
      const node = await picked;
      assert.deepEqual([node?.kind, node && "name" in node && node.name], ["table", "orders"]);
    });
  });
});
