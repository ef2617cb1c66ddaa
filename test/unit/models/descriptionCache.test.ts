import assert from "node:assert/strict";
import type { DescribedRow } from "../../../src/mindsdb/describeModel.ts";
import { AppError } from "../../../src/mindsdb/errors.ts";
import type { ModelVersion } from "../../../src/mindsdb/listItems.ts";
import { readModelColumns } from "../../../src/models/modelColumns.ts";
import { DescriptionCache } from "../../../src/models/descriptionCache.ts";
import { sendJson, useServer } from "../mindsdb/httpServer.ts";

const model = { connectionId: "one", project: "p", name: "m" };
const trained: ModelVersion = {
  version: 1,
  id: 7,
  status: "complete",
  active: true,
  createdAt: "2026-11-21 08:57:25",
  trainingTime: 5,
  updateStatus: "up_to_date",
};

describe("The cache of model descriptions", () => {
  let asked: (string | undefined)[] = [];
  let descriptions: DescriptionCache;
  beforeEach(() => {
    asked = [];
    descriptions = new DescriptionCache();
  });

  function ask(
    attribute?: string,
    version: ModelVersion = trained,
    of: typeof model = model,
  ): Promise<DescribedRow[]> {
    const server = (attribute?: string): Promise<DescribedRow[]> => {
      asked.push(attribute);
      return Promise.resolve([{ attribute, answer: asked.length }]);
    };
    return descriptions.cached(of, version, server)(attribute);
  }

  it("requests each part of a description once", async () => {
    const first = [await ask(), await ask("features"), await ask("info")];
    assert.deepEqual([await ask(), await ask("features"), await ask("info")], first);
    assert.deepEqual(asked, [undefined, "features", "info"]);
  });

  it("distinguishes connections, projects, models and versions", async () => {
    await ask();
    await ask(undefined, trained, { ...model, connectionId: "two" });
    await ask(undefined, trained, { ...model, project: "q" });
    await ask(undefined, trained, { ...model, name: "n" });
    await ask(undefined, { ...trained, version: 2 });
    assert.equal(asked.length, 5);
  });

  for (const [what, change] of Object.entries({
    "that was retrained": { id: 8, createdAt: "2026-11-21 09:29:32" },
    "that was retrained within the same second": { id: 8 },
    "of a server that was reset": { createdAt: "2026-11-22 10:00:00" },
    "with a different training time": { trainingTime: 6 },
    "whose source rows have changed": { updateStatus: "available" },
  })) {
    it(`asks again for a version ${what}`, async () => {
      await ask();
      await ask(undefined, { ...trained, ...change });
      assert.equal(asked.length, 2);
    });
  }

  it("does not depend on which version is active", async () => {
    await ask();
    await ask(undefined, { ...trained, active: false, engine: "lightwood" });
    assert.equal(asked.length, 1);
  });

  it("does not keep a description that may change, or whose training cannot be identified", async () => {
    const { createdAt, ...undated } = trained;
    assert.ok(createdAt);
    for (const version of [{ ...trained, status: "training" }, undated]) {
      asked = [];
      await ask(undefined, version);
      await ask(undefined, version);
      assert.equal(asked.length, 2);
    }
  });

  it("does not keep a failed request", async () => {
    const failing = descriptions.cached(model, trained, () =>
      Promise.reject(new AppError("serverFault", "No.")),
    );
    await assert.rejects(failing());
    await ask();
    assert.equal(asked.length, 1);
  });

  it("clears one model, one connection, or everything", async () => {
    const places = [
      model,
      { ...model, name: "m2" },
      { ...model, project: "q" },
      { ...model, connectionId: "two" },
      { ...model, connectionId: "one/p" },
    ];
    const askedAfter = async (of?: Partial<typeof model>): Promise<number> => {
      for (const place of places) await ask(undefined, trained, place);
      asked = [];
      descriptions.forget(of);
      for (const place of places) await ask(undefined, trained, place);
      return asked.length;
    };
    assert.equal(await askedAfter(model), 1);
    assert.equal(await askedAfter({ connectionId: "one" }), 3);
    assert.equal(await askedAfter({ connectionId: "on" }), 0);
    assert.equal(await askedAfter(), 5);
  });

  it("keeps the fifty versions that were used last", async () => {
    for (let version = 1; version <= 50; version++) {
      await ask(undefined, { ...trained, version });
      await ask(undefined, { ...trained, version: 1 });
    }
    assert.equal(asked.length, 50);
    await ask(undefined, { ...trained, version: 51 });
    await ask(undefined, { ...trained, version: 1 });
    assert.equal(asked.length, 51);
    await ask(undefined, { ...trained, version: 2 });
    assert.equal(asked.length, 52);
  });

  it("does not keep other attributes, which may be large", async () => {
    await ask("jsonai");
    await ask("jsonai");
    assert.equal(asked.length, 2);
  });
});

describe("The columns of a model", () => {
  let row: Record<string, unknown> | undefined;
  const descriptions = new DescriptionCache();
  const features = [
    { column: "sqft", type: "integer", role: "feature" },
    { column: "price", type: "float", role: "target" },
  ];
  const answers = {
    summary: [{ TABLES: ["info", "features"], PREDICT: "price" }],
    features,
  } as Record<string, unknown>;

  const used = useServer((request, response) => {
    if (request.path.endsWith("/describe")) {
      const { attribute = "summary" } = JSON.parse(request.body) as { attribute?: string };
      sendJson(response, 200, answers[attribute]);
    } else if (row) sendJson(response, 200, row);
    else sendJson(response, 404, { title: "Model not found", detail: "" });
  });
  beforeEach(() => {
    row = { ...listed };
    descriptions.forget();
  });

  const listed = {
    id: 7,
    name: "m",
    version: 3,
    status: "complete",
    active: true,
    created_at: "2026-11-21 08:57:25",
    training_time: 5,
    update: "up_to_date",
  };

  /** The requests of one run, by the ends of their paths. */
  async function run(model: { version?: number } = {}): Promise<string[]> {
    const { client, server } = used;
    const before = server.seen.length;
    const place = { client, connectionId: "one", descriptions };
    const { trained, ...columns } = await readModelColumns(place, {
      project: "p",
      name: "m",
      ...model,
    });
    assert.deepEqual(
      [trained?.version, trained?.createdAt],
      [row?.["version"], row?.["created_at"]],
    );
    assert.deepEqual(columns, {
      inputs: [{ name: "sqft", type: "integer" }],
      target: { name: "price", type: "float" },
    });
    return server.seen.slice(before).map(({ path }) => path.replace(/.*models\//, ""));
  }

  it("are requested once: a second run requests only one row, which is fast", async () => {
    assert.deepEqual(await run(), ["m", "m.3/describe", "m.3/describe"]);
    assert.deepEqual(await run(), ["m"]);
    assert.deepEqual(await run({ version: 3 }), ["m.3"]);
  });

  it("are requested again after the model was retrained", async () => {
    await run();
    row = { ...listed, id: 8, created_at: "2026-11-21 09:29:32" };
    assert.deepEqual(await run(), ["m", "m.3/describe", "m.3/describe"]);
    row = { ...row, version: 4 };
    assert.deepEqual(await run(), ["m", "m.4/describe", "m.4/describe"]);
  });

  it("are requested every time if a server does not return that row", async () => {
    row = undefined;
    for (let times = 0; times < 2; times++) {
      assert.deepEqual(await run(), ["m", "m/describe", "m/describe"]);
    }
  });
});
