// All open forms that create or change a knowledge base. Imported with the first one.
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerAccess } from "../../../shared/connection.ts";
import { panels } from "../../../ids.ts";
import { getKnowledgeBase } from "../../../mindsdb/knowledgeBases.ts";
import type { KnowledgeBaseRef } from "../../../mindsdb/references.ts";
import {
  FormPages,
  newItemForm,
  savedForm,
  storedItemForm,
  targetOfItem,
  type FormPagesOptions,
} from "../../../shared/host/formPages.ts";
import { chooseEmbedding, createDraft, emptyDraft } from "../../form/knowledgeBaseDraft.ts";
import {
  knowledgeBaseForm,
  knowledgeBaseFormCalls,
  type FormContent,
  type KnowledgeBaseForm,
} from "../../form/knowledgeBaseForm.ts";
import type { Field, LoadedData } from "../../form/validation.ts";
import { KnowledgeBaseFormPage, type KnowledgeBaseFormOptions } from "./knowledgeBaseFormPage.ts";
import { loadFormData } from "./saveForm.ts";

/** How long a form waits for server data before it opens without, in ms. */
const maxLoadMs = 1_500;

type KnowledgeBaseFormsOptions = FormPagesOptions & KnowledgeBaseFormOptions;

export class KnowledgeBaseForms extends FormPages<
  KnowledgeBaseForm,
  Field,
  FormContent,
  typeof knowledgeBaseFormCalls,
  KnowledgeBaseFormPage
> {
  readonly #servers: ServerAccess;

  constructor(options: KnowledgeBaseFormsOptions) {
    super(
      {
        viewType: panels.knowledgeBaseForm,
        page: "knowledgeBaseForm",
        icon: "knowledgeBase",
        calls: knowledgeBaseFormCalls,
        form: knowledgeBaseForm,
        pageState: savedForm(knowledgeBaseForm),
        targetOf: (form) => targetOfItem("knowledgeBase", form),
        create: (opened) => new KnowledgeBaseFormPage(opened, options),
      },
      options,
    );
    this.#servers = options.servers;
  }

  /** Opens a form for a new knowledge base in this project. */
  async create(connectionId: string, project: string): Promise<void> {
    const loaded = await this.#load(connectionId);
    const draft = chooseEmbedding(emptyDraft(project), loaded?.defaults.embedding);
    this.show(newItemForm(connectionId, draft), { loaded });
  }

  /** Opens the form of a knowledge base. Throws AppError. */
  async edit({ connectionId, project, name }: KnowledgeBaseRef): Promise<void> {
    const client = await this.#servers.client(connectionId);
    const draft = createDraft(await getKnowledgeBase(client, project, name), project);
    const form = storedItemForm(connectionId, draft);
    this.show(form, { loaded: await this.#load(connectionId) });
  }

  /** Returns the server's data; undefined if that takes too long or fails: the form asks again and shows the error. */
  #load(connectionId: string): Promise<LoadedData | undefined> {
    const loading = loadFormData(this.#servers, connectionId).catch(() => undefined);
    return Promise.race([loading, sleep(maxLoadMs, undefined)]);
  }
}
