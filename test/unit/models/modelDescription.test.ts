// Model descriptions, for every describe that was recorded at real servers.
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  readAttributes,
  describeModel,
  type DescribedRow,
} from "../../../src/mindsdb/describeModel.ts";
import { AppError } from "../../../src/mindsdb/errors.ts";
import type { Model, ModelVersion } from "../../../src/mindsdb/listItems.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { isTraining } from "../../../src/mindsdb/modelStatus.ts";
import { attributeTable, buildDescription } from "../../../src/models/modelDescription.ts";
import { listen, type TestServer } from "../mindsdb/httpServer.ts";
import { isSql, recordedDescribe, recordedDescribes, type RecordedDescribe } from "./recorded.ts";
import { clientOver } from "../../clientOver.ts";

const rentals = { project: "mindsdb", name: "home_rentals_model" };

/** The exchanges that failed, by the expected kind of error. */
const failures: Record<string, RegExp> = {
  // Malformed requests: the extension never sends them, but a proxy can damage a request.
  refused: /nobody|describe_query|no_body|type_no_body|query_string|_post|bad_json|chunked/,
  notFound: /unknown_model|unknown_project|_v9|version9/,
  signInNeeded: /no_auth/,
  serverFault: /import_error|broken_info|bad_describe_info/,
};

function expectedFailure({ name }: RecordedDescribe): string | undefined {
  return Object.keys(failures).find((kind) => failures[kind]?.test(name));
}

function version(more: Partial<ModelVersion> = {}): ModelVersion {
  return { version: 1, status: "complete", active: true, ...more };
}

function model(...versions: ModelVersion[]): Model {
  const [current = version()] = versions;
  return { name: "m", current, versions: versions.length > 0 ? versions : [current] };
}

