// What every form does about unsaved changes. VS Code cannot ask before it closes a panel: so a form is marked as changed,
// its changes are kept when it closes, and the next form for the same thing offers them.
import * as v from "valibot";
import * as vscode from "vscode";
import type { DraftStore, KeptDraft } from "./draftStore.ts";

export interface FormDraftOptions<Form> {
  store: DraftStore;
  /** What the form is for, like `edit/<connection>/<project>/<agent>`. */
  target: string;
  /** The id of this form, new for every form. */
  id: string;
  /** The shape of what is kept: files can be old. */
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

  /** The form as it is now, if it differs from how it began; undefined if there is nothing to keep. */
  change(unsaved: Form | undefined): void {
    this.#unsaved = unsaved;
  }

  /** Looks for a draft of a form that was closed before; when its changes were made, with the form itself. */
  find(): { savedAt: number; form: Form } | undefined {
    const { store, target, schema } = this.#options;
    const isReadable = ({ form }: KeptDraft): boolean => v.is(schema, form);
    this.#offered = store.newest(target, isReadable);
    if (!this.#offered) return undefined;
    return { savedAt: this.#offered.savedAt, form: v.parse(schema, this.#offered.form) };
  }

  /** Gives the offered draft to this form; undefined if it is gone. */
  restore(): Form | undefined {
    const { store, schema } = this.#options;
    const kept = this.#offered && store.take(this.#offered.id);
    this.#offered = undefined;
    const form = v.safeParse(schema, kept?.form);
    return form.success ? form.output : undefined;
  }

  /** Forgets the offered draft. */
  discard(): void {
    if (this.#offered) this.#options.store.discard(this.#offered.id);
    this.#offered = undefined;
  }

  /** The form closes: keeps what is not saved, and says so with the form's title. */
  close(title: string): void {
    const { store, target, id } = this.#options;
    if (this.#unsaved === undefined) return;
    if (store.keep({ id, target, savedAt: Date.now(), form: this.#unsaved })) {
      const message = vscode.l10n.t("Unsaved changes kept as a draft: {0}", title);
      vscode.window.setStatusBarMessage(message, 6_000);
    }
  }
}

/** The texts of a draft offer. */
export function draftOfferText(savedAt: number): string {
  const time = new Date(savedAt).toLocaleString(vscode.env.language, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  return vscode.l10n.t("You have unsaved changes from {0}.", time);
}

/** The titles of the buttons beside it. */
export function draftOfferButtons(): { restoreDraft: string; discardDraft: string } {
  return {
    restoreDraft: vscode.l10n.t("Restore Draft"),
    discardDraft: vscode.l10n.t("Discard"),
  };
}
