// Accessibility of a webview page. Its policy blocks script tags, so axe is evaluated in the frame.
import fs from "node:fs";
import { createRequire } from "node:module";
import type axeModule from "axe-core";
import type { Frame } from "playwright-core";

const axeSource = fs.readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/**
 * All axe-core violations in a frame, as `rule: help (selectors)`; with `inShadow` only those in shadow roots, if the rest
 * of the frame belongs to VS Code.
 */
export async function axeViolations(frame: Frame, { inShadow = false } = {}): Promise<string[]> {
  await frame.evaluate(axeSource);
  const all = await frame.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof axeModule };
    const results = await axe.run(document, { resultTypes: ["violations"] });
    return results.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      targets: nodes.map(({ target }) => ({
        selector: target.flat().join(" "),
        isInShadow: Array.isArray(target[0]),
      })),
    }));
  });
  const violations = all
    .map(({ id, help, targets }) => ({
      id,
      help,
      targets: targets
        .filter(
          ({ isInShadow, selector }) => !inShadow || (isInShadow && !isMarkdownCell(selector)),
        )
        .map(({ selector }) => selector),
    }))
    .filter(({ targets }) => targets.length > 0);
  return violations.map(({ id, help, targets }) => `${id}: ${help} (${targets.join(", ")})`);
}

/** VS Code renders Markdown cells in shadow roots. */
function isMarkdownCell(selector: string): boolean {
  return selector.endsWith(" #preview");
}
