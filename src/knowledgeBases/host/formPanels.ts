// All open forms that create or change a knowledge base. Imported with the first one.
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import type * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { panels } from "../../ids.ts";
import { getKnowledgeBase } from "../../mindsdb/knowledgeBases.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import { DraftStore } from "../../shared/host/draftStore.ts";
import type { Log } from "../../shared/host/log.ts";
import { Panels, type PanelRestorer, type PostToPage } from "../../shared/host/panels.ts";
import { createDraft, emptyDraft } from "../form/knowledgeBaseDraft.ts";
import type { LoadedData } from "../form/validation.ts";
import {
  pageState,
  toHost,
  type KnowledgeBaseForm,
  type ToHost,
  type ToPage,
} from "../formMessages.ts";
import { draftTarget, FormPanel } from "./formPanel.ts";
import { loadFormData } from "./saveForm.ts";

/** How long a form waits for server data before it opens without, in ms. */
const maxLoadMs = 1_500;

export interface FormPanelsOptions {
  extensionUri: vscode.Uri;
  servers: ServerAccess;
  log: Log;
  /** The folder for unsaved changes of closed forms; it need not exist. */
  draftsFolder: string;
  /** A knowledge base was created or changed. */
  onSaved: (knowledgeBase: KnowledgeBaseRef, isNew: boolean) => void;
}

export class FormPanels implements PanelRestorer {
  readonly #options: FormPanelsOptions;
  readonly #panels: Panels<ToHost, ToPage, FormPanel>;
  readonly #drafts: DraftStore;

  constructor(options: FormPanelsOptions) {
    const { extensionUri, log } = options;
    this.#options = options;
    this.#drafts = new DraftStore(options.draftsFolder, (error) =>
      log.error("A draft could not be kept", error),
    );
    this.#panels = new Panels({
      viewType: panels.knowledgeBaseForm,
      extensionUri,
      page: "knowledgeBaseForm",
      icon: "knowledgeBase",
      incoming: toHost,
      restore: (state) => {
        const saved = v.safeParse(pageState, state);
        if (!saved.success) return undefined;
        const { form } = saved.output;
        return { key: panelKey(form), create: (post) => this.#create(form, post) };
      },
      log,
    });
  }

  /** The forms that are open, the oldest first. */
  get contents(): FormPanel[] {
    return this.#panels.contents;
  }

  /** Opens a form for a new knowledge base in this project. */
  async create(connectionId: string, project: string): Promise<void> {
    const loaded = await this.#load(connectionId);
    const draft = emptyDraft(project);
    // Without a default model on the server, only a custom model is possible.
    if (loaded?.defaults.embedding === "") {
      draft.embedding = { ...draft.embedding, choice: "own" };
    }
    this.#show({ id: crypto.randomUUID(), connectionId, draft, initial: draft }, loaded);
  }

  /** Opens the form of a knowledge base. Throws AppError. */
  async edit({ connectionId, project, name }: KnowledgeBaseRef): Promise<void> {
    const client = await this.#options.servers.client(connectionId);
    const draft = createDraft(await getKnowledgeBase(client, project, name), project);
    const form = { id: crypto.randomUUID(), connectionId, before: draft, draft, initial: draft };
    this.#show(form, await this.#load(connectionId));
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#panels.restore(panel, state);
  }

  #show(form: KnowledgeBaseForm, loaded: LoadedData | undefined): void {
    this.#panels.show(panelKey(form), (post) => this.#create(form, post, loaded));
  }

  #create(form: KnowledgeBaseForm, post: PostToPage<ToPage>, loaded?: LoadedData): FormPanel {
    const options = {
      ...this.#options,
      drafts: this.#drafts,
      onDirtyChanged: (panel: FormPanel) => this.#panels.updateTitle(panel),
      onFormReplaced: (panel: FormPanel) => this.#panels.rename(panel, panelKey(panel.form)),
      onSaved: (panel: FormPanel, knowledgeBase: KnowledgeBaseRef) => {
        this.#options.onSaved(knowledgeBase, panel.form.before === undefined);
        this.#panels.close(panelKey(panel.form));
      },
    };
    return new FormPanel(form, post, options, loaded);
  }

  /** Returns the server's data; undefined if that takes too long or fails: the form asks again and shows the error. */
  #load(connectionId: string): Promise<LoadedData | undefined> {
    const loading = loadFormData(this.#options.servers, connectionId).catch(() => undefined);
    return Promise.race([loading, sleep(maxLoadMs, undefined)]);
  }
}

/** Returns one key per edited knowledge base; forms for new ones have unique keys. */
function panelKey(form: KnowledgeBaseForm): string {
  return form.before ? draftTarget(form) : form.id;
}
