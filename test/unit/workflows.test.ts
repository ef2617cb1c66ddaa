// A tag can be moved to other code after it was reviewed; a commit cannot.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..", "..");

describe("Workflows", () => {
  const files = fs.globSync(".github/workflows/*.{yml,yaml}", { cwd: root });

  it("give secrets only to the step that publishes with them", () => {
    const text = fs.readFileSync(path.join(root, ".github/workflows/release.yml"), "utf8");
    const steps = text.split(/^ {6}- /m);
    const withSecret = steps.filter((step) => step.includes("secrets."));
    assert.ok(!steps[0]?.includes("secrets."));
    assert.deepEqual(
      withSecret.map((step) => [step.split("\n")[0], ...(step.match(/secrets\.\w+/g) ?? [])]),
      [
        ["name: Publish to the Visual Studio Marketplace", "secrets.VSCE_PAT"],
        ["name: Publish to Open VSX", "secrets.OVSX_PAT"],
      ],
    );
    for (const step of withSecret) assert.doesNotMatch(step, /npm (ci|i|install)|--yes/);
  });

  it("install ovsx from a lock file, with a hash of every package", () => {
    const lock = JSON.parse(
      fs.readFileSync(path.join(root, ".github/ovsx/package-lock.json"), "utf8"),
    ) as { packages: Record<string, { version: string; integrity?: string }> };
    const packages = Object.entries(lock.packages).filter(([name]) => name !== "");
    assert.ok(packages.some(([name]) => name === "node_modules/ovsx"));
    for (const [name, { integrity }] of packages) assert.match(integrity ?? "", /^sha512-/, name);
  });

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
