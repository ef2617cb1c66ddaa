// Compares descriptions of real models by GET and by SQL with plain HTTP.
import assert from "node:assert/strict";
import type { Client } from "../../src/mindsdb/http/client.ts";
import {
  readAttributes,
  describeModel,
  type DescribedRow,
} from "../../src/mindsdb/describeModel.ts";
import { AppError } from "../../src/mindsdb/errors.ts";
import { listModels } from "../../src/mindsdb/models.ts";
import { modelColumns } from "../../src/mindsdb/predict.ts";
import { readTrainingRow } from "../../src/mindsdb/trainingRow.ts";
import { buildDescription } from "../../src/models/modelDescription.ts";
import { Admin } from "./admin.ts";
import { connect, type Connection } from "./conversation.ts";
import { DescriptionCache } from "../../src/models/descriptionCache.ts";
import { readExample } from "../../src/predict/readExample.ts";
import { findRange } from "../../src/predict/whatIf/inputValue.ts";
import { fixture, versions } from "./fixture.ts";
import { homes } from "./rentals.ts";
import { SEEDED } from "./seed.ts";

const model = { project: "mindsdb", name: SEEDED.model };
const path = `/api/projects/mindsdb/models/${SEEDED.model}`;

/** A client behind a proxy that rejects GET requests with a body. */
function behindProxy(client: Client): Client {
  const refuse = () => Promise.reject(new AppError("refused", "no bodies here"));
  return Object.assign(Object.create(client) as Client, {
    get: refuse,
    post: client.post.bind(client),
    secrets: client.secrets,
  });
}

for (const version of versions) {
  describe(`MindsDB ${version}, describing a model`, () => {
    let connection: Connection;
    let admin: Admin;
    before(async () => {
      connection = await connect(fixture(version).server.url);
      admin = await Admin.signIn(fixture(version).server);
    });
    after(() => connection.close());

    for (const attribute of [undefined, "info", "features"]) {
      it(`returns ${attribute ?? "the summary"} by GET and by SQL like plain HTTP`, async () => {
        const plain = await admin.get(`${path}/describe`, attribute ? { attribute } : {});
        const { client } = connection;
        assert.deepEqual(await describeModel(client, model, attribute), plain);
        assert.deepEqual(await describeModel(behindProxy(client), model, attribute), plain);
        const first = { ...model, version: 1 };
        assert.deepEqual(await describeModel(client, first, attribute), plain);
        assert.deepEqual(await describeModel(behindProxy(client), first, attribute), plain);
      });
    }

    it("finds the range of each input in the rows that the model was trained on", async () => {
      const server = {
        client: connection.client,
        connectionId: "real",
        descriptions: new DescriptionCache(),
      };
      const { row } = await readExample(server, model, 2_000);
      for (const input of ["number_of_rooms", "sqft", "days_on_market"] as const) {
        const seen = (row?.seen.get(input) ?? []).map(String);
        const all = homes().map((home) => home[input]);
        const [from, to] = [Math.min(...all), Math.max(...all)];
        const range = findRange(JSON.stringify(row?.values.get(input)), seen, true);
        const [first, last] =
          range.kind === "numbers"
            ? [range.from, range.to]
            : [range.values[0], range.values.at(-1)].map(Number);
        assert.deepEqual([first, last], [from, to], input);
      }
    });

    it("shows the figures, columns and the query of the plain answers", async () => {
      const { client } = connection;
      const found = (await listModels(client, "mindsdb")).find(({ name }) => name === SEEDED.model);
      assert.ok(found);
      // One after the other, as the page asks: an engine that starts does so for each request that waits.
      const summary = await describeModel(client, model);
      const info = await describeModel(client, model, "info");
      const features = await describeModel(client, model, "features");
      const shown = buildDescription(found, found.current, { summary, info, features });
      const [plain] = (await admin.get(`${path}/describe`, { attribute: "info" })) as [
        DescribedRow,
      ];
      const row = (await admin.get(path)) as DescribedRow;
      const record = (figures: { name: string; value: number }[]) =>
        Object.fromEntries(figures.map(({ name, value }) => [name, value]));
      assert.deepEqual(record(shown.accuracies), plain["accuracies"]);
      assert.deepEqual(record(shown.importances), plain["column_importances"]);
      assert.deepEqual(
        shown.inputs.map(({ name }) => name),
        plain["inputs"],
      );
      assert.ok(shown.inputs.every(({ type }) => type !== undefined));
      assert.deepEqual(
        shown.outputs.map(({ name }) => name),
        ["rental_price"],
      );
      assert.equal(shown.query, row["fetch_data_query"]);
      assert.equal(shown.status, "complete");
      assert.ok(readAttributes(summary).includes("features"));
    });

    it("returns a row of the model's training table", async () => {
      const { client } = connection;
      const { inputs = [], query = "" } = await modelColumns((attribute) =>
        describeModel(client, model, attribute),
      );
      const columns = inputs.map(({ name }) => name);
      const row = await readTrainingRow(client, { project: "mindsdb", query, columns });
      assert.deepEqual(row?.table, ["files", "home_rentals"]);
      assert.deepEqual([...row.values.keys()], columns);
      const { rental_price: price, ...first } = homes()[0]!;
      assert.deepEqual(Object.fromEntries(row.values), first);
      assert.ok(!columns.includes("rental_price") && price > 0);
    });

    it("reports a missing model", async () => {
      const missing = { project: "mindsdb", name: "no_such_model" };
      await assert.rejects(describeModel(connection.client, missing), { kind: "notFound" });
    });
  });
}
