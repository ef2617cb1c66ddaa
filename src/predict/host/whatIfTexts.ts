import * as vscode from "vscode";
import type { WhatIfTexts } from "../whatIf/messages.ts";

export function createWhatIfTexts(): WhatIfTexts {
  return {
    title: vscode.l10n.t("What If…"),
    place: "{0} · {1} · {2}",
    predicting: vscode.l10n.t("Predicting"),
    own: vscode.l10n.t("Row's own values: {0}"),
    ownDifference: vscode.l10n.t("Row's own values: {0} ({1})"),
    confidence: vscode.l10n.t("Confidence {0}"),
    interval: vscode.l10n.t("{0} to {1}"),
    inputs: vscode.l10n.t("Inputs"),
    was: vscode.l10n.t("was {0}"),
    empty: vscode.l10n.t("no value"),
    reset: vscode.l10n.t("Reset"),
    resetInput: vscode.l10n.t("Reset {0}"),
    resetAll: vscode.l10n.t("Reset All"),
    vary: vscode.l10n.t("Vary…"),
    varyInput: vscode.l10n.t("Vary {0}…"),
    varied: vscode.l10n.t("Vary {0}"),
    from: vscode.l10n.t("From"),
    to: vscode.l10n.t("To"),
    steps: vscode.l10n.t("Values"),
    values: vscode.l10n.t("Values"),
    valuesHelp: vscode.l10n.t("One value on each line."),
    draw: vscode.l10n.t("Draw"),
    wrongRange: vscode.l10n.t("Enter two different numbers, and at least two values between them."),
    curve: vscode.l10n.t("{0} by {1}"),
    table: vscode.l10n.t("Show as table"),
  };
}
