// Unsaved changes of a form. VS Code cannot ask before it closes a panel: so the changes are stored when it closes, and
// the next form for the same target offers them.
import * as v from "valibot";
import * as vscode from "vscode";
import type { DraftStore, KeptDraft } from "./draftStore.ts";

export interface FormDraftOptions<Form> {
  store: DraftStore;
  /** What the form is for, like `edit/<connection>/<project>/<agent>`. */
  target: string;
  /** Unique for every form. */
  id: string;
  /** Schema of stored drafts: files can be from older versions. */
  schema: v.GenericSchema<unknown, Form>;
}

export class FormDraft<Form> {
  readonly #options: FormDraftOptions<Form>;
  #unsaved: Form | undefined;
  #offered: KeptDraft | undefined;

  constructor(options: FormDraftOptions<Form>) {
    this.#options = options;
  }

  get isDirty(): boolean {
    return this.#unsaved !== undefined;
  }

  /** Sets the unsaved form; undefined if nothing has changed. */
  change(unsaved: Form | undefined): void {
    this.#unsaved = unsaved;
  }

  /** Finds a draft of a closed form; returns it with the time of its changes. */
  find(): { savedAt: number; form: Form } | undefined {
    const { store, target, schema } = this.#options;
    const isReadable = ({ form }: KeptDraft): boolean => v.is(schema, form);
    this.#offered = store.findNewest(target, isReadable);
    if (!this.#offered) return undefined;
    return { savedAt: this.#offered.savedAt, form: v.parse(schema, this.#offered.form) };
  }

  /** Removes and returns the offered draft; undefined if it is gone. */
  restore(): Form | undefined {
    const { store, schema } = this.#options;
    const kept = this.#offered && store.take(this.#offered.id);
    this.#offered = undefined;
    const form = v.safeParse(schema, kept?.form);
    return form.success ? form.output : undefined;
  }

  /** Deletes the offered draft. */
  discard(): void {
    if (this.#offered) this.#options.store.discard(this.#offered.id);
    this.#offered = undefined;
  }

  /** Stores unsaved changes when the form closes, and shows a status message with its title. */
  close(title: string): void {
    const { store, target, id } = this.#options;
    if (this.#unsaved === undefined) return;
    if (store.keep({ id, target, savedAt: Date.now(), form: this.#unsaved })) {
      const message = vscode.l10n.t("Unsaved changes kept as a draft: {0}", title);
      vscode.window.setStatusBarMessage(message, 6_000);
    }
  }
}

/** Returns the text of a draft offer. */
export function formatDraftOffer(savedAt: number): string {
  const time = new Date(savedAt).toLocaleString(vscode.env.language, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  return vscode.l10n.t("You have unsaved changes from {0}.", time);
}

/** Returns the titles of its buttons. */
export function createDraftOfferButtons(): { restoreDraft: string; discardDraft: string } {
  return {
    restoreDraft: vscode.l10n.t("Restore Draft"),
    discardDraft: vscode.l10n.t("Discard"),
  };
}
