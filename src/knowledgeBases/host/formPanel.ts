// The host side of a form that creates or changes a knowledge base.
import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import { explainError } from "../../shared/host/errorMessages.ts";
import { FormDraft } from "../../shared/host/formDraft.ts";
import type { FormHooks } from "../../shared/host/formPanels.ts";
import type { Log } from "../../shared/host/log.ts";
import { NoticeButton } from "../../shared/host/noticeButton.ts";
import type { PanelContent, PostToPage } from "../../shared/host/panels.ts";
import { buildCreateFields, type KnowledgeBaseDraft } from "../form/knowledgeBaseDraft.ts";
import { createKnowledgeBaseStatement } from "../form/createStatement.ts";
import type { LoadedData } from "../form/validation.ts";
import {
  knowledgeBaseForm,
  type FormNotice,
  type KnowledgeBaseForm,
  type ToHost,
  type ToPage,
  type TypedKeys,
} from "../formMessages.ts";
import { createFormTexts, createFormTitle, formatProblem, formatTexts } from "../form/formTexts.ts";
import { explainSaveError, loadFormData, saveKnowledgeBase, type Failure } from "./saveForm.ts";

interface FormPanelOptions extends FormHooks<FormPanel> {
  servers: ServerAccess;
  log: Log;
  /** The knowledge base was created or changed: the form closes. */
  onSaved: (panel: FormPanel, knowledgeBase: KnowledgeBaseRef) => void;
}

/** What the form is for: its unsaved changes are offered to the next form with the same target. */
export function draftTarget({ connectionId, before }: KnowledgeBaseForm): string {
  const parts = before
    ? ["knowledgeBase", "edit", connectionId, before.project, before.name]
    : ["knowledgeBase", "create", connectionId];
  return parts.map(encodeURIComponent).join("/");
}

export class FormPanel implements PanelContent<ToHost, ToPage> {
  readonly #options: FormPanelOptions;
  readonly #post: PostToPage<ToPage>;
  readonly #button = new NoticeButton();
  readonly #draft: FormDraft<KnowledgeBaseForm, "draft" | "hadKeys">;
  #loaded: LoadedData | undefined;
  #loadError: FormNotice | undefined;
  #saveError: FormNotice | undefined;
  #sending: { since: number; abort: AbortController } | undefined;

