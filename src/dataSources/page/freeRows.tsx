// Names and values of parameters that a handler does not declare.
import * as l10n from "@vscode/l10n";
import { Field } from "../../shared/page/form/fields.tsx";
import type { FormControls } from "../../shared/page/form/useForm.ts";
import { Button, IconButton } from "../../shared/page/parts.tsx";
import { isSecretRow } from "../connectionFields.ts";
import { keyOfRow, type DataSourceDraft, type FreeRow } from "../dataSourceDraft.ts";

interface RowsProps {
  form: FormControls<DataSourceDraft, string>;
  title: string;
  /** The form has no other parameters. */
  isComplete: boolean;
  /** The rows whose values the server has and the page does not. */
  storedKeys: Readonly<Record<string, boolean>>;
}

export function FreeRows({ form, title, isComplete, storedKeys }: RowsProps) {
  const { rows } = form.draft;
  const label = isComplete ? l10n.t("Parameters") : l10n.t("More Parameters");
  const replace = (row: FreeRow, change: Partial<FreeRow>): void => {
    const changed = { ...row, ...change };
    const key = keyOfRow(row);
    const isSecret = isSecretRow(changed.name);
    // A value becomes or stops being a secret with its name.
    if (isSecret && changed.value !== "") {
      form.changeKey(key, changed.value, "rows");
      changed.value = "";
    } else if (!isSecret && isSecretRow(row.name)) {
      form.changeKey(key, "", "rows");
    }
    form.change({ rows: rows.map((one) => (one.id === row.id ? changed : one)) });
  };
  const add = (): void => {
    const stored = Object.keys(storedKeys).map((key) => Number(key.replace(/^row-/, "")) || 0);
    const id = String(Math.max(0, ...rows.map((row) => Number(row.id)), ...stored) + 1);
    form.change({ rows: [...rows, { id, name: "", value: "" }] });
  };
  return (
    <Field
      form={form}
      name="rows"
      label={label}
      description={
        isComplete
          ? l10n.t(
              "{0} does not list its parameters. Enter names and values from its documentation.",
              title,
            )
          : l10n.t("{0} may accept more, such as api_base. See its documentation.", title)
      }
    >
      {() => (
        <div role="group" aria-label={label}>
          <ul class="free-rows">
            {rows.map((row) => (
              <RowInputs
                key={row.id}
                row={row}
                isStored={storedKeys[keyOfRow(row)] === true}
                value={isSecretRow(row.name) ? (form.keys[keyOfRow(row)] ?? "") : row.value}
                rename={(name) => replace(row, { name })}
                set={(value) =>
                  isSecretRow(row.name)
                    ? form.changeKey(keyOfRow(row), value, "rows")
                    : replace(row, { value })
                }
                remove={() => {
                  if (isSecretRow(row.name)) form.changeKey(keyOfRow(row), "", "rows");
                  form.change({ rows: rows.filter((one) => one.id !== row.id) });
                }}
              />
            ))}
          </ul>
          <Button label={l10n.t("Add Parameter")} press={add} />
        </div>
      )}
    </Field>
  );
}

interface RowProps {
  row: FreeRow;
  isStored: boolean;
  value: string;
  rename: (name: string) => void;
  set: (value: string) => void;
  remove: () => void;
}

function RowInputs({ row, isStored, value, rename, set, remove }: RowProps) {
  const type = (isSecretRow(row.name) ? "password" : "text") as "text";
  return (
    <li>
      <input
        class="control"
        value={row.name}
        placeholder={l10n.t("Name")}
        aria-label={l10n.t("Name")}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => rename(currentTarget.value)}
      />
      <input
        class="control"
        type={type}
        value={value}
        placeholder={isStored ? l10n.t("Unchanged") : l10n.t("Value")}
        aria-label={l10n.t("Value of {0}", row.name)}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
      <IconButton icon="close" label={l10n.t("Remove {0}", row.name)} press={remove} />
    </li>
  );
}
