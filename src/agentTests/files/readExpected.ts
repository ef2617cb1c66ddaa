// Reads which documents a search should find.
import * as l10n from "@vscode/l10n";
import { findProviderFunction } from "../promptfoo/providerFile.ts";
import { readNumber, readText, refuseOthers, toFields, type Report } from "./readFields.ts";
import type { ExpectedDocuments } from "../checks/searchMetrics.ts";
import { toPlainValue, type YamlNode } from "./yamlTree.ts";

/** Reads the `config` of such an assertion. */
export function readExpected(
  node: YamlNode | undefined,
  valueNode: YamlNode | undefined,
  { range, report }: { range: YamlNode["range"]; report: Report },
): ExpectedDocuments | undefined {
  const fields = toFields(node);
  const isHit = findProviderFunction(valueNode && readText(valueNode)) === "hitAtK";
  refuseOthers(fields.values(), ["expected", ...(isHit ? ["k"] : [])], report);
  const list = fields.get("expected")?.value;
  const ids: unknown = list && toPlainValue(list);
  const isList = Array.isArray(ids) && ids.length > 0;
  if (!isList || !ids.every((id) => typeof id === "string" || typeof id === "number")) {
    report(l10n.t("“config” must have “expected”, a list of IDs."), list?.range ?? range);
    return undefined;
  }
  const kNode = fields.get("k")?.value;
  const k = kNode && readNumber(kNode, 1);
  if (kNode && (k === undefined || !Number.isInteger(k))) {
    report(l10n.t("{0} must be a whole number of at least 1.", "k"), kNode.range);
  }
  return { expected: ids.map(String), ...(k === undefined ? {} : { k }) };
}
