// Sends many requests to one server, a few at a time.

/** Real servers have ten workers for everybody (seen on 26.1.0 and 25.14.1). */
const parallel = 3;

/** Runs the work for all items, a few at a time. Results are in the order of the items. Rejects with the first failure. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  // All workers take from one iterator.
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return results;
}
