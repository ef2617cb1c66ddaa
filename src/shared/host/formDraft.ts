// Unsaved changes of a form. VS Code cannot ask before it closes a panel: so the changes are stored when it closes, and
// the next form for the same target offers them.
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import * as vscode from "vscode";
import type { FormMessage } from "../formFields.ts";
import type { DraftStore, KeptDraft } from "./draftStore.ts";
import { formatTime } from "./formatTime.ts";
import { showStatus } from "./notifications.ts";

/** What the forms of all kinds have. */
export interface AnyForm {
  /** Unique for every form. */
  id: string;
  draft: object;
  /** The draft before any change by the user. */
  initial?: object | undefined;
  /** The item before the change; absent for a new one. */
  before?: object | undefined;
}

export interface FormDraftOptions<Form extends AnyForm, Changed extends keyof Form> {
  store: DraftStore;
  /** Schema of stored drafts: files can be from older versions. */
  schema: v.GenericSchema<unknown, Form>;
  /** Returns what a form is for, like `edit/<connection>/<project>/<agent>`. */
  target: (form: Form) => string;
  /** What the user changes in a form, and what a restore takes from the draft. */
  changed: readonly Changed[];
  /** Returns the sentence that the item was changed on the server since the draft. */
  changedSince?: () => string;
  /** The form now has unsaved changes, or no longer has any. */
  onDirtyChanged: () => void;
}

/** The form that a panel shows, its unsaved changes, and the draft of a closed form that is offered to it. */
export class FormDraft<Form extends AnyForm, Changed extends keyof Form> {
  readonly #options: FormDraftOptions<Form, Changed>;
  #form: Form;
  #unsaved: Form | undefined;
  #offered: (KeptDraft & { form: Form }) | undefined;

  /** Nothing is offered before `find`. */
  constructor(form: Form, options: FormDraftOptions<Form, Changed>) {
    this.#options = options;
    this.#form = form;
    this.#unsaved = findUnsaved(form);
  }

  get form(): Form {
    return this.#form;
  }

  get isDirty(): boolean {
    return this.#unsaved !== undefined;
  }

  /** The message that offers the draft to the page, or nothing. */
  get offer(): FormMessage<never> {
    return { type: "draftOffered", text: this.#offered && this.#formatOffer(this.#offered) };
  }

  /** What a snapshot has of it: the offer, if there is one. */
  get offers(): FormMessage<never>[] {
    return this.#offered ? [this.offer] : [];
  }

  /** The panel shows another form, to which nothing is offered before `find`. */
  replace(form: Form): void {
    this.#form = form;
    this.#unsaved = findUnsaved(form);
    this.#offered = undefined;
  }

  change(changes: Pick<Form, Changed>): void {
    this.#setUnsaved(findUnsaved({ ...this.#form, ...changes }));
  }

  /** The form was saved: nothing is unsaved. */
  saved(): void {
    this.#setUnsaved(undefined);
  }

  /** Looks for a draft of a closed form for the same target. */
  find(): void {
    const { store, target, schema } = this.#options;
    const isReadable = ({ form }: KeptDraft): boolean => v.is(schema, form);
    const found = store.findNewest(target(this.#form), isReadable);
    this.#offered = found && { ...found, form: v.parse(schema, found.form) };
  }

  /**
   * Replaces the form by one with the offered draft; its unsaved changes become a draft in its place, which `title` names.
   * False if the offered draft is gone, like after a restore in another window.
   */
  restore(title: string): boolean {
    const { store, schema, changed } = this.#options;
    const kept = v.safeParse(schema, this.#offered && store.take(this.#offered.id)?.form);
    const { isDirty } = this;
    if (kept.success) {
      this.close(title);
      const restored = Object.fromEntries(changed.map((name) => [name, kept.output[name]]));
      this.replace({ ...this.#form, ...restored, id: crypto.randomUUID() });
    }
    if (!kept.success || isDirty) this.find();
    return kept.success;
  }

  /** Deletes the offered draft, and offers the one before it. */
  discard(): void {
    if (this.#offered) this.#options.store.discard(this.#offered.id);
    this.find();
  }

  /** The form closes: stores unsaved changes, and shows a status message with its title. */
  close(title: string): void {
    const { store, target } = this.#options;
    if (this.#unsaved === undefined) return;
    const { id } = this.#form;
    const draft = { id, target: target(this.#form), savedAt: Date.now(), form: this.#unsaved };
    if (store.keep(draft)) {
      const message = vscode.l10n.t("Unsaved changes kept as a draft: {0}", title);
      showStatus(message, 6_000);
    }
  }

  #setUnsaved(unsaved: Form | undefined): void {
    const wasDirty = this.isDirty;
    this.#unsaved = unsaved;
    if (this.isDirty !== wasDirty) this.#options.onDirtyChanged();
  }

  #formatOffer({ savedAt, form }: KeptDraft & { form: Form }): string {
    const text = vscode.l10n.t("You have unsaved changes from {0}.", formatTime(savedAt));
    const { before } = this.#form;
    const isOutdated = before && !isDeepStrictEqual(form.before, before);
    const { changedSince } = this.#options;
    return isOutdated && changedSince ? `${text} ${changedSince()}` : text;
  }
}

/** Returns the form if its draft is not as it was before any change. */
function findUnsaved<Form extends AnyForm>(form: Form): Form | undefined {
  const { draft, initial, before } = form;
  return isDeepStrictEqual(draft, initial ?? before ?? draft) ? undefined : form;
}
