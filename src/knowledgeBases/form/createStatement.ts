import { isObject, omitUndefined, type JsonObject } from "../../mindsdb/json.ts";
import type { KnowledgeBaseFields } from "../../mindsdb/knowledgeBaseFields.ts";
import { splitEntry } from "../../mindsdb/dataPatterns.ts";
import { quoteName } from "../../mindsdb/sql/runSql.ts";
import { textsIn } from "../../shared/responseFields.ts";
import { formatUsing } from "../../shared/usingClause.ts";
import { readStorage } from "./knowledgeBaseDraft.ts";

/**
 * Returns a CREATE KNOWLEDGE_BASE statement with placeholders for keys; undefined if SQL cannot express one of the values.
 * The parser takes statements without USING (seen on 26.1.0 and 25.14.1).
 */
export function createKnowledgeBaseStatement(
  project: string,
  name: string,
  fields: KnowledgeBaseFields,
): string | undefined {
  const { storage, ...others } = fields;
  const names = [project, name, ...(storage ? [storage.database, storage.table] : [])];
  if (names.some((one) => one.includes("`"))) return undefined;
  const head = `CREATE KNOWLEDGE_BASE ${quoteName(project)}.${quoteName(name)}`;
  const given = Object.entries(others).filter(([, value]) => value !== undefined && value !== null);
  const using = formatUsing(given);
  if (using === undefined) return undefined;
  const store = storage && `storage = ${quoteName(storage.database)}.${quoteName(storage.table)}`;
  if (given.length === 0) return store ? `${head}\nUSING\n  ${store};\n` : `${head};\n`;
  return `${head}\n${using}${store ? `,\n  ${store}` : ""};\n`;
}

/** Returns the request's fields for a knowledge base as a server answers, with its keys masked. */
export function readCreateFields(row: JsonObject): KnowledgeBaseFields {
  const { embedding_model: embedding, reranking_model: reranking, id_column: id } = row;
  const storage = readStorage(row);
  const [database = "", table = ""] = splitEntry(storage);
  const content = textsIn(row["content_columns"]);
  const metadata = textsIn(row["metadata_columns"]);
  return omitUndefined({
    embedding_model: isModel(embedding) ? embedding : undefined,
    reranking_model: reranking === false || isModel(reranking) ? reranking : undefined,
    content_columns: content.length > 0 ? content : undefined,
    metadata_columns: metadata.length > 0 ? metadata : undefined,
    id_column: typeof id === "string" && id !== "" ? id : undefined,
    storage: storage === "" ? undefined : { database, table },
  });
}

function isModel(value: unknown): value is JsonObject {
  return isObject(value) && Object.keys(value).length > 0;
}
