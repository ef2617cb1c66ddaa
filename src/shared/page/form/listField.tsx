import * as l10n from "@vscode/l10n";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button, Icon, IconButton } from "../parts.tsx";
import { Field } from "./fields.tsx";
import type { FormControls } from "./useForm.ts";

interface ListFieldProps<Draft extends object, Name extends string> {
  form: FormControls<Draft, Name>;
  name: Name;
  label: string;
  description: string;
  icon: string;
  entries: readonly string[];
  /** Shown if there are no entries. */
  empty: string;
  /** The title of the button that chooses entries. */
  choose: string;
  /** The text beside an entry. */
  noteOf: (entry: string) => string;
  /** Returns the entries that the user has picked. */
  pick: () => Promise<unknown>;
}

/** A list of entries, each with a button that removes it, and a button to choose others. */
export function ListField<Draft extends object, Name extends string>(
  props: ListFieldProps<Draft, Name>,
) {
  const { form, name, label, icon, entries, empty, choose, noteOf, pick } = props;
  const group = useRef<HTMLDivElement>(null);
  /** The place of an entry that the user has removed. */
  const removed = useRef<number | undefined>(undefined);
  // The focus goes to the entry after the removed one, the last one, or the button below.
  useLayoutEffect(() => {
    if (removed.current === undefined) return;
    const buttons = [...(group.current?.querySelectorAll<HTMLElement>("li button") ?? [])];
    const button = buttons[removed.current] ?? buttons.at(-1);
    (button ?? group.current?.querySelector<HTMLElement>("button"))?.focus();
    removed.current = undefined;
  }, [entries]);
  const wrong = new Set(
    form.problemsAt(name).flatMap(({ entry, isWarning }) => (isWarning ? [] : (entry ?? []))),
  );
  const change = (next: readonly string[]): void =>
    form.change({ [name]: next } as unknown as Partial<Draft>);
  const chooseEntries = async (): Promise<void> => {
    const picked = await pick();
    if (!Array.isArray(picked)) return;
    change(picked as string[]);
    form.leave(name);
  };
  return (
    <Field {...props}>
      {() => (
        <div role="group" aria-label={label} ref={group}>
          {entries.length === 0 ? (
            <div class="empty">{empty}</div>
          ) : (
            <ul class="entries">
              {entries.map((entry, at) => (
                <li key={entry} data-state={wrong.has(entry) ? "wrong" : undefined}>
                  <Icon name={icon} />
                  <span class="entry code">{entry}</span>
                  <span class="note">{noteOf(entry)}</span>
                  <IconButton
                    icon="close"
                    label={l10n.t("Remove {0}", entry)}
                    press={() => {
                      removed.current = at;
                      change(entries.filter((other) => other !== entry));
                    }}
                  />
                </li>
              ))}
            </ul>
          )}
          <Button label={choose} press={chooseEntries} />
        </div>
      )}
    </Field>
  );
}
