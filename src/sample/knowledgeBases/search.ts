// Runs SELECT statements over knowledge bases: `content` is the search text, `relevance` the minimum relevance.
import { filter, frame, createRelation, runSelect } from "../sql/select.ts";
import { conjuncts } from "../sql/parser.ts";
import { SqlError } from "../sql/tokens.ts";
import type { Comparison, Condition, Select, Value } from "../sql/statements.ts";
import type { KnowledgeBase, Project, Relation } from "../server/state.ts";

/** Runs a SELECT over a knowledge base, with the rules of real servers for its special columns. */
export function searchInSql(kb: KnowledgeBase, statement: Select): Relation {
  const conditions = conjuncts(statement.where);
  const question = comparedTo(conditions, "content");
  const filters = conditions.filter((condition) => isFilter(condition, question !== undefined));
  const chunks = filter(readChunks(kb, question), filters);
  // Searches return ten rows by default and at most a hundred.
  const limit = question === undefined ? undefined : Math.min(100, statement.limit ?? 10);
  const rows = chunks.rows.slice(0, limit);
  const alias = statement.from?.alias ?? "";
  return runSelect(
    { ...statement, where: undefined },
    frame({ columns: chunks.columns, rows }, alias),
  );
}

/** The value that a column is compared with by `=` or `LIKE`, or undefined. */
export function comparedTo(conditions: Condition[], name: string): Value | undefined {
  const found = conditions.find(
    (condition): condition is Comparison =>
      condition.kind === "comparison" &&
      condition.column.path.at(-1) === name &&
      (condition.operator === "=" || condition.operator === "like"),
  );
  return found?.values[0];
}

/** Whether a condition filters rows. Conditions on `content` and on search options do not. */
function isFilter(condition: Condition, isSearch: boolean): boolean {
  if (condition.kind !== "comparison") return true;
  switch (condition.column.path.at(-1) ?? "") {
    case "content":
    case "reranking":
    case "hybrid_search":
    case "hybrid_search_alpha":
      return false;
    case "relevance": {
      if (condition.operator === ">" || condition.operator === ">=") return isSearch;
      const allowed = "Only the following operators are allowed: >=,>.";
      throw new SqlError(`Invalid operator for relevance: ${condition.operator}. ${allowed}`);
    }
    default:
      return true;
  }
}

/** Returns the chunks of a knowledge base as rows. With a question, the most relevant come first. */
export function readChunks(kb: KnowledgeBase, question?: Value): Relation {
  const hits =
    question === undefined
      ? kb.index.documents.map((document) => ({ document, relevance: null, distance: null }))
      : kb.index.search(String(question));
  const indexes = new Map(kb.index.documents.map((document, at) => [document, at]));
  const created = String(kb.row["created_at"]).slice(0, 19);
  const rows = hits.map(({ document, relevance, distance }) => {
    const { id, content, metadata } = document;
    const chunk = { chunk_id: `${id}:content:1of1:0to${content.length}`, chunk_content: content };
    const rest = {
      ...metadata,
      metadata: {
        ...metadata,
        _original_row_index: String(indexes.get(document)),
        _content_column: "content",
        _start_char: 0,
        _end_char: content.length,
        _original_doc_id: id,
        _chunk_index: 0,
        _source: "TextChunkingPreprocessor",
        _updated_at: created,
      },
    };
    return { id, ...chunk, relevance, distance, ...rest };
  });
  if (rows.length > 0) return createRelation(rows);
  const columns = ["id", "chunk_id", "chunk_content", "relevance", "distance", "metadata"];
  return { columns, rows: [] };
}

/** Returns the row of DESCRIBE KNOWLEDGE_BASE. */
export function describeKnowledgeBase(
  { name }: Project,
  { row }: KnowledgeBase,
): Record<string, unknown> {
  return {
    NAME: row.name,
    PROJECT: name,
    EMBEDDING_MODEL: JSON.stringify(row["embedding_model"]),
    RERANKING_MODEL: JSON.stringify(row["reranking_model"]),
    STORAGE: `${row.vector_database}.${String(row["vector_database_table"])}`,
    METADATA_COLUMNS: JSON.stringify(row["metadata_columns"]),
    CONTENT_COLUMNS: JSON.stringify(row["content_columns"]),
    ID_COLUMN: row["id_column"],
    PARAMS: JSON.stringify(row["params"]),
    INSERT_STARTED_AT: null,
    INSERT_FINISHED_AT: null,
    PROCESSED_ROWS: null,
    ERROR: null,
    QUERY_ID: null,
  };
}
