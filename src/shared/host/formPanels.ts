import * as v from "valibot";
import type * as vscode from "vscode";
import { DraftStore } from "./draftStore.ts";
import { Panels, type PanelContent, type PanelKind, type PostToPage } from "./panels.ts";
import type { PanelRestorer } from "./restorePanels.ts";

/** What every form needs of the others of its kind. */
export interface FormHooks<Panel> {
  /** Unsaved changes of closed forms. */
  drafts: DraftStore;
  /** The form now has unsaved changes, or no longer has any. */
  onDirtyChanged: (panel: Panel) => void;
  /** The panel shows another form. */
  onFormReplaced: (panel: Panel) => void;
}

interface FormPanelsOptions<ToHost, ToPage, Form, Known, Panel> extends Omit<
  PanelKind<ToHost, ToPage, Panel>,
  "restore"
> {
  /** The folder for unsaved changes of closed forms; it need not exist. */
  draftsFolder: string;
  pageState: v.GenericSchema<unknown, { form: Form; known?: Known | undefined }>;
  /** Forms with the same key are one panel. */
  keyOf: (form: Form) => string;
  /** `known` is what is known besides the form when it opens. */
  create: (
    form: Form,
    post: PostToPage<ToPage>,
    hooks: FormHooks<Panel>,
    known: Known | undefined,
  ) => Panel;
}

/** The open forms of one kind. */
export class FormPanels<
  ToHost,
  ToPage,
  Form,
  Known,
  Panel extends PanelContent<ToHost, ToPage> & { readonly form: Form },
> implements PanelRestorer {
  readonly #options: FormPanelsOptions<ToHost, ToPage, Form, Known, Panel>;
  readonly #panels: Panels<ToHost, ToPage, Panel>;
  readonly #hooks: FormHooks<Panel>;

  constructor(options: FormPanelsOptions<ToHost, ToPage, Form, Known, Panel>) {
    const { draftsFolder, log, keyOf, pageState } = options;
    this.#options = options;
    this.#hooks = {
      drafts: new DraftStore(draftsFolder, (error) =>
        log.error("A draft could not be kept", error),
      ),
      onDirtyChanged: (panel) => this.#panels.updateTitle(panel),
      onFormReplaced: (panel) => this.#panels.rename(panel, keyOf(panel.form)),
    };
    this.#panels = new Panels({
      ...options,
      restore: (state) => {
        const saved = v.safeParse(pageState, state);
        if (!saved.success) return undefined;
        const { form, known } = saved.output;
        return { key: keyOf(form), create: (post) => this.#create(form, post, known) };
      },
    });
  }

  /** The forms that are open, the oldest first. */
  get contents(): Panel[] {
    return this.#panels.contents;
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#panels.restore(panel, state);
  }

  protected show(form: Form, known?: Known): void {
    this.#panels.show(this.#options.keyOf(form), (post) => this.#create(form, post, known));
  }

  protected close(form: Form): void {
    this.#panels.close(this.#options.keyOf(form));
  }

  #create(form: Form, post: PostToPage<ToPage>, known: Known | undefined): Panel {
    return this.#options.create(form, post, this.#hooks, known);
  }
}
