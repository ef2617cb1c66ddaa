// The texts of the chat, in the user's language.
import * as l10n from "@vscode/l10n";
import { oneLine } from "../shared/oneLine.ts";
import type { ModelFailure } from "../shared/modelFailure.ts";
import type { EndState } from "./transcript.ts";
import type { PartKind, StepKind } from "../mindsdb/stream/stepEvents.ts";

export type ChatTexts = ReturnType<typeof createChatTexts>;
export type ConversationTexts = ReturnType<typeof createConversationTexts>;

/** Returns the texts of the page and of the Markdown. `{0}` and `{1}` are filled in there. */
export function createChatTexts() {
  return {
    conversation: l10n.t("Conversation with {0}"),
    place: l10n.t("{0} on {1}"),
    question: l10n.t("Question to {0}"),
    answer: l10n.t("Answer"),
    table: l10n.t("Table"),
    placeholder: l10n.t("Ask {0}"),
    send: l10n.t("Send (Enter)"),
    sendAfter: l10n.t("Send After This Answer (Enter)"),
    stop: l10n.t("Stop (Escape)"),
    retry: l10n.t("Ask Again"),
    waitingQuestions: l10n.t("Questions Waiting to Be Sent"),
    sendWaiting: l10n.t("Send Now"),
    removeWaiting: l10n.t("Remove"),
    edit: l10n.t("Edit and Ask Again"),
    editQuestion: l10n.t("Edit Question"),
    askEdited: l10n.t("Ask"),
    cancelEdit: l10n.t("Cancel"),
    questionVersion: l10n.t("Question {0} of {1}"),
    earlierQuestion: l10n.t("Show Previous Question"),
    laterQuestion: l10n.t("Show Next Question"),
    version: l10n.t("Answer {0} of {1}"),
    earlierVersion: l10n.t("Show Previous Answer"),
    laterVersion: l10n.t("Show Next Answer"),
    newConversation: l10n.t("New Conversation"),
    replay: l10n.t("Replay"),
    stopReplay: l10n.t("Stop Replay"),
    newest: l10n.t("Scroll to Bottom"),
    copy: l10n.t("Copy"),
    copyAnswer: l10n.t("Copy Answer"),
    copyCode: l10n.t("Copy Code"),
    insertCode: l10n.t("Insert at Cursor"),
    showRawEvents: l10n.t("Show Raw Events"),
    openInEditor: l10n.t("Open in Editor"),
    openWholeText: l10n.t("Open Whole Text ({0} characters)"),
    export: l10n.t("Export…"),
    welcome: l10n.t("Ask a question. You'll see each step as it happens."),
    suggestions: l10n.t("Suggested Questions"),
    seconds: l10n.t("{0} s"),
    lessThanSeconds: l10n.t("< {0} s"),
    minutes: l10n.t("{0} min"),
    minutesSeconds: l10n.t("{0} min {1} s"),
    waiting: l10n.t("Waiting for {0}"),
    silent: l10n.t("no response for {0}"),
    oneStep: l10n.t("1 step"),
    steps: l10n.t("{0} steps"),
    folded: l10n.t("{0} · {1}"),
    step: {
      status: l10n.t("Status"),
      plan: l10n.t("Plan"),
      thinking: l10n.t("Thinking"),
      tool: l10n.t("Tool {0}"),
      sql: l10n.t("Query"),
      sqlCounted: l10n.t("Query {0}"),
      sqlFinal: l10n.t("Final query"),
      documents: l10n.t("Documents"),
      notStreamed: l10n.t("This server does not stream: the answer arrives at once, without steps"),
      unknown: l10n.t("Unknown message"),
    } satisfies Record<StepKind | "sqlCounted" | "sqlFinal", string>,
    stepFailed: l10n.t("failed"),
    stepUnfinished: l10n.t("not finished"),
    part: {
      thought: l10n.t("Thought"),
      input: l10n.t("Input"),
      sql: l10n.t("SQL"),
      observation: l10n.t("Result"),
      text: l10n.t("Text"),
      error: l10n.t("Error"),
      raw: l10n.t("Raw"),
    } satisfies Record<PartKind, string>,
    emptyPart: l10n.t("Empty"),
    oneRow: l10n.t("1 row"),
    rows: l10n.t("{0} rows"),
    firstRows: l10n.t("the first {0}"),
    rowLimit: l10n.t(
      "There may be more rows: the server gives agents at most 100 if the query has no LIMIT.",
    ),
    runWithoutLimit: l10n.t("Open Query in a Notebook"),
    showAsGrid: l10n.t("Show as Grid"),
    showAsText: l10n.t("Show as Text"),
    gridHelp: l10n.t(
      "Arrow keys move from cell to cell, with Shift they select. Enter on a header sorts, Ctrl+C copies.",
    ),
    cell: l10n.t("{0}, row {1}"),
    alsoInRow: l10n.t("Also in “{0}”, row {1}"),
    alsoInStep: l10n.t("Also in “{0}”"),
    ended: {
      answered: l10n.t("Answered in {0}"),
      stopped: l10n.t("Stopped after {0}. The server may still be processing this."),
      failed: l10n.t("The agent failed."),
      cutOff: l10n.t("Cut off: the window was reloaded or closed before the answer was complete."),
      noAnswer: l10n.t("The agent ended without an answer."),
    } satisfies Record<EndState, string>,
    emptyAnswer: l10n.t("The answer is empty."),
    emptyTable: l10n.t("The table has no rows."),
    details: l10n.t("Details"),
  };
}

/** Returns the messages about failed runs. */
export function createConversationTexts() {
  return {
    connectionRemoved: l10n.t("The connection of this conversation has been removed."),
    agentGone: (name: string, project: string) =>
      l10n.t("The agent {0} no longer exists in {1}.", name, project),
    timeLimit: (seconds: number) =>
      l10n.t(
        "No answer within {0} s, the limit set by the setting mindsdbWorkbench.agent.timeLimit.",
        seconds,
      ),
    agentFailed: (serverSays: string) => l10n.t("The agent failed: {0}", serverSays),
    modelFailed: formatModelFailure,
    stepLimit: l10n.t(
      "The agent reached the server's step limit before it had an answer. A narrower question may help.",
    ),
    failedWithoutCause: l10n.t("The agent failed. The server gave no reason."),
    failedEarly: l10n.t(
      "The server failed before the agent started and gave no reason. Check the server's log. A wrong key or model name can cause this too. Asking again may help.",
    ),
  };
}

const maxProviderMessageLength = 200;

/** Returns what a language model's failure means, with the provider's message. */
function formatModelFailure({ kind, status = 0, says }: ModelFailure): string {
  const message = oneLine(says, maxProviderMessageLength);
  switch (kind) {
    case "keyRefused":
      return l10n.t("The language model refused: the API key was not accepted ({0})", status);
    case "modelUnknown":
      return l10n.t("The language model refused: model not found ({0})", status);
    case "rateLimit":
      return l10n.t("The language model refused: rate limit reached ({0})", status);
    case "quota":
      return l10n.t("The language model refused: quota exceeded ({0})", status);
    case "refused":
      return message === ""
        ? l10n.t("The language model refused the request ({0})", status)
        : l10n.t("The language model refused: {0} ({1})", message, status);
    case "failed":
      return message === ""
        ? l10n.t("The language model failed ({0})", status)
        : l10n.t("The language model failed: {0} ({1})", message, status);
    case "unreachable":
      return l10n.t("The server can't reach the language model.");
  }
}
