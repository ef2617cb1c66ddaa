// All open agent forms. Imported with the first one.
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import type { ServerAccess } from "../../shared/connection.ts";
import type { StoredAgent } from "../../mindsdb/agents.ts";
import { panels } from "../../ids.ts";
import { FormPages, type FormPagesOptions } from "../../shared/host/formPages.ts";
import { createDraft, emptyDraft, findFreeName, type AgentDraft } from "../agentDraft.ts";
import { toPlainName } from "../../mindsdb/sql/plainName.ts";
import {
  agentForm,
  agentFormCalls,
  createdAgent,
  type AgentForm,
  type AgentFormContent,
} from "../agentForm.ts";
import type { Field } from "../agentProblems.ts";
import type { LoadedData } from "../validation.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import { ServerCatalog } from "./serverCatalog.ts";
import { AgentFormPage, type AgentFormOptions } from "./agentFormPage.ts";
import { draftTarget, editForm, newForm, panelKey } from "./initialForm.ts";

/** How long a form waits for server data before it opens without, in ms. */
const maxLoadMs = 1_500;

export type AgentFormsOptions = FormPagesOptions & AgentFormOptions;

const savedState = v.pipe(
  v.object({ form: agentForm, made: v.nullish(createdAgent) }),
  v.transform(({ form, made }) => ({
    form,
    content: { created: made ?? undefined },
    isDone: Boolean(made),
  })),
);

export class AgentForms extends FormPages<
  AgentForm,
  Field,
  AgentFormContent,
  typeof agentFormCalls,
  AgentFormPage
> {
  readonly #servers: ServerAccess;

  constructor(options: AgentFormsOptions) {
    super(
      {
        viewType: panels.agentForm,
        page: "agentForm",
        icon: "agent",
        calls: agentFormCalls,
        form: agentForm,
        pageState: savedState,
        keyOf: panelKey,
        targetOf: draftTarget,
        create: (opened) => new AgentFormPage(opened, options),
      },
      options,
    );
    this.#servers = options.servers;
  }

  /**
   * Opens a form for a new agent in this project; `chosen` fills in fields. With `isTyped` the user typed them elsewhere,
   * so they count as unsaved.
   */
  async create(
    { connectionId, project }: { connectionId: string; project: string },
    chosen: Partial<AgentDraft> = {},
    { isTyped = false } = {},
  ): Promise<void> {
    const draft = { ...emptyDraft(project), ...chosen };
    const loaded = await this.#loadData(connectionId, draft);
    // Without a default model on the server, only a custom model is possible.
    if (loaded?.defaultModel === "") draft.model = { ...draft.model, own: true };
    const form = newForm(connectionId, draft);
    const opened = isTyped ? { ...form, initial: emptyDraft(project) } : form;
    this.show(opened, { loaded }, { isChosen: Object.keys(chosen).length > 0 });
  }

  /** Opens the form of an agent. Throws AppError. */
  async edit({ connectionId, project, name }: AgentRef): Promise<void> {
    const form = editForm(
      connectionId,
      await this.#readAgent(connectionId, project, name),
      project,
    );
    this.show(form, { loaded: await this.#loadData(connectionId, form.draft, name) });
  }

  /** Opens a form for a copy of an agent, whose key is copied unless another one is typed. Throws AppError. */
  async duplicate({ connectionId, project, name }: AgentRef): Promise<void> {
    const agent = await this.#readAgent(connectionId, project, name);
    const draft = createDraft(agent, project);
    const loaded = await this.#loadData(connectionId, draft);
    const taken = loaded?.items?.map((item) => item.name) ?? [];
    draft.name = findFreeName(`${toPlainName(name, "agent") || "agent"}_copy`, taken);
    this.show(newForm(connectionId, draft, agent), { loaded });
  }

  #readAgent(connectionId: string, project: string, name: string): Promise<StoredAgent> {
    return new ServerCatalog(this.#servers, connectionId).readAgent(project, name);
  }

  /** Returns the server's data; undefined if that takes too long or fails: the form asks again and shows the error. */
  async #loadData(
    connectionId: string,
    draft: AgentDraft,
    except?: string,
  ): Promise<LoadedData | undefined> {
    const look = new ServerCatalog(this.#servers, connectionId).load(draft, except);
    const late = sleep(maxLoadMs, undefined);
    const answer = await Promise.race([look, late]);
    return answer?.failure === undefined ? answer?.seen : undefined;
  }
}
