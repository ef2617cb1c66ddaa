// The fields of a form, like those in VS Code's settings: label, description, control, and problems below.
import * as l10n from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import type { Problem } from "../../formPage.ts";
import { Button, Icon, Picker } from "../parts.tsx";
import type { FormControls } from "./useForm.ts";

interface FieldProps<Draft extends object, Name extends string> {
  form: FormControls<Draft, Name>;
  name: Name;
  label: string;
  description: string;
}

interface ControlProps {
  /** The field's. */
  name: string;
  value: string;
  set: (value: string) => void;
  isWrong?: boolean;
  placeholder?: string | undefined;
  /** The focus begins here. */
  isFirst?: boolean | undefined;
}

/** A field around its control; `children` are told whether its value is wrong. */
export function Field<Draft extends object, Name extends string>(
  props: FieldProps<Draft, Name> & {
    more?: Problem[];
    children: (isWrong: boolean) => ComponentChildren;
  },
) {
  const { form, name, label, description, more = [], children } = props;
  const problems = [...form.problemsAt(name), ...more];
  const isWrong = hasError(problems);
  return (
    <div
      class="field"
      data-field={name}
      data-state={isWrong ? "wrong" : undefined}
      onFocusOut={() => form.leave(name)}
    >
      <label class="label" for={name}>
        {label}
      </label>
      <div class="description" id={`${name}-description`}>
        {description}
      </div>
      {children(isWrong)}
      <div
        class={isWrong ? "problem" : "problem warning"}
        id={`${name}-problems`}
        hidden={problems.length === 0}
      >
        <Problems problems={problems} run={form.runProblemAction} />
      </div>
    </div>
  );
}

export function hasError(problems: readonly Problem[]): boolean {
  return problems.some(({ isWarning = false }) => !isWarning);
}

export function Problems(props: { problems: Problem[]; run: (title: string) => void }) {
  return (
    <>
      {props.problems.map(({ text, isWarning = false, action }) => (
        <div key={text} class="problem-line">
          <Icon name={isWarning ? "warning" : "error"} />
          <span class="visually-hidden">{isWarning ? l10n.t("Warning") : l10n.t("Problem")}: </span>
          <span class="problem-text">{text}</span>
          {action !== undefined && (
            <Button kind="link" label={action} press={() => props.run(action)} />
          )}
        </div>
      ))}
    </>
  );
}

export function Input(props: ControlProps & { isSecret?: boolean }) {
  const { name, value, set, isWrong, placeholder, isFirst = false, isSecret = false } = props;
  // Preact's types know no element whose type changes.
  const type = (isSecret ? "password" : "text") as "text";
  return (
    <input
      class="control"
      id={name}
      type={type}
      value={value}
      placeholder={placeholder}
      autocomplete="off"
      spellcheck={false}
      aria-describedby={describedBy(name)}
      aria-invalid={isWrong}
      data-first={isFirst || undefined}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}

export function LongText({ name, value, set, isWrong }: ControlProps) {
  return (
    <textarea
      class="control long-text"
      id={name}
      rows={8}
      value={value}
      aria-describedby={describedBy(name)}
      aria-invalid={isWrong}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}

export type Choice = [value: string, label: string];

export function Select(props: ControlProps & { choices: Choice[] }) {
  const { name, value, set, isWrong, isFirst = false, choices } = props;
  return (
    <Picker
      id={name}
      describedBy={describedBy(name)}
      choices={choices}
      value={value}
      isWrong={isWrong}
      isFirst={isFirst}
      change={set}
    />
  );
}

function describedBy(name: string): string {
  return `${name}-description ${name}-problems`;
}

interface ValueProps<Draft extends object, Name extends string> extends FieldProps<Draft, Name> {
  /** By default the draft's value of this name. */
  value?: string;
  set?: (value: string) => void;
  placeholder?: string;
  isFirst?: boolean;
}

/** The value of a field, and what changes it. */
function valueOf<Draft extends object, Name extends string>(props: ValueProps<Draft, Name>) {
  const { form, name, placeholder, isFirst } = props;
  const set = (text: string): void => form.change({ [name]: text } as Partial<Draft>);
  const { value = String((form.draft as Record<string, unknown>)[name]) } = props;
  return { name, value, set: props.set ?? set, placeholder, isFirst };
}

export function TextField<Draft extends object, Name extends string>(
  props: ValueProps<Draft, Name>,
) {
  return <Field {...props}>{(isWrong) => <Input {...valueOf(props)} isWrong={isWrong} />}</Field>;
}

export function LongTextField<Draft extends object, Name extends string>(
  props: ValueProps<Draft, Name>,
) {
  return (
    <Field {...props}>{(isWrong) => <LongText {...valueOf(props)} isWrong={isWrong} />}</Field>
  );
}

export function SelectField<Draft extends object, Name extends string>(
  props: ValueProps<Draft, Name> & {
    choices: Choice[];
    /** Below the control. */
    below?: ComponentChildren;
  },
) {
  const { choices, below } = props;
  return (
    <Field {...props}>
      {(isWrong) => (
        <div class="stack">
          <Select {...valueOf(props)} choices={choices} isWrong={isWrong} />
          {below}
        </div>
      )}
    </Field>
  );
}

/** Names as choices; the chosen one is a choice even if it is not among them. */
export function nameChoices(names: readonly string[] | null | undefined, chosen: string): Choice[] {
  const all = new Set([...(names ?? []), ...(chosen === "" ? [] : [chosen])]);
  return [...all].map((name) => [name, name]);
}
