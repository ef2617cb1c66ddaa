// Accessibility of a page inside a webview. The policy of a webview blocks script tags, so axe is evaluated in the frame.
import fs from "node:fs";
import { createRequire } from "node:module";
import type axeModule from "axe-core";
import type { Frame } from "playwright-core";

const axeSource = fs.readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** Every violation axe-core finds in a frame, as `rule: help (selectors)`. */
export async function axeViolations(frame: Frame): Promise<string[]> {
  await frame.evaluate(axeSource);
  const violations = await frame.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof axeModule };
    const results = await axe.run(document, { resultTypes: ["violations"] });
    return results.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      targets: nodes.map((node) => node.target.join(" ")),
    }));
  });
  return violations.map(({ id, help, targets }) => `${id}: ${help} (${targets.join(", ")})`);
}
