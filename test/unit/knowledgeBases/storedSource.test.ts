// A source in a page's state, which VS Code stores.
import assert from "node:assert/strict";
import { storedSource } from "../../../src/knowledgeBases/fill/storedSource.ts";
import { redactPatterns } from "../../../src/mindsdb/redact/secretPatterns.ts";

describe("A source of content that is stored", () => {
  const redact = (text: string) => redactPatterns(text).replaceAll("known-1", "******");
  const ofSelect = (query: string) => storedSource({ kind: "select", query }, redact);

  it("has no statement with secrets", () => {
    for (const query of [
      "SELECT * FROM s (SELECT * FROM f('postgres://u:canary-1@h/d'))",
      "SELECT * FROM u WHERE password LIKE 'canary'",
      "SELECT * FROM s (SELECT http_get(json_object('pass', 'canary')))",
      "SELECT * FROM u WHERE a = 'known-1'",
    ]) {
      assert.equal(ofSelect(query), undefined, query);
    }
  });

  it("is stored otherwise", () => {
    const query = "SELECT * FROM u WHERE token = 'abc'";
    assert.deepEqual(ofSelect(query), { kind: "select", query });
    const file = { kind: "rowsFile", uri: "file:///a%20password='b'.csv" } as const;
    assert.deepEqual(storedSource(file, redact), file);
  });
});
