// Texts of the page with the documents of a knowledge base, in the user's language.
import * as l10n from "@vscode/l10n";

export type DocumentsTexts = ReturnType<typeof createDocumentsTexts>;

/** The page fills in `{0}`, `{1}` and `{2}`. */
export function createDocumentsTexts() {
  return {
    title: l10n.t("Documents"),
    place: l10n.t("In the knowledge base {0} in {1} on {2}"),
    search: l10n.t("Search"),
    addContent: l10n.t("Add Content…"),
    refresh: l10n.t("Refresh"),
    asking: l10n.t("Asking the server"),
    filter: l10n.t("Filter by id"),
    filterHint: l10n.t("Part of an id"),
    count: l10n.t("Documents: {0}. Chunks: {1}."),
    filtered: l10n.t("{0} of {1} documents"),
    empty: l10n.t("The knowledge base has no documents."),
    none: l10n.t("No id contains this text."),
    grid: l10n.t("Documents"),
    gridHelp: l10n.t(
      "Arrow keys move from document to document, and the document is shown below. Enter on Id or Chunks sorts, Delete deletes the document, Ctrl+C copies.",
    ),
    id: l10n.t("Id"),
    content: l10n.t("Content"),
    metadata: l10n.t("Metadata"),
    chunks: l10n.t("Chunks"),
    notRead: l10n.t("could not be read"),
    opening: l10n.t("Reading {0}…"),
    openAsText: l10n.t("Open as Text"),
    delete: l10n.t("Delete…"),
    metadataOf: l10n.t("Metadata of {0}"),
  };
}

/** The title of a chunk; `column` is its content column if there are several. */
export function formatChunkLabel(index: number, total: number, column: string | undefined): string {
  return column === undefined
    ? l10n.t("Chunk {0} of {1}", index + 1, total)
    : l10n.t("Chunk {0} of {1}, {2}", index + 1, total, column);
}

/** What the page does not show of a document; undefined if it shows everything. */
export function formatCutNote(shown: number, total: number, isCut: boolean): string | undefined {
  if (shown < total) {
    return l10n.t("The first {0} of {1} chunks. Open as Text shows more.", shown, total);
  }
  return isCut ? l10n.t("Long chunks are cut. Open as Text shows them whole.") : undefined;
}
