// Texts of the page that adds content, in the user's language.
import * as l10n from "@vscode/l10n";

export type FillTexts = ReturnType<typeof createFillTexts>;

/** The page fills in `{0}`, `{1}` and `{2}`. */
export function createFillTexts() {
  return {
    title: l10n.t("Add Content"),
    place: l10n.t("To the knowledge base {0} in {1} on {2}"),
    source: l10n.t("Source"),
    chooseSource: l10n.t("Choose Another Source…"),
    reading: l10n.t("Reading the source…"),
    counting: l10n.t("Counting documents…"),
    columns: l10n.t("Columns"),
    column: l10n.t("Column"),
    firstValue: l10n.t("First value"),
    becomes: l10n.t("Becomes"),
    becomesLabel: l10n.t("What {0} becomes"),
    preview: l10n.t("First documents"),
    id: l10n.t("Id"),
    content: l10n.t("Content"),
    metadata: l10n.t("Metadata"),
    noPreview: l10n.t("None of the first rows becomes a document."),
    existing: l10n.t("Documents whose id is already there"),
    skip: l10n.t("Skip: keep what is stored"),
    replace: l10n.t("Replace: delete what is stored and add it again"),
    start: l10n.t("Add Content"),
    cancel: l10n.t("Cancel"),
    canceling: l10n.t("Canceling after this batch…"),
    showMissing: l10n.t("Show All Missing Ids"),
    showKnowledgeBase: l10n.t("Show Knowledge Base"),
    missing: l10n.t("Missing"),
    problem: l10n.t("Problem"),
  };
}
