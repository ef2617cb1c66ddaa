// The statement that makes the first thing of an empty list: what an empty group offers.
import { quoteName } from "../mindsdb/sql.ts";
import type { EmptyNode } from "./node.ts";

/** SQL to start from; names in angle brackets are the reader's to fill in. */
export function starterStatement({ parent }: EmptyNode): string {
  if (parent.kind !== "group") return "CREATE PROJECT my_project;\n";
  const project = quoteName(parent.project);
  switch (parent.group) {
    case "knowledgeBases":
      return `CREATE KNOWLEDGE_BASE ${project}.my_knowledge_base
USING
  embedding_model = {"provider": "openai", "model_name": "text-embedding-3-small", "api_key": "<key>"},
  content_columns = ["<text column>"];

INSERT INTO ${project}.my_knowledge_base
SELECT * FROM <data_source>.<table>;
`;
    case "agents":
      return `CREATE AGENT ${project}.my_agent
USING
  model = {"provider": "openai", "model_name": "gpt-4o", "api_key": "<key>"},
  data = {"tables": ["<data_source>.<table>"], "knowledge_bases": ["${parent.project}.<knowledge_base>"]},
  prompt_template = '<what the data is about>';
`;
    case "models":
      return `CREATE MODEL ${project}.my_model
FROM <data_source> (SELECT * FROM <table>)
PREDICT <column>
USING engine = '<engine>';
`;
  }
}