  constructor(
    form: KnowledgeBaseForm,
    post: PostToPage<ToPage>,
    options: FormPanelOptions,
    loaded?: LoadedData,
  ) {
    this.#post = post;
    this.#options = options;
    this.#loaded = loaded;
    this.#draft = new FormDraft(form, {
      store: options.drafts,
      schema: knowledgeBaseForm,
      target: draftTarget,
      changed: ["draft", "hadKeys"],
      changedSince: formatTexts.changedSince,
      onDirtyChanged: () => options.onDirtyChanged(this),
    });
    this.#draft.find();
    if (!loaded) void this.#load();
  }

  get title(): string {
    return createFormTitle(this.form.before);
  }

  get isDirty(): boolean {
    return this.#draft.isDirty;
  }

  get form(): KnowledgeBaseForm {
    return this.#draft.form;
  }

  get connectionId(): string {
    return this.form.connectionId;
  }

  snapshot(): ToPage[] {
    return [
      this.#createBegin(),
      ...(this.#loaded ? [{ type: "loaded", data: this.#loaded } as const] : []),
      ...(this.#loadError ? [{ type: "loadError", notice: this.#loadError } as const] : []),
      ...this.#draft.offers,
      ...(this.#saveError ? [{ type: "refused", notice: this.#saveError } as const] : []),
      ...(this.#sending ? [this.#createProgress(this.#sending)] : []),
    ];
  }

  receive(message: ToHost): void {
    switch (message.type) {
      case "changed":
        this.#draft.change({ draft: message.draft, hadKeys: message.hasKeys });
        break;
      case "restoreDraft":
        if (this.#draft.restore(this.title)) this.#showForm();
        this.#post(this.#draft.offer);
        break;
      case "discardDraft":
        this.#draft.discard();
        this.#post(this.#draft.offer);
        break;
      case "send":
        void this.#send(message);
        break;
      case "cancel":
        this.#sending?.abort.abort();
        break;
      case "copy":
        void this.#copy(message.draft, message.hasKeys);
        break;
      case "accept":
        void this.#accept();
        break;
    }
  }

  /** Aborts the request and stores unsaved changes as a draft. */
  onClosed(): void {
    this.#sending?.abort.abort();
    this.#draft.close(this.title);
  }

  #createBegin(): ToPage {
    const { connectionId, before } = this.form;
    return {
      type: "begin",
      form: this.form,
      connection: this.#options.servers.find(connectionId)?.name ?? connectionId,
      texts: createFormTexts(before),
      locale: vscode.env.language,
    };
  }

  #createProgress({ since }: { since: number }): ToPage {
    return { type: "sending", elapsed: Date.now() - since };
  }

  /** Shows the restored form. */
  #showForm(): void {
    this.#saveError = undefined;
    this.#options.onFormReplaced(this);
    this.#post(this.#createBegin());
    if (this.#loaded) this.#post({ type: "loaded", data: this.#loaded });
  }

  async #load(): Promise<void> {
    const { servers, log } = this.#options;
    try {
      this.#loaded = await loadFormData(servers, this.connectionId);
      this.#loadError = undefined;
      this.#post({ type: "loaded", data: this.#loaded });
      this.#post({ type: "loadError" });
    } catch (error) {
      log.error("What a server has could not be read", error);
      const { message, action } = explainError(error, this.#about());
      this.#loadError = this.#createNotice({
        field: "form",
        text: formatTexts.loadFailed(message),
        action,
      });
      this.#post({ type: "loadError", notice: this.#loadError });
    }
  }

  /** Runs the action of the notice's button, then loads again: the action may have fixed the cause. */
  async #accept(): Promise<void> {
    if ((await this.#button.press()) && this.#loadError) await this.#load();
  }

  #about(): { connectionId: string; address: string | undefined } {
    const { connectionId } = this;
    return { connectionId, address: this.#options.servers.find(connectionId)?.address };
  }

  #createNotice({ field, text, action }: Failure): FormNotice {
    return { field, ...this.#button.createNotice({ message: text, action }) };
  }

  async #send({ draft, keys }: Extract<ToHost, { type: "send" }>): Promise<void> {
    if (this.#sending) return;
    const { connectionId, before } = this.form;
    const sending = { since: Date.now(), abort: new AbortController() };
    const { signal } = sending.abort;
    this.#sending = sending;
    this.#saveError = undefined;
    this.#post(this.#createProgress(sending));
    try {
      const { servers } = this.#options;
      const outcome = await saveKnowledgeBase(servers, connectionId, {
        draft,
        keys,
        before,
        signal,
      });
      this.#sending = undefined;
      if (outcome === "declined") {
        this.#showSaveError({ field: "form", text: formatTexts.declined() });
      } else if (outcome === "unchanged") {
        this.#showSaveError({ field: "form", text: formatTexts.unchanged() });
      } else if (outcome !== "saved") {
        this.#showSaveError({ field: outcome.field, text: formatProblem(outcome) });
      } else {
        this.#draft.saved();
        const { project, name } = draft;
        const told = before ? formatTexts.saved(name) : formatTexts.created(name);
        vscode.window.setStatusBarMessage(told, 4_000);
        this.#options.onSaved(this, { connectionId, project, name });
      }
    } catch (error) {
      this.#sending = undefined;
      this.#showSaveError(
        signal.aborted
          ? { field: "form", text: formatTexts.cancelled() }
          : this.#explainFailure(error, draft),
      );
    }
  }

  #explainFailure(error: unknown, draft: KnowledgeBaseDraft): Failure {
    const isNew = this.form.before === undefined;
    const what = isNew ? "created" : "changed";
    this.#options.log.error(`The knowledge base ${draft.name} could not be ${what}`, error);
    const problem = explainSaveError(error, draft, isNew);
    if (problem) return { field: problem.field, text: formatProblem(problem) };
    const { message, action } = explainError(error, this.#about());
    return { field: "form", text: message, action };
  }

  #showSaveError(failure: Failure): void {
    this.#saveError = this.#createNotice(failure);
    this.#post({ type: "refused", notice: this.#saveError });
  }

  async #copy(draft: KnowledgeBaseDraft, hasKeys: TypedKeys): Promise<void> {
    const { before, connectionId } = this.form;
    // Any text does: the statement has a placeholder for it.
    const isKept = (kind: "embedding" | "reranking") =>
      hasKeys[kind] || before?.[kind].choice === "own" ? "key" : "";
    const keys = { embedding: isKept("embedding"), reranking: isKept("reranking") };
    const whole = buildCreateFields(draft, keys);
    const fields = this.#options.servers
      .secrets(connectionId)
      .redactKnownValue(whole) as typeof whole;
    const text = createKnowledgeBaseStatement(draft.project, draft.name, fields);
    if (text !== undefined) await vscode.env.clipboard.writeText(text);
    this.#post({
      type: "status",
      text: text === undefined ? formatTexts.noStatement() : formatTexts.copied(),
    });
  }
}
