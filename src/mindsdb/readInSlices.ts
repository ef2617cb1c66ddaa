// Reads lists whose texts have to be searched for secrets.
import { EventLoopYielder } from "./yieldToEventLoop.ts";

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