describe("Describing a model", () => {
  let server: TestServer | undefined;
  let secrets: Secrets;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  /** Asks a server that returns these responses, one for GET and one for SQL. */
  async function ask(
    answers: { get?: Partial<RecordedDescribe>; sql?: Partial<RecordedDescribe> },
    attribute?: string,
    versionNumber?: number,
  ): Promise<DescribedRow[]> {
    const refusal = { status: 400, type: "text/html", answer: "<html>no bodies here</html>" };
    server = await listen(({ method }, response) => {
      const { status, type, answer } = {
        ...refusal,
        ...(method === "GET" ? answers.get : answers.sql),
      };
      response.writeHead(status, { "content-type": type });
      response.end(answer);
    });
    secrets = new Secrets();
    const client = clientOver(createTransport(server.address), { secrets });
    return describeModel(
      client,
      { ...rentals, ...(versionNumber === undefined ? {} : { version: versionNumber }) },
      attribute,
    );
  }

  for (const exchange of recordedDescribes) {
    const kind = expectedFailure(exchange);
    it(`reads ${exchange.name}${kind ? ` as ${kind}` : ""}`, async () => {
      const asked = ask(isSql(exchange) ? { sql: exchange } : { get: exchange });
      if (kind) {
        await assert.rejects(asked, (error) => {
          assert.ok(error instanceof AppError);
          assert.equal(error.kind, kind);
          assert.doesNotMatch(error.message, /Traceback|site-packages/);
          return true;
        });
        return;
      }
      const rows = await asked;
      const answer = JSON.parse(exchange.answer) as DescribedRow[] & {
        column_names: string[];
        data: unknown[][];
      };
      const expected = isSql(exchange)
        ? answer.data.map((row) =>
            Object.fromEntries(answer.column_names.map((column, at) => [column, row[at]])),
          )
        : answer;
      assert.deepEqual(rows, expected);
    });

    if (kind) continue;
    it(`shows every figure and column of ${exchange.name}`, async () => {
      const rows = await ask(isSql(exchange) ? { sql: exchange } : { get: exchange });
      const [first = {}] = rows;
      const { accuracies, importances, inputs, outputs, stages, attributes, target } =
        buildDescription(model(), version(), { summary: rows, info: rows, features: rows });
      if ("accuracies" in first) {
        const toRecord = (figures: { name: string; value: number }[]) =>
          Object.fromEntries(figures.map(({ name, value }) => [name, value]));
        assert.deepEqual(toRecord(accuracies), first["accuracies"]);
        assert.deepEqual(toRecord(importances), first["column_importances"]);
        const values = importances.map(({ value }) => value);
        assert.deepEqual(
          values,
          [...values].sort((a, b) => b - a),
        );
        assert.deepEqual(
          inputs.map(({ name }) => name),
          first["inputs"],
        );
        assert.deepEqual(
          outputs.map(({ name }) => name),
          first["outputs"],
        );
        assert.equal(stages.join(" --> "), first["model"] ?? "");
      }
      if ("TABLES" in first) {
        assert.deepEqual(["info", "features", ...attributes], first["TABLES"]);
        assert.equal(target, first["PREDICT"]);
      }
      if ("encoder" in first) {
        assert.equal(inputs.length + outputs.length, rows.length);
        assert.ok(
          rows.every(({ column }) => [...inputs, ...outputs].some((c) => c.name === column)),
        );
      }
    });
  }

  it("covers both versions", () => {
    const names = recordedDescribes.map(({ name }) => name.split("/")[0]);
    assert.deepEqual([...new Set(names)], ["25.14.1", "26.1.0"]);
    assert.equal(names.length, 69);
  });

  it("asks with {} for the summary, and with the attribute for the rest", async () => {
    await ask({ get: recordedDescribe("26.1.0/100_describe_empty_object") });
    assert.deepEqual(
      server?.seen.map(({ method, path, body }) => ({ method, path, body })),
      [
        {
          method: "GET",
          path: "/api/projects/mindsdb/models/home_rentals_model/describe",
          body: "{}",
        },
      ],
    );
    await server?.close();
    await ask({ get: recordedDescribe("26.1.0/101_describe_info") }, "info", 2);
    assert.equal(
      server?.seen[0]?.path,
      "/api/projects/mindsdb/models/home_rentals_model.2/describe",
    );
    assert.equal(server?.seen[0]?.body, '{"attribute":"info"}');
  });

  it("asks in SQL if a proxy rejects the GET's body", async () => {
    const rows = await ask(
      { sql: recordedDescribe("26.1.0/141_describe_sql_version1") },
      "info",
      1,
    );
    const body = JSON.parse(server?.seen[1]?.body ?? "{}") as { query: string };
    assert.equal(body.query, "DESCRIBE `mindsdb`.`home_rentals_model`.`1`.`info`");
    assert.deepEqual(rows[0]?.["accuracies"], { r2_score: 0.9799 });
  });

  it("reports the error of the GET if SQL is rejected as well", async () => {
    await assert.rejects(ask({}), { kind: "notMindsDB", message: /HTTP 400/ });
  });

  it("does not ask twice for a model that does not exist", async () => {
    const exchange = recordedDescribe("26.1.0/112_describe_unknown_model");
    await assert.rejects(ask({ get: exchange }), { kind: "notFound" });
    assert.equal(server?.seen.length, 1);
  });

  it("shows no key of an engine", async () => {
    const args = [
      { key: "openai_api_key", value: "made-up-key-17" },
      { key: "prompt_template", value: "use made-up-key-17" },
      { key: "temperature", value: 0 },
    ];
    const answer = { status: 200, type: "application/json", answer: JSON.stringify(args) };
    const rows = await ask({ get: answer }, "args");
    assert.deepEqual(rows[0], { key: "openai_api_key", value: "******" });
    assert.deepEqual(rows[2], { key: "temperature", value: 0 });
    await server?.close();
    const options = "{'target': 'x', 'using': {'api_key': 'made-up-key-18'}}";
    const summary = [{ TABLES: [], TRAINING_OPTIONS: options }];
    const redacted = await ask({ get: { ...answer, answer: JSON.stringify(summary) } });
    assert.doesNotMatch(JSON.stringify(redacted), /made-up-key/);
  });

  it("rejects responses that are not lists of rows", async () => {
    for (const answer of ["{}", "[1]", "null", '"info"']) {
      await assert.rejects(
        ask({ get: { status: 200, type: "application/json", answer } }),
        { kind: "badAnswer" },
        answer,
      );
      await server?.close();
    }
  });
});

