import * as l10n from "@vscode/l10n";
import type { Metrics, RunProgress } from "../messages.ts";
import { formatNumber } from "../../shared/page/l10n.ts";

/** "3,000 of 10,000 rows · 420 rows/s · 17 s left" */
export function formatProgress(progress: RunProgress): string {
  const { state, count, refused, expected, rowsPerSecond, hasNoTable, changedRows } = progress;
  const isRunning = ["running", "waiting", "paused"].includes(state.kind);
  const parts: string[] = state.kind === "stopped" ? [l10n.t("Stopped")] : [];
  const left = expected === undefined ? 0 : expected.rows - count;
  if (isRunning && expected && left > 0) {
    const [found, all] = [formatNumber(count), formatNumber(expected.rows)];
    parts.push(
      expected.isGuess
        ? l10n.t("{0} of about {1} rows", found, all)
        : l10n.t("{0} of {1} rows", found, all),
    );
  } else if (count > 0) {
    parts.push(formatRowCount(count));
  } else if (isRunning) {
    parts.push((state.kind === "running" && state.activity) || l10n.t("Predicting"));
  } else if (state.kind === "done") {
    parts.push(hasNoTable ? formatDone(changedRows) : formatRowCount(0));
  }
  if (refused > 0) parts.push(l10n.t("{0} refused", formatNumber(refused)));
  if (state.kind === "running" && rowsPerSecond !== undefined && rowsPerSecond > 0) {
    if (rowsPerSecond >= 1) {
      parts.push(l10n.t("{0} rows/s", formatNumber(Math.round(rowsPerSecond))));
    }
    if (left > 0) parts.push(l10n.t("{0} left", formatDuration(left / rowsPerSecond)));
  }
  return parts.join(" · ");
}

/** Of a statement without a table. */
function formatDone(changedRows: number | undefined): string {
  if (changedRows === undefined) return l10n.t("Done");
  return changedRows === 1
    ? l10n.t("1 row changed")
    : l10n.t("{0} rows changed", formatNumber(changedRows));
}

/** The time that a statement took: "0.12 s", "12.3 s", "2 min 5 s" */
export function formatTime(seconds: number): string {
  if (seconds < 59.95) {
    const digits = { maximumFractionDigits: seconds < 10 ? 2 : 1 };
    return `${formatNumber(Math.max(0.01, seconds), digits)} s`;
  }
  const whole = Math.round(seconds);
  return `${formatNumber(Math.floor(whole / 60))} min ${whole % 60} s`;
}

function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return `${Math.ceil(seconds / 60)} min`;
}

/** "12 rows" */
export function formatRowCount(count: number): string {
  return count === 1 ? l10n.t("1 row") : l10n.t("{0} rows", formatNumber(count));
}

/** "Compared with actual values (1,000 rows): MAE 12.5, RMSE 16.1, r² 0.93" */
export function formatMetrics(metrics: Metrics): string {
  const number = (value: number): string => formatNumber(value, { maximumSignificantDigits: 4 });
  const count = formatRowCount(metrics.count);
  if (metrics.kind === "classes") {
    return l10n.t(
      "Compared with actual values ({0}): accuracy {1}",
      count,
      number(metrics.accuracy),
    );
  }
  const { mae, rmse, r2 } = metrics;
  return l10n.t(
    "Compared with actual values ({0}): MAE {1}, RMSE {2}, r² {3}",
    count,
    number(mae),
    number(rmse),
    r2 === null ? "–" : number(r2),
  );
}
