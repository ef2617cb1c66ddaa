// All open forms that create or change a knowledge base. Imported with the first one.
import { setTimeout as sleep } from "node:timers/promises";
import type * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { panels } from "../../ids.ts";
import { getKnowledgeBase } from "../../mindsdb/knowledgeBases.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import { FormPanels } from "../../shared/host/formPanels.ts";
import type { Log } from "../../shared/host/log.ts";
import { createDraft, emptyDraft } from "../form/knowledgeBaseDraft.ts";
import type { LoadedData } from "../form/validation.ts";
import {
  pageState,
  toHost,
  type KnowledgeBaseForm,
  type ToHost,
  type ToPage,
} from "../formMessages.ts";
import { draftTarget, KnowledgeBaseFormPanel } from "./knowledgeBaseFormPanel.ts";
import { loadFormData } from "./saveForm.ts";

/** How long a form waits for server data before it opens without, in ms. */
const maxLoadMs = 1_500;

interface KnowledgeBaseFormsOptions {
  extensionUri: vscode.Uri;
  servers: ServerAccess;
  log: Log;
  /** The folder for unsaved changes of closed forms; it need not exist. */
  draftsFolder: string;
  onSaved: (knowledgeBase: KnowledgeBaseRef, isNew: boolean) => void;
}

export class KnowledgeBaseForms extends FormPanels<
  ToHost,
  ToPage,
  KnowledgeBaseForm,
  LoadedData,
  KnowledgeBaseFormPanel
> {
  readonly #servers: ServerAccess;

  constructor(options: KnowledgeBaseFormsOptions) {
    super({
      ...options,
      viewType: panels.knowledgeBaseForm,
      page: "knowledgeBaseForm",
      icon: "knowledgeBase",
      incoming: toHost,
      pageState,
      keyOf: panelKey,
      create: (form, post, hooks, loaded) => {
        const onSaved = (panel: KnowledgeBaseFormPanel, knowledgeBase: KnowledgeBaseRef): void => {
          options.onSaved(knowledgeBase, panel.form.before === undefined);
          this.close(panel.form);
        };
        return new KnowledgeBaseFormPanel(form, post, { ...options, ...hooks, onSaved }, loaded);
      },
    });
    this.#servers = options.servers;
  }

  /** Opens a form for a new knowledge base in this project. */
  async create(connectionId: string, project: string): Promise<void> {
    const loaded = await this.#load(connectionId);
    const draft = emptyDraft(project);
    // Without a default model on the server, only a custom model is possible.
    if (loaded?.defaults.embedding === "") {
      draft.embedding = { ...draft.embedding, choice: "own" };
    }
    this.show({ id: crypto.randomUUID(), connectionId, draft, initial: draft }, loaded);
  }

  /** Opens the form of a knowledge base. Throws AppError. */
  async edit({ connectionId, project, name }: KnowledgeBaseRef): Promise<void> {
    const client = await this.#servers.client(connectionId);
    const draft = createDraft(await getKnowledgeBase(client, project, name), project);
    const form = { id: crypto.randomUUID(), connectionId, before: draft, draft, initial: draft };
    this.show(form, await this.#load(connectionId));
  }

  /** Returns the server's data; undefined if that takes too long or fails: the form asks again and shows the error. */
  #load(connectionId: string): Promise<LoadedData | undefined> {
    const loading = loadFormData(this.#servers, connectionId).catch(() => undefined);
    return Promise.race([loading, sleep(maxLoadMs, undefined)]);
  }
}

/** Returns one key per edited knowledge base; forms for new ones have unique keys. */
function panelKey(form: KnowledgeBaseForm): string {
  return form.before ? draftTarget(form) : form.id;
}
