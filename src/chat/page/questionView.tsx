// The question of a run, which can be edited and asked again.
import * as l10n from "@vscode/l10n";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button, IconButton } from "../../shared/page/parts.tsx";
import { LongText } from "./stepParts.tsx";

interface QuestionViewProps {
  question: string;
  isEditing: boolean;
  edit: () => void;
  cancel: () => void;
  /** The host ignores it during a run; the text stays. */
  ask: (question: string) => unknown;
}

export function QuestionView({ question, isEditing, edit, cancel, ask }: QuestionViewProps) {
  return (
    <div class="question-row">
      {isEditing ? (
        <QuestionEditor question={question} cancel={cancel} ask={ask} />
      ) : (
        <>
          <h2 class="question">
            <LongText text={question} />
          </h2>
          <IconButton icon="edit" class="edit" label={l10n.t("Edit and Ask Again")} press={edit} />
        </>
      )}
    </div>
  );
}

type QuestionEditorProps = Pick<QuestionViewProps, "question" | "cancel" | "ask">;

function QuestionEditor({ question, cancel, ask }: QuestionEditorProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const askEdited = (): unknown => ask(input.current?.value ?? "");
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  function handleKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      cancel();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      askEdited();
    }
  }
  return (
    <div class="question-editor">
      <div class="editor-box">
        <textarea
          ref={input}
          rows={1}
          aria-label={l10n.t("Edit Question")}
          defaultValue={question}
          onKeyDown={handleKey}
        />
      </div>
      <div class="editor-buttons">
        <button type="button" class="ask-edited" onClick={askEdited}>
          {l10n.t("Ask")}
        </button>
        <Button label={l10n.t("Cancel")} press={cancel} />
      </div>
    </div>
  );
}
