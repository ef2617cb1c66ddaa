// Which map of a test file a cursor is in, also while the file is being written.
import assert from "node:assert/strict";
import {
  describeAssertionType,
  describeKey,
  findMapKind,
  keysOf,
  listOfferedKeys,
  type MapKind,
} from "../../../src/agentTests/files/testFileKeys.ts";
import { assertionTypeNames } from "../../../src/agentTests/checks/assertionTypes.ts";
import { findYamlPlace } from "../../../src/agentTests/files/yamlPlace.ts";

const at = (text: string) => findYamlPlace(text.split("\n"));
const kindAt = (text: string) => findMapKind(at(text).path);

const head = "providers: ['mindsdb:mindsdb/a']\nprompts: ['{{question}}']\ntests:\n";

describe("A place in a test file", () => {
  for (const [text, kind] of [
    ["", "file"],
    ["desc", "file"],
    [`${head}`, "file"],
    [`${head}  - `, "test"],
    [`${head}- `, "test"],
    [`${head}  - vars:\n      question: Why?\n    `, "test"],
    [`${head}- vars:\n    question: Why?\n  ass`, "test"],
    [`${head}  - vars:\n      `, undefined],
    [`${head}  - vars:\n      question: Why?\n    assert:\n      - `, "assertion"],
    [`${head}  - vars: {question: Why?}\n    assert:\n    - type: equals\n      val`, "assertion"],
    [`${head}  - assert:\n      - type: assert-set\n        assert:\n          - ty`, "assertion"],
    [`${head}  - assert:\n      - type: x\n    # a note\n\n    options:\n      `, "options"],
    [`${head}  - assert:\n      - type: x\n        value: y\n  - `, "test"],
    ["defaultTest:\n  assert:\n    - ", "assertion"],
    ["evaluateOptions:\n  ", "evaluateOptions"],
    ["providers:\n  - id: x\n    ", "provider"],
    ["providers:\n  - id: x\n    config:\n      ", undefined],
    [`${head}  - assert:\n      - type: x\n        config:\n          `, undefined],
  ] as const) {
    it(`is found after ${JSON.stringify(text.replace(head, "…"))}`, () => {
      assert.equal(kindAt(text), kind);
    });
  }

  it("has the key whose value is being written", () => {
    const { key, written } = at(`${head}  - assert:\n      - type: not-ic`);
    assert.deepEqual([key, written], ["type", "not-ic"]);
  });

  it("has a sentence for each key and each type that can be offered", () => {
    for (const kind of Object.keys(keysOf) as MapKind[]) {
      if (kind === "assertSet") continue;
      for (const key of listOfferedKeys(kind)) assert.ok(describeKey(kind, key), `${kind} ${key}`);
    }
    for (const type of [...assertionTypeNames, "assert-set"]) {
      assert.ok(describeAssertionType(type), type);
    }
    assert.equal(describeKey("file", "constructor"), undefined);
  });
});
