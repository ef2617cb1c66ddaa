// The waiting questions, above the composer.
import * as l10n from "@vscode/l10n";
import { Icon, IconButton } from "../../shared/page/parts.tsx";

interface WaitingQuestionsProps {
  /** The next one first. */
  questions: string[];
  /** During a run, they are sent automatically. */
  isRunning: boolean;
  send: (question: string) => unknown;
  remove: (question: string) => unknown;
}

export function WaitingQuestions({ questions, isRunning, send, remove }: WaitingQuestionsProps) {
  return (
    <ul
      class={isRunning ? "waiting on-their-own" : "waiting"}
      aria-label={l10n.t("Questions Waiting to Be Sent")}
      hidden={questions.length === 0}
    >
      {questions.map((question, at) => (
        <li key={at}>
          <Icon name="clock" />
          <span class="text" title={question}>
            {question}
          </span>
          <IconButton
            icon="send"
            class="send-now"
            label={l10n.t("Send Now")}
            press={() => send(question)}
          />
          <IconButton icon="close" label={l10n.t("Remove")} press={() => remove(question)} />
        </li>
      ))}
    </ul>
  );
}
