import * as l10n from "@vscode/l10n";
import type { GridColumn } from "../../shared/page/grid/gridCells.ts";
import type { ResultColumn, ResultRow } from "../messages.ts";
import { parseStringLiteral } from "../rows/jsonLiteral.ts";

/** Width in pixels of a column that is sized to its content. */
const minContentWidth = 64;
const maxContentWidth = 400;

/** Width in pixels of a title's letter, and of the edges of a cell. */
const letterWidth = 8;
const edgeWidth = 24;

/** Whether a column is from a model, or made of the predictions of two. */
export function isPrediction(part: ResultColumn["part"]): boolean {
  return part === "predicted" || part === "difference";
}

/** Whether a result has the predictions of one model: not those of two, nor the table of a statement. */
export function isOfOneModel(columns: readonly ResultColumn[]): boolean {
  const parts = columns.map(({ part }) => part);
  return parts.includes("predicted") && !parts.includes("difference");
}

/** The columns of the grid; `predictionWidth` is in pixels. */
export function toGridColumns(
  columns: readonly ResultColumn[],
  predictionWidth: number | undefined,
): GridColumn[] {
  const hints = {
    predicted: l10n.t("predicted"),
    difference: "",
    actual: l10n.t("actual"),
    error: l10n.t("error"),
    input: "",
  };
  // After the difference come the confidences of two models: all of that would leave no room for the inputs.
  const difference = columns.findIndex(({ part }) => part === "difference");
  const lastPinned = difference < 0 ? Infinity : difference;
  return columns.map(({ name, part, kind }, at) => ({
    title: name,
    hint: hints[part],
    class: `${isPrediction(part) ? "predicted" : part} ${kind}s`,
    isPinned: isPrediction(part) && at <= lastPinned,
    width: part === "predicted" ? predictionWidth : undefined,
  }));
}

/** The widths in pixels at which columns show their titles and the values of rows. */
export function measureContentWidths(
  columns: readonly ResultColumn[],
  rows: readonly ResultRow[],
): number[] {
  const longest = columns.map(({ name }) => name.length);
  // Not by columns: in a notebook of others, rows can be short.
  for (const { values } of rows) {
    for (const [index, value] of values.entries()) {
      const known = longest[index] ?? Infinity;
      // Escapes only make it longer: most need not be read.
      if (value !== null && value.length > known) {
        longest[index] = Math.max(known, parseStringLiteral(value).length);
      }
    }
  }
  return longest.map((length) =>
    Math.min(maxContentWidth, Math.max(minContentWidth, letterWidth * length + edgeWidth)),
  );
}
