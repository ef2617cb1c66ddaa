import * as vscode from "vscode";
import type { KnowledgeBaseRef } from "../../../mindsdb/references.ts";
import {
  FormPage,
  ProblemError,
  type FormPageOptions,
  type OpenedForm,
} from "../../../shared/host/formPage.ts";
import type { Handlers } from "../../../shared/pageProtocol.ts";
import { createKnowledgeBaseStatement } from "../../form/createStatement.ts";
import {
  buildCreateFields,
  chooseEmbedding,
  type KnowledgeBaseDraft,
  type ModelKind,
} from "../../form/knowledgeBaseDraft.ts";
import {
  formTitle,
  type FormContent,
  type KnowledgeBaseForm,
  type knowledgeBaseFormCalls,
} from "../../form/knowledgeBaseForm.ts";
import type { Field, Problem } from "../../form/validation.ts";
import { copyStatement, explainSaveError, loadFormData, saveKnowledgeBase } from "./saveForm.ts";

export interface KnowledgeBaseFormOptions extends FormPageOptions {
  /** The knowledge base was created or changed. */
  onSaved: (knowledgeBase: KnowledgeBaseRef, isNew: boolean) => void;
}

export class KnowledgeBaseFormPage extends FormPage<
  KnowledgeBaseForm,
  Field,
  FormContent,
  typeof knowledgeBaseFormCalls
> {
  readonly handlers: Handlers<typeof knowledgeBaseFormCalls>;
  readonly #options: KnowledgeBaseFormOptions;

  constructor(
    opened: OpenedForm<KnowledgeBaseForm, FormContent>,
    options: KnowledgeBaseFormOptions,
  ) {
    super(opened, options);
    this.#options = options;
    this.handlers = {
      ...this.formHandlers,
      copySql: (draft, hadKeys) => this.#copySql(draft, hadKeys),
    };
    this.offerServerSettings();
    if (!opened.content.loaded) void this.load();
  }

  get title(): string {
    return formTitle(this.form);
  }

  protected override async send(
    draft: KnowledgeBaseDraft,
    keys: Record<string, string>,
    signal: AbortSignal,
  ): Promise<undefined> {
    const { servers, onSaved } = this.#options;
    const { connectionId, before } = this.form;
    const keyOf = (kind: ModelKind): string =>
      before || draft[kind].choice === "own" ? (keys[kind] ?? "") : "";
    const outcome = await saveKnowledgeBase(servers, connectionId, {
      draft,
      keys: { embedding: keyOf("embedding"), reranking: keyOf("reranking") },
      before,
      signal,
    });
    if (outcome === "declined") throw this.refusedError();
    if (outcome === "unchanged") {
      throw new ProblemError({ field: "form", text: vscode.l10n.t("Nothing has changed.") });
    }
    if (outcome !== "saved") throw new ProblemError(outcome);
    const { project, name } = draft;
    this.closeSaved(name);
    onSaved({ connectionId, project, name }, before === undefined);
  }

  protected override findProblem(error: unknown, draft: KnowledgeBaseDraft): Problem | undefined {
    return explainSaveError(error, draft, this.form.before === undefined);
  }

  /** The server may have a default model now. */
  override onActivated(): void {
    if (this.state.current.loaded?.defaults.embedding === "") void this.load();
  }

  protected override async load(): Promise<void> {
    const { servers } = this.#options;
    await this.loadContent(async (signal) => ({
      loaded: await loadFormData(servers, this.connectionId, signal),
    }));
    const { form } = this;
    if (form.before || this.isDirty) return;
    // The form was opened before a slow server had answered.
    const draft = chooseEmbedding(form.draft, this.state.current.loaded?.defaults.embedding);
    if (draft !== form.draft) this.replace({ ...form, draft, initial: draft });
  }

  async #copySql(draft: KnowledgeBaseDraft, hadKeys: Record<string, boolean>): Promise<string> {
    const { before, connectionId } = this.form;
    // Any text does: the statement has a placeholder for it.
    const keyOf = (kind: ModelKind): string =>
      hadKeys[kind] || before?.[kind].choice === "own" ? "key" : "";
    const keys = { embedding: keyOf("embedding"), reranking: keyOf("reranking") };
    const whole = buildCreateFields(draft, keys);
    const fields = this.#options.servers.secrets(connectionId).redactKnownValue(whole);
    return copyStatement(createKnowledgeBaseStatement(draft.project, draft.name, fields));
  }
}
