// The fields of a request about an agent. Also used by pages, which show the request.

/** The fields of a request that creates or changes an agent. In a change, absent fields keep their value. */
export interface AgentFields {
  name?: string;
  /** The language model: `provider`, `model_name`, `api_key`, `base_url`, … Replaced as a whole. */
  model?: Record<string, unknown>;
  /** Replaced as a whole. */
  data?: { tables?: string[]; knowledge_bases?: string[] };
  prompt_template?: string;
  /**
   * Everything else, like `mode`. In a change a null clears: real servers ignore a field that is empty, but drop one that
   * is null here (seen on 26.1.0 and 25.14.1).
   */
  params?: Record<string, unknown>;
}
