// A tag can be moved to other code after it was reviewed; a commit cannot.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..", "..");

describe("Workflows", () => {
  const files = fs.globSync(".github/workflows/*.{yml,yaml}", { cwd: root });

  it("pin every action to a commit and name its version", () => {
    assert.ok(files.length > 0);
    for (const file of files) {
      const text = fs.readFileSync(path.join(root, file), "utf8");
      const actions = [...text.matchAll(/^\s*-?\s*uses:\s*(.*)$/gm)].map(
        ([, action]) => action ?? "",
      );
      assert.ok(actions.length > 0, file);
      for (const action of actions) {
        assert.match(action, /^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, file);
      }
    }
  });
});
