import * as l10n from "@vscode/l10n";
import { formatNumber } from "../../shared/page/l10n.ts";
import { BreakableName } from "../../shared/page/parts.tsx";
import type { Figure } from "../modelPage.ts";

/** Longer names may break at `_`, in characters. */
const maxUnbrokenName = 40;

/** A bar for each importance, relative to the highest. */
export function ImportanceTable({ importances }: { importances: Figure[] }) {
  // Not as arguments of one call: a server may send more than those can be.
  const heaviest = importances.reduce((high, { value }) => Math.max(high, value), Number.MIN_VALUE);
  const digits = countDecimals(importances.map(({ value }) => value));
  return (
    <table class="importances" aria-label={l10n.t("Column importance")}>
      <thead>
        <tr class="visually-hidden">
          <th scope="col">{l10n.t("Column")}</th>
          <th scope="col">{l10n.t("Importance")}</th>
          {/* Hidden from screen readers: the figure has the same information. */}
          <td />
        </tr>
      </thead>
      <tbody>
        {importances.map(({ name, value }, at) => (
          <tr key={at}>
            <th scope="row">
              {name.length > maxUnbrokenName ? <BreakableName name={name} /> : name}
            </th>
            <td class="figure" title={String(value)}>
              {formatNumber(value, {
                minimumFractionDigits: digits,
                maximumFractionDigits: digits,
              })}
            </td>
            <td class="track" aria-hidden="true">
              <div
                class="importance-bar"
                style={{ width: `${String(Math.max(0, (value / heaviest) * 100))}%` }}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** As many decimals as the longest value has, at most four. */
function countDecimals(values: number[]): number {
  const decimals = values.map((value) => (String(value).split(".")[1] ?? "").length);
  return decimals.reduce((most, count) => Math.min(4, Math.max(most, count)), 0);
}
