// A field whose text is hidden, and stored nowhere.
import * as l10n from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { IconButton } from "../parts.tsx";
import { Field, Input } from "./fields.tsx";
import type { FormControls } from "./useForm.ts";

interface SecretFieldProps<Draft extends object, Name extends string> {
  form: FormControls<Draft, Name>;
  name: Name;
  label: string;
  description: string;
  /** Among the form's keys. */
  keyName: string;
  placeholder?: string | undefined;
  /** It has several lines. */
  isLong?: boolean;
  /** A button below it. */
  tool?: ComponentChildren;
}

export function SecretField<Draft extends object, Name extends string>(
  props: SecretFieldProps<Draft, Name>,
) {
  const { form, name, keyName, placeholder, isLong = false, tool } = props;
  const [isShown, setShown] = useState(false);
  const value = form.keys[keyName] ?? "";
  const set = (text: string): void => form.changeKey(keyName, text, name);
  return (
    <Field {...props}>
      {(isWrong) => (
        <>
          <div class="secret">
            {isLong ? (
              <textarea
                class={`control long-text short ${isShown ? "" : "masked"}`}
                id={name}
                rows={4}
                value={value}
                placeholder={placeholder}
                autocomplete="off"
                spellcheck={false}
                aria-describedby={`${name}-description ${name}-problems`}
                aria-invalid={isWrong}
                onInput={({ currentTarget }) => set(currentTarget.value)}
              />
            ) : (
              <Input {...{ name, value, set, isWrong, placeholder }} isSecret={!isShown} />
            )}
            <IconButton
              icon={isShown ? "eye-closed" : "eye"}
              label={isShown ? l10n.t("Hide") : l10n.t("Show")}
              press={() => setShown(!isShown)}
            />
          </div>
          {tool}
        </>
      )}
    </Field>
  );
}
