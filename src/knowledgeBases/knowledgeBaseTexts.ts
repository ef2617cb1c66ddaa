import * as l10n from "@vscode/l10n";
import { createFieldTableTexts } from "../shared/responseFields.ts";

export type KnowledgeBaseTexts = ReturnType<typeof createKnowledgeBaseTexts>;

/** The page fills in `{0}`, `{1}` and `{2}`. */
export function createKnowledgeBaseTexts() {
  return {
    place: l10n.t("Knowledge base in {0} on {1}"),
    refresh: l10n.t("Refresh"),
    addContent: l10n.t("Add Content…"),
    browseDocuments: l10n.t("Browse Documents"),
    asking: l10n.t("Asking the server"),

    content: l10n.t("Stored"),
    contentHint: l10n.t("Each document is stored as one or more chunks of its text."),
    chunksInDocuments: l10n.t("{0} in {1}"),
    oneChunk: l10n.t("1 chunk"),
    chunks: l10n.t("{0} chunks"),
    oneDocument: l10n.t("1 document"),
    documents: l10n.t("{0} documents"),
    notCounted: l10n.t("not counted: {0}"),
    embeddingModel: l10n.t("Embedding model"),
    contentColumns: l10n.t("Content columns"),
    metadataColumns: l10n.t("Metadata columns"),
    none: l10n.t("none"),

    search: l10n.t("Search"),
    question: l10n.t("Question"),
    questionPlaceholder: l10n.t("What are you looking for?"),
    searchNow: l10n.t("Search"),
    cancel: l10n.t("Cancel"),
    limit: l10n.t("Limit"),
    relevance: l10n.t("Minimum relevance"),
    limitHint: l10n.t("10 when empty. A search finds at most 100 chunks."),
    relevanceAny: l10n.t("any"),
    relevanceHint: l10n.t(
      "No minimum when empty, because each embedding model scores differently. Relevance is 1 / (1 + distance): 1 is the same meaning, and text that has nothing to do with the question still scores about 0.5.",
    ),
    limitWrong: l10n.t("A search finds 1 to 100 chunks."),
    relevanceWrong: l10n.t("Relevance is between 0 and 1."),
    filters: l10n.t("Filters"),
    addFilter: l10n.t("Add Filter"),
    removeFilter: l10n.t("Remove Filter"),
    filterColumn: l10n.t("Column"),
    filterOperator: l10n.t("Comparison"),
    filterValue: l10n.t("Value"),
    filterHint: l10n.t(
      'Values that look like numbers are compared as numbers. Put text in double quotes: "42".',
    ),
    numberWanted: l10n.t("{0} holds numbers. Enter a number, like 42 or 2.5."),
    readingValues: l10n.t("Reading the stored values…"),
    valuesNotRead: l10n.t("The stored values could not be read."),
    noValues: l10n.t("No chunk has a value here."),
    noFilters: l10n.t("This knowledge base has no metadata columns to filter by."),
    operators: {
      "=": l10n.t("is"),
      "!=": l10n.t("is not"),
      ">": l10n.t("is over"),
      ">=": l10n.t("is at least"),
      "<": l10n.t("is under"),
      "<=": l10n.t("is at most"),
      contains: l10n.t("contains"),
    },
    searching: l10n.t("Searching"),
    copyStatement: l10n.t("Copy SQL Request"),
    copyRequest: l10n.t("Copy as JSON"),
    askAgent: l10n.t("Ask an Agent About This…"),

    foundNone: l10n.t("Nothing found"),
    foundNoneHint: l10n.t("Try a lower relevance or fewer filters."),
    foundNoneAtAllHint: l10n.t("Try other words, or add content to the knowledge base."),
    forQuestion: l10n.t("{0} for “{1}”"),
    resultNotes: {
      filteredHere: l10n.t(
        "This server cannot apply all of the filters. They were applied to the first 100 chunks that it found.",
      ),
    },
    withConditions: l10n.t("{0}, {1}"),
    compare: l10n.t("Compare with Another Search"),
    compareHint: l10n.t(
      "Change the question, the limit, the minimum relevance or the filters and search again: the result is shown beside this one.",
    ),
    endComparison: l10n.t("End Comparison"),
    onlyHere: l10n.t("Only here"),
    movedTo: l10n.t("#{0} in the other search"),
    chunkRelevance: l10n.t("relevance {0}"),
    chunkDistance: l10n.t("distance {0}"),
    chunkId: l10n.t("id {0}"),
    copyChunk: l10n.t("Copy Chunk"),
    notes: l10n.t("Server metadata"),
    emptyContent: l10n.t("The chunk is empty."),
    cut: l10n.t("Truncated ({0} characters in total)."),

    ...createFieldTableTexts(),
    fieldNotes: {
      projectNameMissing: l10n.t("Servers send this field only in lists. The project is {0}."),
      noReranking: l10n.t("No model reranks the results. They are sorted by distance."),
      rerankingOff: l10n.t("Reranking is turned off. Results are sorted by distance."),
      noQuery: l10n.t("No query on the server is linked to it."),
      noMetadataColumns: l10n.t("None are set, so searches cannot be filtered."),
      noContentColumns: l10n.t("None are set, so the server uses the column content."),
      noIdColumn: l10n.t("Not set, so the server generates the ids."),
      noCreatedEmbeddingModel: l10n.t("Only some older servers create a separate embedding model."),
      keyMasked: l10n.t("Servers do not return the key."),
      missing: l10n.t("This server does not send the field."),
    },
  };
}
