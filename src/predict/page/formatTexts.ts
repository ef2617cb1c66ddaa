import { formatMessage } from "../../shared/formatMessage.ts";
import { columnHeader, element } from "../../shared/page/dom.ts";
import type { Metrics, RunProgress } from "../messages.ts";
import type { ResultTexts } from "../result/resultTexts.ts";

/** "3,000 of 10,000 rows · 420 rows/s · 17 s left" */
export function formatProgress(progress: RunProgress, texts: ResultTexts, locale: string): string {
  const { state, count, refused, expected, rowsPerSecond, hasNoTable } = progress;
  const number = (value: number): string => value.toLocaleString(locale);
  const isRunning = ["running", "waiting", "paused"].includes(state.kind);
  const parts: string[] = state.kind === "stopped" ? [texts.stopped] : [];
  const left = expected === undefined ? 0 : expected.rows - count;
  if (isRunning && expected && left > 0) {
    const text = expected.isGuess ? texts.foundAbout : texts.found;
    parts.push(formatMessage(text, number(count), number(expected.rows)));
  } else if (count > 0) {
    parts.push(formatRowCount(count, texts, locale));
  } else if (isRunning) {
    parts.push((state.kind === "running" && state.activity) || texts.running);
  } else if (state.kind === "done") {
    parts.push(hasNoTable ? texts.done : formatMessage(texts.rows, number(0)));
  }
  if (refused > 0) parts.push(formatMessage(texts.refusedRows, number(refused)));
  if (state.kind === "running" && rowsPerSecond !== undefined && rowsPerSecond > 0) {
    if (rowsPerSecond >= 1) {
      parts.push(formatMessage(texts.perSecond, number(Math.round(rowsPerSecond))));
    }
    if (left > 0) parts.push(formatMessage(texts.timeLeft, formatDuration(left / rowsPerSecond)));
  }
  return parts.join(" · ");
}

function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return `${Math.ceil(seconds / 60)} min`;
}

/** "12 rows" */
export function formatRowCount(count: number, texts: ResultTexts, locale: string): string {
  return count === 1 ? texts.row : formatMessage(texts.rows, count.toLocaleString(locale));
}

/** "Compared with actual values (1,000 rows): MAE 12.5, RMSE 16.1, r² 0.93" */
export function formatMetrics(metrics: Metrics, texts: ResultTexts, locale: string): string {
  const number = (value: number): string =>
    value.toLocaleString(locale, { maximumSignificantDigits: 4 });
  const count = formatRowCount(metrics.count, texts, locale);
  if (metrics.kind === "classes") {
    return formatMessage(texts.classesMetrics, count, number(metrics.accuracy));
  }
  const { mae, rmse, r2 } = metrics;
  return formatMessage(
    texts.numbersMetrics,
    count,
    number(mae),
    number(rmse),
    r2 === null ? "–" : number(r2),
  );
}

/** A table with a row for each actual class and a column for each predicted one. */
export function createConfusionTable(
  { classes, confusion }: Extract<Metrics, { kind: "classes" }>,
  locale: string,
): HTMLTableElement {
  const head = element("tr", {}, element("td"), ...classes.map(columnHeader));
  const rows = confusion.map((counts, index) => {
    const name = element("th", { text: classes[index] ?? "" });
    name.scope = "row";
    const cells = counts.map((count) => element("td", { text: count.toLocaleString(locale) }));
    return element("tr", {}, name, ...cells);
  });
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
}
