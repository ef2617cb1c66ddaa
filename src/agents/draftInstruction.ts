/** `columns` is empty if the columns could not be read. */
interface DescribedTable {
  /** As SQL names it: `files.home_rentals`. */
  name: string;
  columns: readonly string[];
}

interface DescribedKnowledgeBase {
  name: string;
  contentColumns: readonly string[];
  metadataColumns: readonly string[];
}

export interface DescribedData {
  tables: readonly DescribedTable[];
  knowledgeBases: readonly DescribedKnowledgeBase[];
  /** How many more are connected but not described. */
  others: number;
}

/**
 * Returns an instruction that describes the connected data to the model, for the user to complete. In English, like the
 * servers' own prompts.
 */
export function draftInstruction({ tables, knowledgeBases, others }: DescribedData): string {
  const sections = [
    "You answer questions from the data below. Base every answer on this data. If it doesn't contain the answer, say so.",
    list(
      "Tables, to be queried with SQL:",
      tables.map(({ name, columns }) =>
        columns.length > 0 ? `${name}: ${columns.join(", ")}` : name,
      ),
    ),
    list("Knowledge bases, to be searched by meaning:", knowledgeBases.map(describeKnowledgeBase)),
    others > 0 ? `There are ${String(others)} more, which are not described here.` : "",
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

function describeKnowledgeBase(kb: DescribedKnowledgeBase): string {
  const parts = [
    kb.contentColumns.length > 0 ? `texts from ${kb.contentColumns.join(", ")}` : "texts",
    ...(kb.metadataColumns.length > 0
      ? [`can be filtered by ${kb.metadataColumns.join(", ")}`]
      : []),
  ];
  return `${kb.name}: ${parts.join("; ")}`;
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? "" : [title, ...items.map((item) => `- ${item}`)].join("\n");
}
