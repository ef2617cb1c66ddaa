// A knowledge base as SQL sees it: `content` is what is searched for, `relevance` how near it must be.
import { pythonJson } from "./replies.ts";
import { filter, frame, relationOf, runSelect, without } from "./select.ts";
import { conjuncts, SqlError } from "./sql.ts";
import type { Comparison, Condition, Select, Value } from "./sql.ts";
import type { Dialect, KnowledgeBase, Project, Relation } from "./state.ts";

/** Runs a SELECT over a knowledge base, with the rules real servers have for its own columns. */
export function searchInSql(dialect: Dialect, kb: KnowledgeBase, statement: Select): Relation {
  const conditions = conjuncts(statement.where);
  const question = comparedTo(conditions, "content");
  const filters = conditions.filter((condition) => isFilter(condition, question !== undefined));
  const chunks = filter(chunksOf(dialect, kb, question), filters);
  // A search without LIMIT gives ten rows, and never more than a hundred.
  const limit = question === undefined ? undefined : Math.min(100, statement.limit ?? 10);
  const rows = chunks.rows.slice(0, limit);
  const alias = statement.from?.alias ?? "";
  return runSelect(without(statement, "where"), frame({ columns: chunks.columns, rows }, alias));
}

/** The value that a column is compared with by `=` or `LIKE` in every case. */
export function comparedTo(conditions: Condition[], name: string): Value | undefined {
  const found = conditions.find(
    (condition): condition is Comparison =>
      condition.kind === "comparison" &&
      condition.column.path.at(-1) === name &&
      (condition.operator === "=" || condition.operator === "like"),
  );
  return found?.values[0];
}

/** Whether a condition filters rows; those on `content` and on how to search do not. */
function isFilter(condition: Condition, isSearch: boolean): boolean {
  if (condition.kind !== "comparison") return true;
  switch (condition.column.path.at(-1) ?? "") {
    case "content":
    case "reranking":
    case "hybrid_search_alpha":
      return false;
    case "hybrid_search": {
      if (condition.values[0] !== true) return false;
      // What real servers say without a connection to the internet.
      const failed =
        "An error occurred while trying to automatically install the required extension 'fts'";
      throw new SqlError(failed);
    }
    case "relevance": {
      if (condition.operator === ">" || condition.operator === ">=") return isSearch;
      const allowed = "Only the following operators are allowed: >=,>.";
      throw new SqlError(`Invalid operator for relevance: ${condition.operator}. ${allowed}`);
    }
    default:
      return true;
  }
}

/** The chunks of a knowledge base as rows; with a question the most relevant first. */
function chunksOf(dialect: Dialect, kb: KnowledgeBase, question: Value | undefined): Relation {
  const hits =
    question === undefined
      ? kb.index.documents.map((document) => ({ document, relevance: null, distance: null }))
      : kb.index.search(String(question));
  const created = String(kb.row["created_at"]).slice(0, 19);
  const rows = hits.map(({ document, relevance, distance }) => {
    const { id, content, metadata } = document;
    const chunk = { chunk_id: `${id}:content:1of1:0to${content.length}`, chunk_content: content };
    const rest = {
      ...metadata,
      metadata: {
        ...metadata,
        _original_row_index: String(kb.index.documents.indexOf(document)),
        _content_column: "content",
        _start_char: 0,
        _end_char: content.length,
        _original_doc_id: id,
        _chunk_index: 0,
        _source: "TextChunkingPreprocessor",
        _updated_at: created,
      },
    };
    // The order of columns is another one for a search, and another one in 25 than in 26.
    if (question === undefined) return { id, ...chunk, relevance, distance, ...rest };
    if (dialect === "25") return { id, ...chunk, distance, relevance, ...rest };
    return { id, distance, ...chunk, relevance, ...rest };
  });
  return relationOf(rows);
}

/** The row that DESCRIBE KNOWLEDGE_BASE gives. */
export function describeKnowledgeBase(
  { name }: Project,
  { row }: KnowledgeBase,
): Record<string, unknown> {
  return {
    NAME: row.name,
    PROJECT: name,
    EMBEDDING_MODEL: pythonJson(row["embedding_model"]),
    RERANKING_MODEL: pythonJson(row["reranking_model"]),
    STORAGE: `${row.vector_database}.${String(row["vector_database_table"])}`,
    METADATA_COLUMNS: pythonJson(row["metadata_columns"]),
    CONTENT_COLUMNS: pythonJson(row["content_columns"]),
    ID_COLUMN: row["id_column"],
    PARAMS: pythonJson(row["params"]),
    INSERT_STARTED_AT: null,
    INSERT_FINISHED_AT: null,
    PROCESSED_ROWS: null,
    ERROR: null,
    QUERY_ID: null,
  };
}
