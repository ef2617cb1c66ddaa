// A version of a model as text, so that two of them can be compared in a diff editor: one fact a line, always in the same
// order.
import * as l10n from "@vscode/l10n";
import type { Column, Figure, ModelDescription } from "./modelPage.ts";

export function formatVersion(description: ModelDescription): string {
  const { status, target, engine, createdAt, trainingTime, updateStatus, serverVersion } =
    description;
  const { accuracies, importances, inputs, outputs, stages, query, options, error } = description;
  const facts: [string, string | undefined][] = [
    [l10n.t("Status"), status],
    [l10n.t("Predicts"), target],
    [l10n.t("Engine"), engine],
    [l10n.t("Created"), createdAt],
    [
      l10n.t("Training time"),
      trainingTime === undefined ? undefined : l10n.t("{0} s", trainingTime),
    ],
    [l10n.t("Update"), updateStatus],
    [l10n.t("Trained with MindsDB"), serverVersion],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  const parts: [string, string[]][] = [
    [l10n.t("Accuracy"), accuracies.map(formatAccuracy)],
    [l10n.t("Column importance"), importances.map(formatFigure).sort()],
    [l10n.t("Inputs"), inputs.map(formatColumn)],
    [l10n.t("Outputs"), outputs.map(formatColumn)],
    [l10n.t("Stages"), stages],
    [l10n.t("Training query"), query?.split("\n") ?? []],
    [l10n.t("Training options"), options === undefined ? [] : [options]],
    [l10n.t("Training failed"), error === undefined ? [] : [error.sentence]],
  ];
  for (const [title, texts] of parts) {
    if (texts.length > 0) lines.push("", title, ...texts.map((text) => `  ${text}`));
  }
  return `${lines.join("\n")}\n`;
}

function formatAccuracy({ name, value }: Figure): string {
  return name === "" ? String(value) : `${name}: ${value}`;
}

function formatFigure({ name, value }: Figure): string {
  return `${name}: ${value}`;
}

function formatColumn({ name, type, encoder }: Column): string {
  const kinds = [type, encoder].filter((text) => text !== undefined);
  return kinds.length > 0 ? `${name} (${kinds.join(", ")})` : name;
}
