import * as l10n from "@vscode/l10n";

export type WhatIfTexts = ReturnType<typeof createWhatIfTexts>;

/** Returns the page's texts, in the user's language. `{0}`, `{1}` and `{2}` are filled in by the page. */
export function createWhatIfTexts() {
  return {
    title: l10n.t("What If"),
    place: "{0} · {1} · {2}",
    predicting: l10n.t("Predicting"),
    own: l10n.t("With the row's own values: {0}"),
    ownDifference: l10n.t("With the row's own values: {0} ({1})"),
    confidence: l10n.t("Confidence {0}"),
    interval: l10n.t("{0} to {1}"),
    inputs: l10n.t("Inputs"),
    was: l10n.t("was {0}"),
    empty: l10n.t("no value"),
    reset: l10n.t("Reset"),
    resetInput: l10n.t("Reset {0}"),
    resetAll: l10n.t("Reset All"),
    vary: l10n.t("Vary…"),
    varyInput: l10n.t("Vary {0}…"),
    varied: l10n.t("Vary {0}"),
    from: l10n.t("From"),
    to: l10n.t("To"),
    steps: l10n.t("Values"),
    values: l10n.t("Values"),
    valuesHelp: l10n.t("One value per line."),
    draw: l10n.t("Draw"),
    wrongRange: l10n.t("Enter two different numbers, and at least two values between them."),
    curve: l10n.t("{0} by {1}"),
    table: l10n.t("Show as table"),
  };
}
