// The table of all fields of a knowledge base.
import { formatMessage } from "../../shared/formatMessage.ts";
import { fieldTable as responseTable } from "../../shared/page/fieldTable.ts";
import type { Field } from "../messages.ts";
import type { KnowledgeBaseTexts } from "../knowledgeBaseTexts.ts";

/** Name, value with its notes, and type; one row for each field. */
export function fieldTable(
  fields: Field[],
  project: string,
  texts: KnowledgeBaseTexts,
): HTMLElement {
  const noted = fields.map((field) => ({
    ...field,
    notes: field.notes.map((note) => formatMessage(texts.fieldNotes[note], project)),
  }));
  return responseTable(noted, texts);
}
