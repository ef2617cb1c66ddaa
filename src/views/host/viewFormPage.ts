import * as vscode from "vscode";
import { isAppError } from "../../mindsdb/errors.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import { singleSelect } from "../../mindsdb/sql/singleSelect.ts";
import { askConsent } from "../../shared/host/consent.ts";
import { FormPage, type FormPageOptions, type OpenedForm } from "../../shared/host/formPage.ts";
import { presentStatement } from "../../shared/host/presentStatement.ts";
import type { Problem } from "../../shared/formPage.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import { findViewProblem } from "../validation.ts";
import type { ViewDraft, ViewField } from "../viewDraft.ts";
import { viewFormTitle, type ViewContent, type ViewForm, type viewFormCalls } from "../viewForm.ts";
import { loadChoices, readPreview, saveView } from "./viewServer.ts";

export interface ViewFormOptions extends FormPageOptions {
  /** The view was created or changed. */
  onSaved: (view: ItemRef) => void;
}

export class ViewFormPage extends FormPage<ViewForm, ViewField, ViewContent, typeof viewFormCalls> {
  readonly handlers: Handlers<typeof viewFormCalls>;
  readonly #options: ViewFormOptions;

  constructor(opened: OpenedForm<ViewForm, ViewContent>, options: ViewFormOptions) {
    super(opened, options);
    this.#options = options;
    this.handlers = {
      ...this.formHandlers,
      preview: (draft) => {
        this.update({ isPreviewing: true, preview: undefined });
        return this.submit(draft, {}, (signal) => this.#preview(draft, signal)).finally(() =>
          this.update({ isPreviewing: false }),
        );
      },
    };
    if (!opened.content.choices) void this.load();
  }

  get title(): string {
    return viewFormTitle(this.form);
  }

  protected override async send(
    draft: ViewDraft,
    _: unknown,
    signal: AbortSignal,
  ): Promise<undefined> {
    const { servers, onSaved } = this.#options;
    const { project, name } = draft;
    const { connectionId } = this;
    if (!(await saveView(servers, this.form, draft, signal))) throw this.refusedError();
    this.closeSaved(name);
    onSaved({ connectionId, project, name });
  }

  protected override findProblem(error: unknown, draft: ViewDraft): Problem<ViewField> | undefined {
    return findViewProblem(error, draft);
  }

  /** Reads the first rows; asks before that costs money or changes data. */
  async #preview(draft: ViewDraft, signal: AbortSignal): Promise<string | undefined> {
    const client = await this.#options.servers.client(this.connectionId);
    try {
      const rows = await readPreview(client, draft, { signal });
      this.update({ preview: { of: draft.query, rows } });
    } catch (error) {
      if (!isAppError(error, "mayCost")) throw error;
      const button = vscode.l10n.t("Load Preview");
      const detail = await presentStatement(singleSelect(draft.query) ?? "");
      const message = vscode.l10n.t("Load rows that may cost money?");
      if (detail === undefined || (await askConsent(message, detail, button)) !== button) {
        return vscode.l10n.t("Reading these rows may cost money, so they were not read.");
      }
      const rows = await readPreview(client, draft, { signal, isAllowed: true });
      this.update({ preview: { of: draft.query, rows } });
    }
    return undefined;
  }

  protected override load(): Promise<void> {
    const { servers } = this.#options;
    return this.loadContent(async (signal) => ({
      choices: await loadChoices(servers, this.connectionId, signal),
    }));
  }
}
