// The instruction, with a draft made from the chosen data, which can be undone.
import * as l10n from "@vscode/l10n";
import { useRef, useState } from "preact/hooks";
import { Field, LongText } from "../../shared/page/form/fields.tsx";
import type { FormControls } from "../../shared/page/form/useForm.ts";
import { Button } from "../../shared/page/parts.tsx";
import type { AgentDraft } from "../agentDraft.ts";
import type { Field as FieldName } from "../agentProblems.ts";

interface InstructionFieldProps {
  form: FormControls<AgentDraft, FieldName>;
  texts: { label: string; description: string };
  /** Returns an instruction made from the chosen data; empty if there is none. */
  describe: (draft: AgentDraft) => Promise<unknown>;
}

export function InstructionField({ form, texts, describe }: InstructionFieldProps) {
  const latest = useRef(form);
  latest.current = form;
  const [isBusy, setBusy] = useState(false);
  /** The text that the draft has replaced. */
  const [replaced, setReplaced] = useState("");
  const change = (instruction: string, before = ""): void => {
    setReplaced(before);
    latest.current.change({ instruction });
  };
  const focus = (): void => document.getElementById("instruction")?.focus();
  const draftIt = async (): Promise<void> => {
    setBusy(true);
    const drafted = await describe(form.draft);
    setBusy(false);
    const before = latest.current.draft.instruction;
    if (typeof drafted !== "string" || drafted === "" || drafted === before) return;
    change(drafted, before.trim() === "" ? "" : before);
    focus();
  };
  const { tables, knowledgeBases, instruction } = form.draft;
  return (
    <Field form={form} name="instruction" {...texts}>
      {(isWrong) => (
        <div class="stack">
          <LongText
            name="instruction"
            value={instruction}
            set={(text) => change(text)}
            isWrong={isWrong}
          />
          <div class="row">
            {tables.length + knowledgeBases.length > 0 && (
              <button
                type="button"
                class="secondary-button"
                disabled={isBusy}
                onClick={() => void draftIt()}
              >
                {isBusy ? l10n.t("Reading the columns…") : l10n.t("Generate from Selected Data")}
              </button>
            )}
            {replaced !== "" && (
              <span>
                {l10n.t("Your text was replaced by the generated instruction.")}{" "}
                <Button
                  kind="link"
                  label={l10n.t("Undo")}
                  press={() => {
                    change(replaced);
                    focus();
                  }}
                />
              </span>
            )}
          </div>
        </div>
      )}
    </Field>
  );
}
