import assert from "node:assert/strict";
import fc from "fast-check";
import { assignPresetIds } from "../../../src/connections/presetIds.ts";

const idsOf = (presets: { id?: string; address: string }[]) =>
  assignPresetIds(presets).map(({ id }) => id);

describe("ids of presets", () => {
  it("are the ids in the settings, or else the addresses", () => {
    assert.deepEqual(idsOf([{ id: "a", address: "x" }, { address: "y" }]), ["a", "preset:y"]);
  });

  it("are unique, and ids in the settings take precedence", () => {
    const a = (id: string) => ({ id, address: "x" });
    assert.deepEqual(idsOf([a("a"), a("a"), a("a#2")]), ["a", "a#3", "a#2"]);
    assert.deepEqual(idsOf([{ address: "x" }, { address: "x" }, a("preset:x"), a("preset:x#2")]), [
      "preset:x#3",
      "preset:x#4",
      "preset:x",
      "preset:x#2",
    ]);
  });

  it("are unique for any settings", () => {
    const id = fc.constantFrom("a", "a#2", "a#2#2", "preset:x", "preset:x#2", "preset:x#3");
    const preset = fc.record(
      { id, address: fc.constantFrom("x", "y", "x#2") },
      { requiredKeys: ["address"] },
    );
    fc.assert(
      fc.property(fc.array(preset, { maxLength: 12 }), (presets) => {
        const ids = idsOf(presets);
        assert.equal(new Set(ids).size, ids.length);
        for (const [index, { id }] of presets.entries()) {
          if (id !== undefined && presets.findIndex((other) => other.id === id) === index) {
            assert.equal(ids[index], id);
          }
        }
      }),
    );
  });
});
