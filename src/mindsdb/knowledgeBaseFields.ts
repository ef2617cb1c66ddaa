// The fields of a request about a knowledge base. Also used by pages.

/** Absent fields: the server's default in a creation, the value as it is in a change. */
export interface KnowledgeBaseFields {
  /** `provider`, `model_name`, `api_key`, `base_url`. A change is merged; the first two cannot be changed. */
  embedding_model?: Record<string, unknown>;
  /** False: none, not even the server's default. */
  reranking_model?: Record<string, unknown> | false;
  /** Only in a creation. */
  storage?: { database: string; table: string };
  /** Null in a change: none are set. */
  content_columns?: string[] | null;
  metadata_columns?: string[] | null;
  id_column?: string | null;
}
