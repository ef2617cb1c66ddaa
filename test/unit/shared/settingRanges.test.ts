import assert from "node:assert/strict";
import fs from "node:fs";
import { settings } from "../../../src/ids.ts";
import { settingRanges } from "../../../src/shared/settingRanges.ts";

interface Manifest {
  contributes: {
    configuration: {
      properties: Record<string, { default?: number; minimum?: number; maximum?: number }>;
    };
  };
}

describe("The ranges of number settings", () => {
  const { contributes } = JSON.parse(fs.readFileSync("package.json", "utf8")) as Manifest;

  for (const [name, { min, max, defaultValue }] of Object.entries(settingRanges)) {
    it(`match package.json for ${name}`, () => {
      const id = `${settings.section}.${settings[name as keyof typeof settingRanges]}`;
      const { properties } = contributes.configuration;
      assert.ok(properties[id], id);
      const { default: usualThere, minimum, maximum } = properties[id];
      assert.deepEqual([minimum, maximum, usualThere], [min, max, defaultValue]);
    });
  }
});
