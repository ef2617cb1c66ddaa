// The fields of a model: one of the given choices, or a custom model with provider, name, key and address.
import * as l10n from "@vscode/l10n";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { createProviderNotes } from "../../providerNotes.ts";
import { IconButton } from "../parts.tsx";
import { Field, Input, SelectField, TextField, type Choice } from "./fields.tsx";
import type { FormControls } from "./useForm.ts";

interface ModelValues {
  /** The value of a choice; `own` shows the fields of a custom model. */
  choice: string;
  provider: string;
  modelName: string;
  /** Empty for the provider's own address. */
  baseUrl: string;
}

interface FieldTexts {
  label: string;
  description: string;
}

interface ModelFieldsProps<Draft extends object, Name extends string> {
  form: FormControls<Draft, Name>;
  /** The names of the fields. */
  names: Record<"model" | "provider" | "modelName" | "apiKey" | "baseUrl", Name>;
  model: FieldTexts;
  modelNameDescription: string;
  apiKey?: FieldTexts | undefined;
  baseUrl?: FieldTexts | undefined;
  values: ModelValues;
  set: (change: Partial<ModelValues>, field: Name) => void;
  choices: Choice[];
  providers: readonly string[];
  /** The name of the key among the form's. */
  keyName: string;
  /** Shown in the empty field of the key. */
  keyPlaceholder: string | undefined;
  /** Provider and name cannot be changed: only the key and the address are fields. */
  isFixed?: boolean;
}

export function ModelFields<Draft extends object, Name extends string>(
  props: ModelFieldsProps<Draft, Name>,
) {
  const { form, names, model, modelNameDescription, values, set, choices, isFixed } = props;
  const { choice, modelName, baseUrl } = values;
  const keyFields = (
    <>
      <KeyField {...props} isFirst={isFixed} />
      <TextField
        form={form}
        name={names.baseUrl}
        label={l10n.t("Base URL")}
        description={l10n.t(
          "The URL MindsDB uses to reach the model. Leave empty for the provider's default.",
        )}
        {...props.baseUrl}
        value={baseUrl}
        set={(text) => set({ baseUrl: text.trim() }, names.baseUrl)}
        placeholder="https://host/v1"
      />
    </>
  );
  if (isFixed) return keyFields;
  return (
    <>
      <SelectField
        form={form}
        name={names.model}
        label={model.label}
        description={model.description}
        value={choice}
        set={(value) => set({ choice: value }, names.model)}
        choices={choices}
      />
      {choice === "own" && (
        <div class="own-model">
          <ProviderField {...props} />
          <TextField
            form={form}
            name={names.modelName}
            label={l10n.t("Model Name")}
            description={modelNameDescription}
            value={modelName}
            set={(text) => set({ modelName: text }, names.modelName)}
          />
          {keyFields}
        </div>
      )}
    </>
  );
}

/** A known provider, or the name of another one. */
function ProviderField<Draft extends object, Name extends string>(
  props: ModelFieldsProps<Draft, Name>,
) {
  const { form, names, values, set, providers } = props;
  const name = names.provider;
  const [isOther, setOther] = useState(!providers.includes(values.provider));
  const isChosen = useRef(false);
  const other = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (isOther && isChosen.current) other.current?.focus();
  }, [isOther]);
  const choose = (provider: string): void => {
    isChosen.current = true;
    setOther(provider === "");
    set({ provider }, name);
  };
  return (
    <SelectField
      form={form}
      name={name}
      label={l10n.t("Provider")}
      description={l10n.t("The model's provider. For OpenAI-compatible servers, select openai.")}
      value={isOther ? "" : values.provider}
      set={choose}
      choices={[...providers.map(describeProvider), ["", l10n.t("Other…")]]}
      below={
        isOther && (
          <input
            class="control"
            ref={other}
            value={values.provider}
            placeholder={l10n.t("Provider Name")}
            aria-label={l10n.t("Provider Name")}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => set({ provider: currentTarget.value.trim() }, name)}
          />
        )
      }
    />
  );
}

function describeProvider(provider: string): Choice {
  return [provider, `${provider} (${createProviderNotes()[provider] ?? ""})`];
}

/** A password field with a button that shows its text. */
function KeyField<Draft extends object, Name extends string>(
  props: ModelFieldsProps<Draft, Name> & { isFirst: boolean | undefined },
) {
  const { form, names, keyName, keyPlaceholder, isFirst } = props;
  const [isShown, setShown] = useState(false);
  const name = names.apiKey;
  const key = form.keys[keyName] ?? "";
  const text = l10n.t("Your entry was not stored while this page was hidden. Enter it again.");
  const isGone = key === "" && form.hadKeys[keyName] === true;
  const label = isShown ? l10n.t("Hide Key") : l10n.t("Show Key");
  return (
    <Field
      form={form}
      name={name}
      label={l10n.t("API Key")}
      description={l10n.t(
        "Sent to the MindsDB server and stored there. Leave empty to use the server's key, if it has one.",
      )}
      {...props.apiKey}
      more={isGone ? [{ field: name, text, isWarning: true }] : []}
    >
      {(isWrong) => (
        <div class="secret">
          <Input
            name={name}
            value={key}
            set={(value) => form.changeKey(keyName, value, name)}
            isSecret={!isShown}
            isWrong={isWrong}
            placeholder={keyPlaceholder}
            isFirst={isFirst}
          />
          <IconButton
            icon={isShown ? "eye-closed" : "eye"}
            label={label}
            press={() => setShown(!isShown)}
          />
        </div>
      )}
    </Field>
  );
}

/** The server's default model as a choice: null or undefined if it is not known, "" if the server has none. */
export function defaultModelChoice(name: string | null | undefined): Choice {
  if (name === "") return ["default", l10n.t("The server's default (it has none)")];
  return [
    "default",
    name ? l10n.t("The server's default: {0}", name) : l10n.t("The server's default"),
  ];
}
