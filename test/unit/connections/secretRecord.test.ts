import assert from "node:assert/strict";
import { getCredential, findSecret, replaceSecret } from "../../../src/connections/secretRecord.ts";

const address = "https://mindsdb.example.com/team";

describe("a connection's stored secrets", () => {
  it("are returned only for the address and machine that they were saved for", () => {
    const bindings = [
      { address },
      { address: "https://mindsdb.example.com" },
      { address: "https://mindsdb.example.com/team2" },
      { address: "http://127.0.0.1:47334", machine: "a" },
      { address: "http://127.0.0.1:47334", machine: "b" },
    ];
    let record: string | undefined;
    for (const [index, binding] of bindings.entries()) {
      assert.equal(findSecret(record, binding), undefined);
      record = replaceSecret(record, binding, { token: `t${index}` });
    }
    for (const [index, binding] of bindings.entries()) {
      assert.deepEqual(findSecret(record, binding), { token: `t${index}` });
    }
    assert.equal(findSecret(record, { address: "http://127.0.0.1:47334" }), undefined);
  });

  it("are replaced and removed individually", () => {
    const here = { address: "http://127.0.0.1:47334", machine: "here" };
    const there = { ...here, machine: "there" };
    let record = replaceSecret(undefined, there, { token: "t1", username: "ada", password: "p" });
    record = replaceSecret(record, here, { cookie: "session=1" });
    record = replaceSecret(record, here, { cookie: "session=2" });
    assert.deepEqual(findSecret(record, here), { cookie: "session=2" });
    assert.deepEqual(getCredential(findSecret(record, here)), { cookie: "session=2" });
    assert.equal(getCredential({ username: "ada" }), undefined);
    record = replaceSecret(record, here, undefined);
    assert.equal(findSecret(record, here), undefined);
    assert.deepEqual(findSecret(record, there), { token: "t1", username: "ada", password: "p" });
    assert.equal(replaceSecret(record, there, undefined), undefined);
  });

  it("in the previous format are used if their origin is the whole address", () => {
    const stored = (origin: string) =>
      JSON.stringify({ origin, token: "t1", username: "ada", password: "p" });
    const kept = { token: "t1", username: "ada", password: "p" };
    const origin = "https://mindsdb.example.com";
    assert.deepEqual(findSecret(stored(origin), { address: origin }), kept);
    assert.equal(findSecret(stored(origin), { address }), undefined);
    const local = { address: "http://127.0.0.1:47334", machine: "here" };
    assert.equal(findSecret(stored(local.address), local), undefined);
  });

  it("in the previous format are replaced at the next sign-in if the address depends on the machine", () => {
    const local = { address: "http://127.0.0.1:47334", machine: "here" };
    const before = JSON.stringify({ origin: local.address, token: "t1", password: "p" });
    const record = replaceSecret(before, local, { token: "t2" });
    assert.deepEqual(JSON.parse(record ?? ""), [{ ...local, token: "t2" }]);
  });

  it("are ignored if the record is damaged", () => {
    for (const record of ["", "{", "null", "7", '"x"', "[]", "[null, 7, []]", "{}", '[{"a":1}]']) {
      assert.equal(findSecret(record, { address }), undefined, record);
      const repaired = replaceSecret(record, { address }, { token: "t" });
      assert.deepEqual(findSecret(repaired, { address }), { token: "t" }, record);
    }
    const odd = JSON.stringify([{ address, token: 7, cookie: null, username: "ada" }]);
    assert.deepEqual(findSecret(odd, { address }), { username: "ada" });
  });

  it("are limited to the newest", () => {
    let record: string | undefined;
    for (let index = 0; index < 100; index++) {
      record = replaceSecret(record, { address, machine: String(index) }, { token: `t${index}` });
    }
    assert.equal((JSON.parse(record ?? "") as unknown[]).length, 10);
    assert.deepEqual(findSecret(record, { address, machine: "99" }), { token: "t99" });
  });
});
