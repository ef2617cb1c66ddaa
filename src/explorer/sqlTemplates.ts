// SQL that creates the first item of an empty list, or a job.
import { createJobStatement } from "../mindsdb/jobs.ts";
import { quoteName } from "../mindsdb/sql/runSql.ts";
import type { GroupKind } from "./node.ts";
import type { Job } from "../mindsdb/listItems.ts";

/** An empty list, or a job or statement that is wanted. */
export interface EmptyList {
  connectionId: string;
  /** Absent for the list of a connection's projects. */
  inProject?: { project: string; group: GroupKind } | undefined;
  job?: Job;
  statement?: { name: string; sql: string };
}

interface SqlTemplate {
  /** Name of the created item; also the name of the notebook. */
  name: string;
  /** One for each request, because servers reject several at once. Users replace the names in angle brackets. */
  statements: string[];
}

export function sqlTemplateFor({ inProject, job, statement }: EmptyList): SqlTemplate {
  if (statement) return { name: statement.name, statements: [statement.sql] };
  if (!inProject) {
    return { name: "my_project", statements: ["CREATE PROJECT my_project"] };
  }
  const project = quoteName(inProject.project);
  switch (inProject.group) {
    case "knowledgeBases":
      return {
        name: "my_knowledge_base",
        statements: [
          `CREATE KNOWLEDGE_BASE ${project}.my_knowledge_base
USING
  embedding_model = {"provider": "openai", "model_name": "text-embedding-3-small", "api_key": "<key>"},
  content_columns = ["<text column>"]`,
          `INSERT INTO ${project}.my_knowledge_base
SELECT * FROM <data_source>.<table>`,
        ],
      };
    case "agents":
      return {
        name: "my_agent",
        statements: [
          `CREATE AGENT ${project}.my_agent
USING
  model = {"provider": "openai", "model_name": "gpt-4o", "api_key": "<key>"},
  data = {"tables": ["<data_source>.<table>"], "knowledge_bases": ["${isPlainText(inProject.project) ? inProject.project : "<project>"}.<knowledge_base>"]},
  prompt_template = '<what the data is about>'`,
        ],
      };
    case "models":
      return {
        name: "my_model",
        statements: [
          `CREATE MODEL ${project}.my_model
FROM <data_source> (SELECT * FROM <table>)
PREDICT <column>
USING engine = '<engine>'`,
        ],
      };
    case "views":
      return {
        name: "my_view",
        statements: [`CREATE VIEW ${project}.my_view AS (\nSELECT * FROM <data_source>.<table>\n)`],
      };
    case "jobs": {
      const shown = job ?? { name: "my_job", query: "<statement>", schedule: "every 1 day" };
      return { name: shown.name, statements: [createJobStatement(inProject.project, shown)] };
    }
    case "triggers":
      return {
        name: "my_trigger",
        statements: [
          `CREATE TRIGGER ${project}.my_trigger ON <data_source>.<table> (\nSELECT * FROM TABLE_DELTA\n)`,
        ],
      };
  }
}

/** Whether a name is itself between double quotes: the parser has no escapes there. */
function isPlainText(name: string): boolean {
  return !/["'\\\p{Cc}]/u.test(name);
}
