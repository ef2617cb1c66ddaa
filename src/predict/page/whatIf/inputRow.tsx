import * as l10n from "@vscode/l10n";
import { useRef } from "preact/hooks";
import { Button } from "../../../shared/page/parts.tsx";
import { formatInputText } from "../../whatIf/inputValue.ts";
import type { WhatIfInput } from "../../whatIf/whatIfPage.ts";

interface InputRowProps {
  /** The field's. */
  id: string;
  input: WhatIfInput;
  text: string;
  /** The value is not the row's own. */
  isChanged: boolean;
  change: (text: string) => void;
  vary: () => void;
}

/** One input of the model: its value, a way back to the row's own, and the button that varies it. */
export function InputRow({ id, input, text, isChanged, change, vary }: InputRowProps) {
  const { name, type, own } = input;
  const field = useRef<HTMLInputElement>(null);
  const empty = l10n.t("no value");
  const reset = (): void => {
    change(formatInputText(own));
    field.current?.focus();
  };
  return (
    <div class="input-row">
      <label class="label" for={id}>
        {name}
        {type !== undefined && <span class="quiet"> {type}</span>}
      </label>
      <input
        class="input"
        id={id}
        ref={field}
        type="text"
        value={text}
        placeholder={empty}
        autocomplete="off"
        spellcheck={false}
        aria-label={name}
        data-first={id === "input-0" || undefined}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <Button label={l10n.t("Vary…")} fullLabel={l10n.t("Vary {0}…", name)} press={vary} />
      <span class="change">
        {isChanged && (
          <>
            <span class="quiet">{l10n.t("was {0}", formatInputText(own) || empty)}</span>{" "}
            <Button
              kind="link"
              label={l10n.t("Reset")}
              fullLabel={l10n.t("Reset {0}", name)}
              press={reset}
            />
          </>
        )}
      </span>
    </div>
  );
}
