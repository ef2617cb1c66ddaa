// The question of a run, which can be edited and asked again. A long one is folded.
import * as l10n from "@vscode/l10n";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { colorCode } from "../../shared/codeColors.ts";
import { ColoredCode } from "../../shared/page/coloredCode.tsx";
import { Button, IconButton } from "../../shared/page/parts.tsx";
import { splitQuestion, type QuestionPart } from "../questionParts.ts";
import { LongText } from "./stepParts.tsx";

/** A question with more lines or characters is folded. */
const maxOpenLines = 8;
const maxOpenLength = 700;

interface QuestionViewProps {
  question: string;
  isEditing: boolean;
  /** Of a long question: whether all of it is shown. */
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  edit: () => void;
  cancel: () => void;
  /** The host ignores it during a run; the text stays. */
  ask: (question: string) => unknown;
}

export function QuestionView(props: QuestionViewProps) {
  const { question, isEditing, isOpen, setOpen, edit, cancel, ask } = props;
  const parts = useMemo(() => splitQuestion(question), [question]);
  const isLong = question.length > maxOpenLength || question.split("\n").length > maxOpenLines;
  if (isEditing) {
    return (
      <div class="question-row">
        <QuestionEditor question={question} cancel={cancel} ask={ask} />
      </div>
    );
  }
  return (
    <>
      <div class="question-row">
        <h2 class={isLong && !isOpen ? "question folded" : "question"}>
          {parts.map((part, at) => (
            <QuestionText key={at} {...part} />
          ))}
        </h2>
        <IconButton icon="edit" class="edit" label={l10n.t("Edit and Ask Again")} press={edit} />
      </div>
      {isLong && (
        <button
          type="button"
          class="link-button fold-question"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? l10n.t("Show Less") : l10n.t("Show Whole Question")}
        </button>
      )}
    </>
  );
}

function QuestionText({ kind, text, language }: QuestionPart) {
  if (kind === "text") return <LongText text={text} />;
  if (kind === "inlineCode") return <code>{text}</code>;
  const pieces = language && colorCode(text, language);
  return (
    <code class="code question-code">
      {pieces ? <ColoredCode pieces={pieces} /> : <LongText text={text} />}
    </code>
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
