// The process that parses test files (testFileProcess.ts), one request after the other.
import { setTexts } from "./testFileProcessL10n.ts";
import { testFileTasks } from "./testFileTasks.ts";

/** The translations of the texts, or a text to parse. */
export type TestFileRequest =
  | { texts: Readonly<Record<string, string>> }
  | { name: keyof typeof testFileTasks; args: unknown[] };

export type TestFileAnswer = { kind: "done"; result: unknown } | { kind: "failed"; error: string };

process.on("message", (request: TestFileRequest) => {
  if ("texts" in request) setTexts(request.texts);
  else process.send?.(answer(request.name, request.args));
});

function answer(name: keyof typeof testFileTasks, args: unknown[]): TestFileAnswer {
  const task = testFileTasks[name] as (...args: unknown[]) => unknown;
  try {
    return { kind: "done", result: task(...args) };
  } catch (error) {
    return { kind: "failed", error: String(error) };
  }
}
