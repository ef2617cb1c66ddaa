/** The file that promptfoo runs the tests with; see promptfoo/provider.ts. */
export const providerFileName = "mindsdb-provider.mjs";

/** Whether a text names that file, from the folder of the test file. */
export function isProviderFile(text: string): boolean {
  return /^file:\/\/([^:*?]*\/)?mindsdb-provider\.mjs$/.test(text);
}

/** Its functions for searches. */
const functions = ["hitAtK", "reciprocalRank"] as const;

/** The function that a value like `file://mindsdb-provider.mjs:hitAtK` names; undefined for any other. */
export function findProviderFunction(value: unknown): (typeof functions)[number] | undefined {
  return functions.find(
    (name) =>
      typeof value === "string" &&
      value.endsWith(`:${name}`) &&
      isProviderFile(value.slice(0, -name.length - 1)),
  );
}
