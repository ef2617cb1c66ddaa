import * as vscode from "vscode";
import { truncate } from "../../shared/oneLine.ts";

/** For `when` clauses of messages that have a run. */
const runMessageContext = "mindsdbAgentRun";

/** VS Code keeps messages, and draws all of their text. */
const maxTextLength = 50_000;

/** A message at a place, with a comparison if something else was expected. */
export function createTestMessage(
  text: string,
  location: vscode.Location | undefined,
  hasRun: boolean,
  { expected, actual }: { expected?: string | undefined; actual?: string | undefined } = {},
): vscode.TestMessage {
  const message = new vscode.TestMessage(truncate(text, maxTextLength));
  if (expected !== undefined && actual !== undefined) {
    message.expectedOutput = truncate(expected, maxTextLength);
    message.actualOutput = truncate(actual, maxTextLength);
  }
  if (location) message.location = location;
  if (hasRun) message.contextValue = runMessageContext;
  return message;
}
