// Secrets in the texts of a form, typed or from the server, when the form is stored and opened again.
import assert from "node:assert/strict";
import {
  findPlaceholder,
  omitFormSecrets,
  restoreSecrets,
} from "../../../src/shared/typedSecrets.ts";
import { keyPlaceholder } from "../../../src/shared/usingClause.ts";
import { assertLinear } from "../../linearTime.ts";

const canary = "canary-31-Qz7";
const draft = {
  name: "a",
  model: { baseUrl: `https://ada:${canary}@host.example/v1`, provider: "openai" },
  query: `SELECT * FROM t WHERE api_key = '${canary}'`,
  columns: ["x", `postgres://u:${canary}@h/d`],
  params: { "api-note": `password=${canary}`, count: 1 },
};

describe("Secrets in the texts of a form", () => {
  it("are not stored, wherever the form has them", () => {
    const form = { id: "1", draft, initial: draft, before: draft, query: draft.query, hadKeys: {} };
    const stored = omitFormSecrets(form);
    assert.ok(!JSON.stringify(stored).includes(canary), JSON.stringify(stored));
    assert.deepEqual(stored.draft.model, {
      baseUrl: `https://${keyPlaceholder}@host.example/v1`,
      provider: "openai",
    });
    assert.deepEqual(stored.before, stored.draft);
    assert.deepEqual(omitFormSecrets(stored), stored);
    const plain = { draft: { name: "a" }, initial: undefined };
    assert.deepEqual(omitFormSecrets(plain), plain);
  });

  it("are not stored of statements where only a reader of SQL sees them", () => {
    const inserted = `INSERT INTO u (name, pass) VALUES ('ada', '${canary}')`;
    const native = `SELECT * FROM s (CREATE ROLE x PASSWORD $$${canary}$$)`;
    const compared = `SELECT * FROM u WHERE password LIKE '${canary}'`;
    const form = { draft: { query: inserted, condition: native, select: compared, note: "a" } };
    const stored = omitFormSecrets({ ...form, initial: form.draft, query: inserted });
    assert.ok(!JSON.stringify(stored).includes(canary), JSON.stringify(stored));
    assert.equal(
      stored.draft.query,
      `INSERT INTO u (name, pass) VALUES ('ada', '${keyPlaceholder}')`,
    );
    assert.deepEqual(omitFormSecrets(stored), stored);
    assert.deepEqual(restoreSecrets(stored.draft, form.draft), form.draft);
    assert.equal(findPlaceholder(stored.draft, form.draft), "query");
    const pasted = `https://ada:${canary}/${canary}@host.example/v1`;
    const texts = { query: pasted, condition: `{"pass": 1, "password": "${canary}"}` };
    assert.ok(!JSON.stringify(omitFormSecrets({ draft: texts })).includes(canary));
    const plain = { draft: { query: "SELECT * FROM u WHERE token = 'abc'", condition: "" } };
    assert.deepEqual(omitFormSecrets(plain), plain);
  });

  it("come back where the server still has them, and only there", () => {
    const stored = omitFormSecrets({ draft: { ...draft, name: "b" } }).draft;
    assert.deepEqual(restoreSecrets(stored, draft), { ...draft, name: "b" });
    const elsewhere = { ...draft, query: "SELECT 1", model: null, columns: [] };
    const restored = JSON.stringify(restoreSecrets(stored, elsewhere));
    assert.equal(restored.split(canary).length, 2, restored);
    assert.deepEqual(restoreSecrets(stored, {}), stored);
  });

  it("are not replaced by placeholders on the server", () => {
    const stored = omitFormSecrets({ draft }).draft;
    assert.equal(findPlaceholder(draft), undefined);
    assert.equal(findPlaceholder(stored), "model");
    assert.equal(findPlaceholder(stored, draft), "model");
    assert.equal(findPlaceholder(stored, stored), undefined);
    assert.equal(findPlaceholder({ ...stored, query: `${stored.query} AND 1` }, stored), "query");
    assert.equal(findPlaceholder({ rows: [{ value: keyPlaceholder }] }, { rows: 1 }), "rows");
  });

  it("are left out in linear time", () => {
    const make = (size: number) => JSON.stringify(Array(size / 20).fill({ password: canary }));
    const run = (query: string) => omitFormSecrets({ draft: { query } });
    assertLinear({ name: "secrets in JSON", make, run, size: 200_000, floorMs: 400 });
    const repeat = (size: number) => {
      const text = "a".repeat(size / 2);
      return JSON.stringify({ password: `${text}b${text}`, other: text.repeat(6) });
    };
    const other = (text: string) => omitFormSecrets({ draft: { text } });
    assertLinear({ name: "a long secret", make: repeat, run: other, size: 20_000, floorMs: 800 });
  });
});
