// The host of the page that predicts one row with other values, after a reload.
import assert from "node:assert/strict";
import type { HttpRequest, Transport } from "../../src/mindsdb/http/transport.ts";
import { WhatIfPage } from "../../src/predict/host/whatIfPage.ts";
import type { WhatIfRow } from "../../src/predict/whatIf/whatIfPage.ts";
import { Log } from "../../src/shared/host/log.ts";
import { clientOver } from "../clientOver.ts";
import { askingServers } from "./askingServers.ts";
import { eventually } from "./workbench.ts";

describe("What If after a reload", () => {
  const row: WhatIfRow = {
    id: "row",
    connectionId: "one",
    model: { project: "mindsdb", name: "gpt", version: 1 },
    place: "row 1",
    target: "answer",
    inputs: [{ name: "q", isNumber: false, own: '"a"', range: { kind: "values", values: [] } }],
    values: ['"a"'],
  };

  /** A page on a server whose model has this engine, and how many rows it was sent in each request. */
  function createPage(engine: string, isRestored: boolean): { page: WhatIfPage; sent: number[] } {
    const sent: number[] = [];
    const lists: Record<string, unknown> = {
      "/api/projects/mindsdb/agents": [],
      "/api/projects/mindsdb/views": [],
      "/api/projects/mindsdb/models": [{ name: "gpt", version: 1 }],
      "/api/projects/mindsdb/models/gpt": { name: "gpt", engine, version: 1, active: true },
      "/api/sql/query": {
        type: "table",
        column_names: ["NAME", "HANDLER", "CONNECTION_DATA"],
        data: [["my_openai", "openai", {}]],
      },
    };
    const answer = ({ path, body }: HttpRequest): unknown => {
      if (!path.endsWith("/predict")) return lists[path];
      const { data } = JSON.parse(Buffer.from(body as Uint8Array).toString()) as {
        data: unknown[];
      };
      sent.push(data.length);
      return data.map(() => ({ answer: "b" }));
    };
    const transport: Transport = {
      send: (request) => {
        const found = answer(request);
        const text = JSON.stringify(found ?? { title: "Not found", detail: request.path });
        return Promise.resolve({
          status: found === undefined ? 404 : 200,
          headers: { "content-type": "application/json" },
          // eslint-disable-next-line @typescript-eslint/require-await
          body: (async function* () {
            yield Buffer.from(text);
          })(),
        });
      },
      close: () => Promise.resolve(),
    };
    const servers = askingServers(
      () => clientOver(transport),
      [],
      () => true,
    );
    const page = new WhatIfPage(row, { servers, log: new Log() }, { isRestored });
    return { page, sent };
  }

  it("asks before it predicts again with a model that costs money", async () => {
    const { page, sent } = createPage("my_openai", true);
    void page.handlers.predict(['"a"']);
    void page.handlers.vary({ values: ['"a"'], input: 0, over: ['"a"', '"b"', '"c"'] });
    await eventually(() => assert.equal(page.state.current.notice?.action, "Predict"));
    assert.equal(page.state.current.isLoading, false);
    assert.deepEqual(sent, []);
    await page.handlers.runNoticeAction();
    await eventually(() => assert.equal(page.state.current.varied?.predictions.length, 3));
    assert.deepEqual(sent, [2, 3]);
    assert.equal(page.state.current.notice, undefined);
  });

  it("predicts at once with another model, and where the page was opened by hand", async () => {
    for (const { page, sent } of [createPage("lightwood", true), createPage("my_openai", false)]) {
      void page.handlers.predict(['"a"']);
      await eventually(() => assert.equal(page.state.current.answer?.present.value, '"b"'));
      assert.deepEqual(sent, [2]);
    }
  });
});
