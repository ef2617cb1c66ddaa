// Deleting a project while something else may have its name.
import assert from "node:assert/strict";
import type { ServerObservation } from "../../../src/mindsdb/changes/serverChange.ts";
import { deleteProject } from "../../../src/mindsdb/projectChanges.ts";
import { clientOver } from "../../clientOver.ts";
import { sendJson, useServer } from "./httpServer.ts";

describe("Deleting a project", () => {
  let kinds: string[];

  const used = useServer(({ method }, response) => {
    if (method === "DELETE") response.writeHead(204).end();
    else {
      const rows = kinds.map((type) => ({ name: "trials", type, engine: null }));
      sendJson(response, 200, [{ name: "TRIALS", type: "data", engine: "files" }, ...rows]);
    }
  });

  const seen: ServerObservation[] = [];
  const remove = async (...found: string[]): Promise<void> => {
    kinds = found;
    seen.length = 0;
    await deleteProject(clientOver(used.transport, { observe: (one) => seen.push(one) }), "trials");
  };
  const deletions = () => used.server.seen.filter(({ method }) => method === "DELETE");

  it("sends one request if a project alone has the name", async () => {
    await remove("project");
    assert.deepEqual(
      deletions().map((one) => one.path),
      ["/api/databases/trials"],
    );
  });

  const cases: [what: string, found: string[], error: RegExp][] = [
    ["a data source has the name now", ["data"], /^AppError: trials is a data source now/],
    ["a data source has it, too", ["project", "data"], /A data source is also named trials/],
    ["its order is another", ["data", "project"], /A data source is also named trials/],
    ["nothing has it", [], /The project trials no longer exists\./],
  ];
  for (const [what, found, error] of cases) {
    it(`sends nothing if ${what}, and the tree is read again`, async () => {
      await assert.rejects(remove(...found), (reason) => error.test(String(reason)));
      assert.deepEqual(deletions(), []);
      assert.ok(seen.some((one) => one.kind === "changed" && one.list === "projects"));
    });
  }
});
