// The page of the form that connects a data source or creates an ML engine.
import * as l10n from "@vscode/l10n";
import { SelectField, TextField, type Choice } from "../../shared/page/form/fields.tsx";
import { FormFrame } from "../../shared/page/form/formPageFrame.tsx";
import { SecretField } from "../../shared/page/form/secretField.tsx";
import { Button } from "../../shared/page/parts.tsx";
import { useForm, type FormControls } from "../../shared/page/form/useForm.ts";
import { startPage, type PageProps } from "../../shared/page/startPage.tsx";
import { createConnectionForm, type ConnectionField } from "../connectionFields.ts";
import {
  fieldOf,
  omitTypedKeys,
  shownFields,
  valueOf,
  type DataSourceDraft,
} from "../dataSourceDraft.ts";
import {
  formTitle,
  type DataSourceForm,
  type DataSourceFormState,
  type dataSourceFormCalls,
  type Field,
} from "../dataSourceForm.ts";
import { toPlainSourceName, validateDraft } from "../validation.ts";
import { FreeRows } from "./freeRows.tsx";

type Props = PageProps<DataSourceFormState, typeof dataSourceFormCalls>;
type Form = FormControls<DataSourceDraft, Field>;

function DataSourceFormView({ state, host }: Props) {
  const { connection, known, isTesting } = state;
  const { before, storedKeys = {}, isMlEngine } = state.form;
  const kind = isMlEngine ? "ml" : "data";
  const form = useForm<DataSourceForm, Field>({
    state,
    host,
    findProblems: (draft, { keys, hadKeys }) =>
      known
        ? validateDraft(draft, known, {
            keys,
            hadKeys,
            before: before && { draft: before, storedKeys },
          })
        : [stillReading()],
    omitKeys: omitTypedKeys,
    complete: (draft) => {
      const plain = before ? "" : toPlainSourceName(draft.name, kind);
      return plain === "" || plain === draft.name ? draft : { ...draft, name: plain };
    },
  });
  const { draft } = form;
  const alternative = known && createConnectionForm(known.handler).alternative;
  const split = alternative ? Object.keys(alternative.options[0]?.fields ?? {}) : [];
  return (
    <FormFrame
      {...{ state, host, form }}
      title={formTitle(known, state.form)}
      place={
        (before || isMlEngine) && known
          ? l10n.t("{0} on {1}", known.handler.title, connection)
          : l10n.t("On {0}", connection)
      }
      {...(isMlEngine ? engineTexts() : sourceTexts(before !== undefined, isTesting))}
      {...(isMlEngine
        ? {}
        : { test: { title: l10n.t("Test Connection"), press: () => form.submit(host.test) } })}
    >
      {!before && (
        <TextField
          form={form}
          name="name"
          label={l10n.t("Name")}
          description={
            isMlEngine
              ? l10n.t(
                  "Models use this name to select the engine. Lowercase letters, digits, and underscores.",
                )
              : l10n.t(
                  "In SQL, the names of its tables start with this name. Lowercase letters, digits, and underscores.",
                )
          }
          isFirst
        />
      )}
      {alternative && split.length > 0 && (
        <SelectField
          form={form}
          name="alternative"
          label={alternative.label}
          description={alternative.description}
          choices={alternative.options.map(({ id, label }): Choice => [id, label])}
        />
      )}
      {known &&
        shownFields(known.handler, draft).map((field) => (
          <ParameterField
            key={field.name}
            form={form}
            field={field}
            isStored={storedKeys[fieldOf(field.name)] === true}
          />
        ))}
      {known && createConnectionForm(known.handler).hasFreeRows && (
        <FreeRows
          form={form}
          title={known.handler.title}
          isComplete={createConnectionForm(known.handler).fields.length === 0}
          storedKeys={storedKeys}
        />
      )}
    </FormFrame>
  );
}

interface Texts {
  intro: string;
  send: string;
  formatSending: (seconds: string) => string;
}

function engineTexts(): Texts {
  return {
    intro: l10n.t(
      "Models are trained and run by an engine. All projects of the server can use it.",
    ),
    send: l10n.t("Create"),
    formatSending: (seconds) =>
      l10n.t(
        "Creating… {0} s. The first engine of a kind takes longer, and so does checking an API key.",
        seconds,
      ),
  };
}

function sourceTexts(isChange: boolean, isTesting = false): Texts {
  return {
    intro: isChange
      ? l10n.t(
          "Only what you change is sent. The server tests the connection first, and keeps the old values if it fails.",
        )
      : l10n.t(
          "The server connects to it, and its tables can then be used in agents, knowledge bases, and SQL.",
        ),
    send: isChange ? l10n.t("Save") : l10n.t("Connect"),
    formatSending: (seconds) => {
      if (isTesting) return l10n.t("Testing… {0} of at most 90 s", seconds);
      return isChange
        ? l10n.t("Saving… {0} of at most 90 s", seconds)
        : l10n.t("Connecting… {0} of at most 90 s", seconds);
    },
  };
}

function stillReading() {
  const text = l10n.t("The form is still loading.");
  return { field: "form", text, isMissing: true };
}

interface ParameterProps {
  form: Form;
  field: ConnectionField;
  /** The server has a value that is not shown. */
  isStored: boolean;
}

function ParameterField({ form, field, isStored }: ParameterProps) {
  const { name: parameter, label, isRequired, description, isSecret, isLong } = field;
  const name = fieldOf(parameter);
  const { values, removed = [] } = form.draft;
  const isRemoved = removed.includes(parameter);
  const storedNote = isRemoved ? l10n.t("Will be removed") : l10n.t("Unchanged");
  const placeholder = isStored ? storedNote : field.placeholder;
  const toggleRemoved = (): void => {
    const others = removed.filter((one) => one !== parameter);
    form.change({ removed: isRemoved ? others : [...others, parameter] }, name);
  };
  const shared = {
    form,
    name,
    label: isRequired ? label : l10n.t("{0} (optional)", label),
    description,
    placeholder,
  };
  if (isSecret) {
    // Where a field is empty, the stored value stays.
    const tool = isStored && !isRequired && (
      <Button
        label={isRemoved ? l10n.t("Keep Stored Value") : l10n.t("Remove Stored Value")}
        press={toggleRemoved}
      />
    );
    return <SecretField {...shared} keyName={name} isLong={isLong} tool={tool} />;
  }
  const own = {
    value: valueOf(form.draft, parameter),
    set: (value: string) => form.change({ values: { ...values, [parameter]: value } }, name),
  };
  const choices = choicesOf(field);
  if (choices) return <SelectField {...shared} {...own} choices={choices} />;
  return <TextField {...shared} {...own} />;
}

function choicesOf({ control, choices }: ConnectionField): Choice[] | undefined {
  if (control === "choice") {
    return choices.map((choice) => [choice, choice === "" ? l10n.t("Default") : choice]);
  }
  if (control !== "switch") return undefined;
  return [
    ["", l10n.t("Default")],
    ["true", l10n.t("Yes")],
    ["false", l10n.t("No")],
  ];
}

startPage(DataSourceFormView);