describe("A model's description", () => {
  const info = JSON.parse(recordedDescribe("26.1.0/101_describe_info").answer) as DescribedRow[];
  const features = JSON.parse(
    recordedDescribe("26.1.0/102_describe_features").answer,
  ) as DescribedRow[];

  it("adds types to inputs and outputs", () => {
    const { inputs, outputs } = buildDescription(model(), version(), { info, features });
    assert.deepEqual(inputs[3], {
      name: "location",
      type: "categorical",
      encoder: "OneHotEncoder",
    });
    assert.deepEqual(outputs, [{ name: "rental_price", type: "float", encoder: "-" }]);
    const untyped = buildDescription(model(), version(), { info });
    assert.deepEqual(untyped.inputs[3], { name: "location" });
    const typed = buildDescription(model(), version(), { features });
    assert.equal(typed.inputs.length, 6);
  });

  it("uses the only figure of the summary if there are no metrics", () => {
    const summary = [{ ACCURACY: 0.5 }];
    const { accuracies } = buildDescription(model(), version(), { summary });
    assert.deepEqual(accuracies, [{ name: "", value: 0.5 }]);
    assert.equal(buildDescription(model(), version(), { summary, info }).accuracies.length, 1);
    const listed = buildDescription(model(), version({ accuracy: 0.25 }), {});
    assert.deepEqual(listed.accuracies, [{ name: "", value: 0.25 }]);
  });

  it("keeps columns of any name, and figures in text form", () => {
    const column_importances = JSON.parse(
      '{"constructor":0.5,"__proto__":"0.4","toString":-0.1,"a":"high","b":"","c":null,"d":[1]}',
    ) as unknown;
    const { importances, accuracies } = buildDescription(model(), version(), {
      info: [{ column_importances, accuracies: [0.9] }],
    });
    assert.deepEqual(importances, [
      { name: "constructor", value: 0.5 },
      { name: "__proto__", value: 0.4 },
      { name: "toString", value: -0.1 },
    ]);
    assert.deepEqual(accuracies, []);
  });

  it("explains why there are no figures", () => {
    const missing = (
      of: ModelVersion,
      answers: Parameters<typeof buildDescription>[2],
    ): string | undefined => buildDescription(model(of), of, answers).missing;
    assert.equal(missing(version(), {}), "loading");
    assert.equal(missing(version(), { summary: [] }), "nothing");
    assert.equal(missing(version(), { summary: [{ TABLES: [] }] }), "nothing");
    assert.equal(missing(version(), { failure: "no" }), "failed");
    assert.equal(missing(version({ status: "training" }), {}), "training");
    assert.equal(missing(version({ status: "error" }), { failure: "no" }), "trainingFailed");
    assert.equal(missing(version(), { summary: [], info }), undefined);
    // An engine's message about an unknown attribute.
    assert.equal(missing(version(), { summary: [{}], info: [{ tables: "model" }] }), "nothing");
  });

  it("names the engine that the server lacks, in a training's error or a failed description", () => {
    const lacks = (
      error: string | undefined,
      answers: Parameters<typeof buildDescription>[2],
    ): string | undefined =>
      buildDescription(model(), version({ status: "error", error }), answers).missingEngine;
    assert.equal(lacks("Exception: There is no engine 'gpt'", {}), "gpt");
    const failure = "There is no integration with name 'gpt': unknown";
    assert.equal(lacks(undefined, { failure }), "gpt");
    assert.equal(lacks("no room", { failure }), undefined);
  });

  it("removes server paths and tracebacks from the error sentence, but keeps the full error", () => {
    const error = (text: string) =>
      buildDescription(model(), version({ status: "error", error: text })).error;
    assert.deepEqual(error("ValueError: no"), { sentence: "ValueError: no" });
    const located = "RuntimeError: disk is full, raised at: /opt/x/learn_process.py#119";
    assert.deepEqual(error(located), { sentence: "RuntimeError: disk is full", whole: located });
    const traced = 'no room\nTraceback (most recent call last):\n  File "/opt/x.py"\nE: no room';
    assert.deepEqual(error(traced), { sentence: "no room", whole: traced });
  });

  it("is refreshed while any version is in training", () => {
    for (const status of ["generating", "training", "finetuning", "validation"]) {
      assert.ok(isTraining({ status }));
      const versions = [version({ version: 2, status, active: false }), version()];
      assert.ok(buildDescription(model(...versions), version()).isTraining);
    }
    for (const status of ["complete", "error", "unknown", ""]) assert.ok(!isTraining({ status }));
  });

  it("reads an attribute as a table of texts", () => {
    const rows = [
      { key: "a", value: null },
      { key: "b", value: { c: [1] }, more: "x" },
    ];
    assert.deepEqual(attributeTable(rows), {
      columns: ["key", "value", "more"],
      rows: [
        ["a", "", ""],
        ["b", '{"c":[1]}', "x"],
      ],
    });
    assert.deepEqual(attributeTable([]), { columns: [], rows: [] });
    assert.deepEqual(attributeTable([{ constructor: 1 }, { a: 2 }]).rows, [
      ["1", ""],
      ["", "2"],
    ]);
  });

  it("accepts any rows without throwing", () => {
    const rows = fc.array(
      fc.dictionary(
        fc.constantFrom("TABLES", "accuracies", "column_importances", "inputs", "model", "column"),
        fc.jsonValue(),
      ),
    );
    fc.assert(
      fc.property(rows, rows, rows, (summary, info, features) => {
        readAttributes(summary);
        const description = buildDescription(model(), version(), { summary, info, features });
        assert.ok(description.accuracies.every(({ value }) => Number.isFinite(value)));
      }),
    );
  });
});
