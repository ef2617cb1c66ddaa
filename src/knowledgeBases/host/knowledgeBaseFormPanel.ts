// The host side of a form that creates or changes a knowledge base.
import * as vscode from "vscode";
import { encodePart } from "../../mindsdb/encodePart.ts";
import type { ServerAccess } from "../../connections/connection.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import type { FormHooks } from "../../shared/host/formPanels.ts";
import { FormState, type FormFailure } from "../../shared/host/formState.ts";
import type { Log } from "../../shared/host/log.ts";
import type { PanelContent, PostToPage } from "../../shared/host/panels.ts";
import { buildCreateFields, type KnowledgeBaseDraft } from "../form/knowledgeBaseDraft.ts";
import { createKnowledgeBaseStatement } from "../form/createStatement.ts";
import type { Field, LoadedData } from "../form/validation.ts";
import {
  knowledgeBaseForm,
  type KnowledgeBaseForm,
  type ToHost,
  type ToPage,
  type TypedKeys,
} from "../formMessages.ts";
import { createFormTexts, createFormTitle, formatProblem, formatTexts } from "../form/formTexts.ts";
import { explainSaveError, loadFormData, saveKnowledgeBase } from "./saveForm.ts";
import { showStatus } from "../../shared/host/notifications.ts";

interface FormPanelOptions extends FormHooks<KnowledgeBaseFormPanel> {
  servers: ServerAccess;
  log: Log;
  /** The knowledge base was created or changed: the form closes. */
  onSaved: (panel: KnowledgeBaseFormPanel, knowledgeBase: KnowledgeBaseRef) => void;
}

/** What the form is for: its unsaved changes are offered to the next form with the same target. */
export function draftTarget({ connectionId, before }: KnowledgeBaseForm): string {
  const parts = before
    ? ["knowledgeBase", "edit", connectionId, before.project, before.name]
    : ["knowledgeBase", "create", connectionId];
  return parts.map(encodePart).join("/");
}

export class KnowledgeBaseFormPanel implements PanelContent<ToHost, ToPage> {
  readonly #options: FormPanelOptions;
  readonly #post: PostToPage<ToPage>;
  readonly #state: FormState<KnowledgeBaseForm, "draft" | "hadKeys", Field>;
  #loaded: LoadedData | undefined;

  constructor(
    form: KnowledgeBaseForm,
    post: PostToPage<ToPage>,
    options: FormPanelOptions,
    loaded?: LoadedData,
  ) {
    this.#post = post;
    this.#options = options;
    this.#loaded = loaded;
    this.#state = new FormState(form, {
      servers: options.servers,
      store: options.drafts,
      schema: knowledgeBaseForm,
      target: draftTarget,
      changed: ["draft", "hadKeys"],
      changedSince: formatTexts.changedSince,
      post,
      title: () => this.title,
      onDirtyChanged: () => options.onDirtyChanged(this),
      onRestored: () => this.#showForm(),
      onNoticeAccepted: () => {
        if (this.#state.hasLoadError) void this.#load();
      },
    });
    this.#state.draft.find();
    if (!loaded) void this.#load();
  }

  get title(): string {
    return createFormTitle(this.form.before);
  }

  get isDirty(): boolean {
    return this.#state.draft.isDirty;
  }

  get form(): KnowledgeBaseForm {
    return this.#state.draft.form;
  }

  get connectionId(): string {
    return this.form.connectionId;
  }

  snapshot(): ToPage[] {
    return [
      this.#createBegin(),
      ...(this.#loaded ? [{ type: "loaded", data: this.#loaded } as const] : []),
      ...this.#state.messages,
    ];
  }

  receive(message: ToHost): void {
    switch (message.type) {
      case "changed":
        this.#state.draft.change({ draft: message.draft, hadKeys: message.hasKeys });
        break;
      case "send":
        void this.#send(message);
        break;
      case "copy":
        void this.#copy(message.draft, message.hasKeys);
        break;
      case "restoreDraft":
      case "discardDraft":
      case "cancel":
      case "accept":
        this.#state.receive(message);
        break;
    }
  }

  /** Aborts the request and stores unsaved changes as a draft. */
  onClosed(): void {
    this.#state.cancel();
    this.#state.close();
  }

  #createBegin(): ToPage {
    return {
      type: "begin",
      form: this.form,
      connection: this.#state.connectionName,
      texts: createFormTexts(this.form.before),
      locale: vscode.env.language,
    };
  }

  /** Shows the restored form. */
  #showForm(): void {
    this.#state.clearRefusal();
    this.#options.onFormReplaced(this);
    this.#post(this.#createBegin());
    if (this.#loaded) this.#post({ type: "loaded", data: this.#loaded });
  }

  async #load(): Promise<void> {
    const { servers, log } = this.#options;
    try {
      this.#loaded = await loadFormData(servers, this.connectionId);
      this.#post({ type: "loaded", data: this.#loaded });
      this.#state.showLoadError(undefined);
    } catch (error) {
      log.error("What a server has could not be read", error);
      const failure = this.#state.explain(error, "form");
      this.#state.showLoadError({ ...failure, text: formatTexts.loadFailed(failure.text) });
    }
  }

  async #send({ draft, keys }: Extract<ToHost, { type: "send" }>): Promise<void> {
    const { servers } = this.#options;
    const { connectionId, before } = this.form;
    await this.#state.send({
      request: (signal) =>
        saveKnowledgeBase(servers, connectionId, { draft, keys, before, signal }),
      show: (outcome) => {
        if (outcome === "declined") return { field: "form", text: formatTexts.declined() };
        if (outcome === "unchanged") return { field: "form", text: formatTexts.unchanged() };
        if (outcome !== "saved") return { field: outcome.field, text: formatProblem(outcome) };
        this.#state.draft.saved();
        const { project, name } = draft;
        const message = before ? formatTexts.saved(name) : formatTexts.created(name);
        showStatus(message);
        this.#options.onSaved(this, { connectionId, project, name });
        return undefined;
      },
      explain: (error, isCancelled) =>
        isCancelled
          ? { field: "form", text: formatTexts.cancelled() }
          : this.#explainFailure(error, draft),
    });
  }

  #explainFailure(error: unknown, draft: KnowledgeBaseDraft): FormFailure<Field> {
    const isNew = this.form.before === undefined;
    const what = isNew ? "created" : "changed";
    this.#options.log.error(`The knowledge base ${draft.name} could not be ${what}`, error);
    const problem = explainSaveError(error, draft, isNew);
    if (problem) return { field: problem.field, text: formatProblem(problem) };
    return this.#state.explain(error, "form");
  }

  async #copy(draft: KnowledgeBaseDraft, hasKeys: TypedKeys): Promise<void> {
    const { before, connectionId } = this.form;
    // Any text does: the statement has a placeholder for it.
    const isKept = (kind: "embedding" | "reranking") =>
      hasKeys[kind] || before?.[kind].choice === "own" ? "key" : "";
    const keys = { embedding: isKept("embedding"), reranking: isKept("reranking") };
    const whole = buildCreateFields(draft, keys);
    const fields = this.#options.servers.secrets(connectionId).redactKnownValue(whole);
    const text = createKnowledgeBaseStatement(draft.project, draft.name, fields);
    if (text !== undefined) await vscode.env.clipboard.writeText(text);
    this.#post({
      type: "status",
      text: text === undefined ? formatTexts.noStatement() : formatTexts.copied(),
    });
  }
}
