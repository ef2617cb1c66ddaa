import * as vscode from "vscode";
import { truncate } from "../../shared/oneLine.ts";

/** For `when` clauses of messages that have a run. */
const runMessageContext = "mindsdbAgentRun";

/** VS Code keeps messages, and draws all of their text. */
const maxTextLength = 50_000;

/** Of the messages of one test, in characters; those that come after have their beginnings only. */
const maxTestLength = 2_000_000;
const maxLateLength = 1_000;

/** How much the messages of one test may still say: each of thousands of assertions can have a long answer to compare. */
export class MessageRoom {
  #left = maxTestLength;

  take(text: string): string {
    const taken = truncate(text, this.#left > 0 ? maxTextLength : maxLateLength);
    this.#left -= taken.length;
    return taken;
  }
}

/** A message at a place, with a comparison if something else was expected. */
export function createTestMessage(
  text: string,
  location: vscode.Location | undefined,
  hasRun: boolean,
  {
    expected,
    actual,
    room = new MessageRoom(),
  }: { expected?: string | undefined; actual?: string | undefined; room?: MessageRoom } = {},
): vscode.TestMessage {
  const message = new vscode.TestMessage(room.take(text));
  if (expected !== undefined && actual !== undefined) {
    message.expectedOutput = room.take(expected);
    message.actualOutput = room.take(actual);
  }
  if (location) message.location = location;
  if (hasRun) message.contextValue = runMessageContext;
  return message;
}
