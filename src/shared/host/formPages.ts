// The open forms of one kind. VS Code cannot ask before it closes one: so its unsaved changes are kept, and the next form
// for the same target begins with them.
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import * as vscode from "vscode";
import { encodePart } from "../../mindsdb/encodePart.ts";
import type { ItemPlace } from "../../mindsdb/references.ts";
import { isTooLongToEdit, type AnyForm, type FormCalls, type Problem } from "../formPage.ts";
import type { Calls } from "../pageProtocol.ts";
import { DraftStore } from "./draftStore.ts";
import type { FormPage, FormPageOptions, OpenedForm } from "./formPage.ts";
import { formatTime } from "./formatTime.ts";
import { showStatus, showWarning } from "./notifications.ts";
import { Pages } from "./pages.ts";
import { restoreSecrets } from "../typedSecrets.ts";
import type { PanelRestorer } from "./restorePanels.ts";
import type { TabIcon } from "./tabIcons.ts";

export interface FormPagesOptions extends FormPageOptions {
  extensionUri: vscode.Uri;
  /** The folder for unsaved changes of closed forms; it need not exist. */
  draftsFolder: string;
}

interface FormKind<Form extends AnyForm, Content extends object, All extends Calls, Shown> {
  viewType: string;
  page: string;
  icon: TabIcon;
  calls: FormCalls<Form["draft"]> & All;
  /** Schema of kept forms: files can be from older versions. */
  form: v.GenericSchema<unknown, Form>;
  /** Schema of what the page has saved. */
  pageState: v.GenericSchema<unknown, Omit<OpenedForm<Form, Content>, "keptNote">>;
  /** Forms with the same key are one page. By default, the form of an item opens once, forms for new ones any number of times. */
  keyOf?: (form: Form) => string;
  /** A form's subject, like `edit/<connection>/<project>/<agent>`. */
  targetOf: (form: Form) => string;
  create: (opened: OpenedForm<Form, Content>) => Shown;
}

/** The saved state of a page that saves only its form. */
export function savedForm<Form extends AnyForm>(schema: v.GenericSchema<unknown, Form>) {
  return v.pipe(
    v.object({ form: schema }),
    v.transform(({ form }) => ({ form, content: {} })),
  );
}

/** The target of a form that creates or edits an item of a project: its next form begins with its unsaved changes. */
export function targetOfItem(
  kind: string,
  { connectionId, before }: { connectionId: string; before?: ItemPlace | undefined },
): string {
  return before
    ? joinTarget(kind, "edit", connectionId, before.project, before.name)
    : joinTarget(kind, "create", connectionId);
}

/** The form of a new item, whose fields begin with `draft`. */
export function newItemForm<Draft>(connectionId: string, draft: Draft) {
  return { id: crypto.randomUUID(), connectionId, draft, initial: draft };
}

/** The form of an item as the server has it. */
export function storedItemForm<Draft>(connectionId: string, before: Draft) {
  return { ...newItemForm(connectionId, before), before };
}

export function joinTarget(...parts: string[]): string {
  return parts.map(encodePart).join("/");
}

export class FormPages<
  Form extends AnyForm,
  Field extends string,
  Content extends object,
  More extends Calls,
  Shown extends FormPage<Form, Field, Content, More>,
> implements PanelRestorer {
  readonly #kind: FormKind<Form, Content, More, Shown>;
  readonly #drafts: DraftStore;
  readonly #pages: Pages<FormCalls<Form["draft"]> & More, Shown>;

  constructor(kind: FormKind<Form, Content, More, Shown>, options: FormPagesOptions) {
    const { log, draftsFolder } = options;
    this.#kind = kind;
    this.#drafts = new DraftStore(draftsFolder, (error) =>
      log.error("A draft could not be kept", error),
    );
    this.#pages = new Pages({
      ...options,
      ...kind,
      restore: (state) => {
        const saved = v.safeParse(kind.pageState, state);
        if (!saved.success) return undefined;
        const opened = saved.output;
        const create = () => this.#create({ ...opened, isRestored: true });
        return { key: this.#keyOf(opened.form), create };
      },
    });
  }

  /** The forms that are open, the oldest first. */
  get contents(): Shown[] {
    return this.#pages.contents;
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#pages.restore(panel, state);
  }

  /**
   * Opens a form, or reveals the open one that began in the same way; with `isChosen` its draft is wanted, and not one that
   * was kept or is open.
   */
  protected show(form: Form, content: Content, { isChosen = false } = {}): void {
    if (isTooLongToEdit(form)) {
      void showWarning(vscode.l10n.t("Some text is too long to edit in a form."));
      return;
    }
    const { targetOf } = this.#kind;
    const open = this.contents.find(
      (page) =>
        !page.isDone &&
        targetOf(page.form) === targetOf(form) &&
        isDeepStrictEqual(page.form.initial, form.initial),
    );
    const key = this.#keyOf(isChosen ? form : (open?.form ?? form));
    this.#pages.show(key, () =>
      this.#create({ ...(isChosen ? { form } : this.#withKept(form)), content }),
    );
  }

  /** Closes a form, unless it is closed already: another one may have its key. */
  #close(page: Shown): void {
    if (this.contents.includes(page)) this.#pages.close(this.#keyOf(page.form));
  }

  #keyOf(form: Form): string {
    const { keyOf, targetOf } = this.#kind;
    if (keyOf) return keyOf(form);
    return form.before === undefined ? form.id : targetOf(form);
  }

  #create(opened: OpenedForm<Form, Content>): Shown {
    const page = this.#kind.create(opened);
    page.hooks = {
      onTabChanged: () => this.#pages.rename(page, this.#keyOf(page.form)),
      keep: (form) => this.#keep(form, page.title),
      forget: ({ id }) => this.#drafts.forget(id),
      reopen: (form, failure) => this.#reopen(form, failure),
      close: () => this.#close(page),
    };
    return page;
  }

  #keep(form: Form, title: string): void {
    const { id } = form;
    const target = this.#kind.targetOf(form);
    if (!this.#drafts.keep({ id, target, savedAt: Date.now(), form })) return;
    showStatus(vscode.l10n.t("Unsaved changes kept as a draft: {0}", title), 6_000);
  }

  /** Opens a form with what it had when it was closed. */
  #reopen(form: Form, failure: Problem): void {
    this.#pages.show(this.#keyOf(form), () => {
      this.#drafts.forget(form.id);
      return this.#create({ ...v.parse(this.#kind.pageState, { form }), failure });
    });
  }

  #withKept(form: Form): { form: Form; keptNote?: string } {
    const { form: schema, targetOf } = this.#kind;
    const kept = this.#drafts.takeNewest(targetOf(form), (read) => {
      const checked = v.safeParse(schema, read);
      return checked.success ? checked.output : undefined;
    });
    if (!kept) return { form };
    const { draft, hadKeys, before } = kept.form;
    const note = vscode.l10n.t(
      "These are your unsaved changes from {0}.",
      formatTime(kept.savedAt),
    );
    const isOutdated =
      form.before && !isDeepStrictEqual(before && restoreSecrets(before, form.before), form.before);
    const changed = vscode.l10n.t("The server's version has changed since then.");
    const keptNote = isOutdated ? `${note} ${changed}` : note;
    const known = form.before ?? form.initial ?? form.draft;
    return { form: { ...form, draft: restoreSecrets(draft, known), hadKeys }, keptNote };
  }
}
