// Masks the secrets in the texts of a server's lists, which may have any length.
import { cutOff } from "../cutText.ts";
import { EventLoopYielder } from "../yieldToEventLoop.ts";
import type { Secrets } from "./redact.ts";

/** Characters of one text: more than any statement, error or instruction, and redacted in a moment. */
const maxText = 100_000;

/** A text of a listed item, at most its first 100,000 characters, without secrets. */
export function redactListed(text: string, secrets: Secrets): string {
  return secrets.redact(cutOff(text, maxText));
}

/** Reads the rows of a list, and lets other tasks run meanwhile: many megabytes of texts take seconds to redact. */
export async function readInSlices<Row, Item>(
  rows: readonly Row[],
  read: (row: Row) => Item,
): Promise<Item[]> {
  const yielder = new EventLoopYielder();
  const items: Item[] = [];
  for (const row of rows) {
    items.push(read(row));
    await yielder.yieldIfDue();
  }
  return items;
}
