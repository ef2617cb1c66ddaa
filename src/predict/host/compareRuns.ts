import * as vscode from "vscode";
import { showInformation } from "../../shared/host/notifications.ts";
import { createTextUri } from "../../shared/host/textDocuments.ts";
import { findChanges, type PastRun } from "../result/runHistory.ts";
import { formatTraining } from "./changesSince.ts";
import { pickItem } from "../../shared/host/pickItem.ts";

/** Changed rows in the texts; more are only counted. */
const maxListedChanges = 100;

interface RunItem extends vscode.QuickPickItem {
  run: PastRun;
}

/** Asks for an earlier run, and shows how the last one differs: in its metrics, and in the predictions of rows. */
export async function compareRuns(runs: readonly PastRun[]): Promise<void> {
  const [last, ...earlier] = [...runs].reverse();
  if (!last || earlier.length === 0) {
    void showInformation(vscode.l10n.t("The cell needs two runs to compare."));
    return;
  }
  const items = earlier.map((run): RunItem => ({
    label: formatTime(run),
    description: formatModels(run),
    detail: [formatRows(run), ...formatMetrics(run)].join(" · "),
    run,
  }));
  const title = vscode.l10n.t("Compare Runs");
  const placeHolder = vscode.l10n.t("Select the run to compare with the last one");
  const chosen = await pickItem(items, { title, placeHolder });
  if (!chosen) return;
  const name = `${formatTime(chosen.run)} ↔ ${formatTime(last)}`;
  const texts = formatRuns(chosen.run, last);
  if (!isDifferent(texts)) {
    const message = vscode.l10n.t(
      "No differences between {0} and {1}.",
      formatTime(chosen.run),
      formatTime(last),
    );
    void showInformation(message);
    return;
  }
  const sides = texts.map((text) => createTextUri("run.txt", text));
  const options: vscode.TextDocumentShowOptions = { preview: true };
  await vscode.commands.executeCommand("vscode.diff", ...sides, name, options);
}

/** Whether two runs as texts differ in more than their first lines, which are their times. */
function isDifferent([before = "", after = ""]: readonly string[]): boolean {
  const withoutTime = (text: string): string => text.slice(text.indexOf("\n"));
  return withoutTime(before) !== withoutTime(after);
}

/** Two runs as texts: what they were made from, their metrics, and the rows with the largest changes. */
function formatRuns(before: PastRun, after: PastRun): string[] {
  const changes = findChanges(before.predictions, after.predictions);
  const rows = Math.min(before.predictions.length, after.predictions.length);
  const changed = vscode.l10n.t(
    "Changed rows: {0} of the first {1}",
    formatNumber(changes.length),
    formatNumber(rows),
  );
  const listed = changes.slice(0, maxListedChanges);
  const largest =
    listed.length < changes.length
      ? [vscode.l10n.t("The {0} largest changes:", formatNumber(listed.length))]
      : [];
  const format = (run: PastRun, side: "before" | "after"): string =>
    [
      formatTime(run),
      formatModels(run),
      formatRows(run),
      ...formatMetrics(run),
      "",
      changed,
      ...largest,
      // The prediction has a line of its own: VS Code compares many lines fast if every other one is the same.
      ...listed.flatMap((change) => [
        vscode.l10n.t("Row {0}", formatNumber(change.row)),
        `  ${change[side].replace(/\s+/g, " ")}`,
      ]),
      "",
    ].join("\n");
  return [format(before, "before"), format(after, "after")];
}

function formatTime({ origin }: PastRun): string {
  const options = { dateStyle: "medium", timeStyle: "medium" } as const;
  return new Date(origin.startedAt).toLocaleString(vscode.env.language, options);
}

function formatModels({ origin: { model, training, comparedWith } }: PastRun): string {
  return [...(model ? [{ model, training }] : []), ...(comparedWith ? [comparedWith] : [])]
    .map(formatTraining)
    .join(", ");
}

function formatRows({ outcome }: PastRun): string {
  const { count } = outcome;
  const rows =
    count === 1 ? vscode.l10n.t("1 row") : vscode.l10n.t("{0} rows", formatNumber(count));
  if (outcome.refused === 0) return rows;
  return `${rows} · ${vscode.l10n.t("{0} refused", formatNumber(outcome.refused))}`;
}

/** A line for each metric of each model. */
function formatMetrics({ outcome: { metrics, comparedMetrics } }: PastRun): string[] {
  const models = comparedMetrics ?? (metrics ? [{ model: "", metrics }] : []);
  return models.flatMap(({ model, metrics: measured }) => {
    const values =
      measured.kind === "classes"
        ? { [vscode.l10n.t("Accuracy")]: measured.accuracy }
        : { MAE: measured.mae, RMSE: measured.rmse, "r²": measured.r2 };
    return Object.entries(values).map(([name, value]) => {
      const text = value?.toLocaleString(vscode.env.language, { maximumSignificantDigits: 6 });
      return [...(model ? [`${model}:`] : []), name, text ?? "–"].join(" ");
    });
  });
}

function formatNumber(value: number): string {
  return value.toLocaleString(vscode.env.language);
}
