import { formatMessage } from "../../../shared/formatMessage.ts";
import type { FormTexts } from "../../formTexts.ts";
import type { ListField } from "../../validation.ts";

/** Returns how many items an entry matches: "7 tables". */
export function formatMatchCount(
  field: ListField,
  count: number | null | undefined,
  texts: FormTexts,
  locale: string,
): string {
  if (count === undefined) return "";
  if (count === null) return texts.notCounted;
  const isTables = field === "tables";
  if (count === 1) return isTables ? texts.oneTable : texts.oneKnowledgeBase;
  const several = isTables ? texts.severalTables : texts.severalKnowledgeBases;
  return formatMessage(several, new Intl.NumberFormat(locale).format(count));
}
