// The agent form: validates the draft while it is typed, sends it, and saves it as page state, without the key.
import { formatMessage } from "../../../shared/formatMessage.ts";
import {
  choiceControl,
  ListControl,
  nameChoices,
  textControl,
} from "../../../shared/page/form/controls.ts";
import { FormFrame } from "../../../shared/page/form/formFrame.ts";
import type { Host, PageView } from "../../../shared/page/vscodeApi.ts";
import { isPattern } from "../../../mindsdb/dataPatterns.ts";
import type { AgentDraft, ModelDraft } from "../../agentDraft.ts";
import { toPlainName } from "../../../mindsdb/sql/plainName.ts";
import type { ProblemKind } from "../../problemTexts.ts";
import type { CreatedAgent, PageState, ToHost, ToPage } from "../../formMessages.ts";
import {
  createSnapshot,
  validateDraft,
  type Field,
  type ListField,
  type LoadedData,
  type Problem,
} from "../../validation.ts";
import { AgentModelFields } from "./agentModelFields.ts";
import { formatMatchCount } from "./formatMatchCount.ts";
import { InstructionControl } from "./instructionControl.ts";

type Begin = Extract<ToPage, { type: "begin" }>;

export class FormView implements PageView<ToPage> {
  readonly element: HTMLElement;
  readonly #host: Host<ToHost, PageState>;
  readonly #begin: Begin;
  readonly #frame: FormFrame<Field, ProblemKind>;
  readonly #project;
  readonly #name;
  readonly #model: AgentModelFields;
  readonly #lists: Record<ListField, ListControl>;
  readonly #instruction: InstructionControl;
  #draft: AgentDraft;
  #loaded: LoadedData | undefined;
  /** A key was typed before the page was hidden; it is not stored. */
  readonly #hadKey: boolean;

  /** `scroll` is the scroll position of the form that this one replaces. */
  constructor(begin: Begin, host: Host<ToHost, PageState>, scroll?: number) {
    const { form, texts } = begin;
    this.#begin = begin;
    this.#host = host;
    const saved = host.state.form?.id === form.id ? host.state : undefined;
    this.#draft = structuredClone(saved?.form?.draft ?? form.draft);
    this.#hadKey = saved?.hadKey ?? form.hadKey ?? false;
    this.#frame = this.#createFrame();
    this.element = this.#frame.element;
    const { fields } = texts;
    this.#project = choiceControl(fields.project.label, [], (project) => this.#change({ project }));
    this.#name = textControl({
      label: fields.name.label,
      onChange: (name) => this.#change({ name }),
      onLeave: () => {
        this.#makeNamePlain();
        this.#frame.leave("name");
      },
    });
    this.#model = new AgentModelFields({
      texts,
      hasStoredKey: form.modelOf?.hasKey ?? false,
      row: (field, control, body) => this.#frame.rows.add(field, control, body),
      changed: (change, field) => this.#changeModel(change, field),
      keyChanged: () => this.#frame.change("apiKey"),
      left: (field) => this.#frame.leave(field),
    });
    this.#lists = { tables: this.#list("tables"), knowledgeBases: this.#list("knowledgeBases") };
    this.#instruction = new InstructionControl(
      texts,
      (instruction) => this.#change({ instruction }),
      () => host.post({ type: "describe", draft: this.#draft }),
    );
    this.#addFields();
    this.#fill();
    const first = scroll === undefined ? this.#name.focusable() : this.#frame.sendButton;
    void this.#frame.start(first, saved?.scroll ?? scroll);
    host.post({ type: "look", draft: this.#draft });
  }

  /** The scroll position in pixels; undefined for a form that creates an agent. */
  get editedAt(): number | undefined {
    return this.#begin.form.before ? this.#frame.scroll : undefined;
  }

  dispose(): void {
    this.#frame.dispose();
  }

  show(message: ToPage): void {
    switch (message.type) {
      case "loaded":
        this.#loaded = message.data;
        this.#fillProjects();
        this.#model.setServerData(message.data);
        this.#frame.check();
        break;
      case "picked":
        this.#frame.visited.add(message.field);
        this.#change({ [message.field]: message.entries });
        break;
      case "described":
        this.#instruction.setDraft(message.instruction);
        break;
      case "created":
        this.#showCreated(message.agent);
        break;
      case "begin":
        break;
      case "loadError":
      case "sending":
      case "refused":
      case "draftOffered":
      case "status":
        this.#frame.show(message);
        break;
    }
  }

  #createFrame(): FormFrame<Field, ProblemKind> {
    const host = this.#host;
    const { copySql, copyJson, copyCurl } = this.#begin.texts;
    const copies = [
      { title: copySql, as: "sql" },
      { title: copyJson, as: "json" },
      { title: copyCurl, as: "curl" },
    ] as const;
    return new FormFrame({
      host,
      begin: this.#begin,
      copies: copies.map(({ title, as }) => {
        const copy = (): void => {
          const typedKey = this.#model.apiKey !== "";
          host.post({ type: "copy", as, draft: this.#draft, typedKey });
        };
        return { title, copy };
      }),
      focusAfterDiscard: "name",
      save: () => this.#save(),
      postChange: () => host.post({ type: "changed", draft: this.#draft, hasKey: this.#hasKey }),
      findProblems: () => this.#findProblems(),
      // An empty form is not yet an agent without data; a duplicate may be sent as it is.
      isShownEarly: ({ kind }) =>
        kind === "noData"
          ? this.#frame.visited.size > 0 || this.#begin.form.modelOf !== undefined
          : undefined,
      problemsAt: (field) =>
        field === "apiKey" && this.#hadKey && this.#model.apiKey === ""
          ? [{ text: this.#begin.texts.keyGone, isWarning: true }]
          : [],
      refresh: (shown) => this.#refresh(shown),
      prepare: () => this.#makeNamePlain(),
      send: () => host.post({ type: "send", draft: this.#draft, apiKey: this.#model.apiKey }),
    });
  }

  /** Replaces the form by the actions for the new agent. */
  #showCreated(agent: CreatedAgent): void {
    const { texts } = this.#begin;
    this.#host.save({ made: agent });
    this.#frame.finish({
      title: formatMessage(texts.created, agent.name, agent.project),
      note: agent.note,
      buttons: (["ask", "show", "edit", "another"] as const).map((type) => {
        return { title: texts[type], press: () => this.#host.post({ type }) };
      }),
    });
  }

  #addFields(): void {
    const { rows } = this.#frame;
    this.#frame.append(
      ...(this.#begin.form.before ? [] : [rows.add("project", this.#project)]),
      rows.add("name", this.#name),
      ...this.#model.elements,
      rows.add("tables", this.#lists.tables),
      rows.add("knowledgeBases", this.#lists.knowledgeBases),
      rows.add("instruction", this.#instruction),
    );
  }

  #list(field: ListField): ListControl {
    const { texts, locale } = this.#begin;
    const isTables = field === "tables";
    return new ListControl({
      label: texts.fields[field].label,
      icon: isTables ? "table" : "library",
      choose: isTables ? texts.chooseTables : texts.chooseKnowledgeBases,
      empty: isTables ? texts.noTables : texts.noKnowledgeBases,
      remove: (entry) => formatMessage(texts.remove, entry),
      note: (entry) =>
        isPattern(entry)
          ? formatMatchCount(field, this.#loaded?.[field][entry], texts, locale)
          : "",
      pick: () => this.#host.post({ type: "pick", field, chosen: this.#draft[field] }),
      removed: (entry) => {
        this.#change({ [field]: this.#draft[field].filter((other) => other !== entry) });
      },
    });
  }

  /** Puts the draft into the controls. */
  #fill(): void {
    const { name, model, instruction } = this.#draft;
    this.#fillProjects();
    this.#name.value = name;
    this.#model.fill(model);
    this.#instruction.value = instruction;
  }

  #fillProjects(): void {
    const { project } = this.#draft;
    this.#project.choices = nameChoices(this.#loaded?.projects, project);
    this.#project.value = project;
  }

  #changeModel(change: Partial<ModelDraft>, field: Field): void {
    this.#draft = { ...this.#draft, model: { ...this.#draft.model, ...change } };
    this.#frame.change(field);
  }

  #change(change: Partial<Omit<AgentDraft, "model">>): void {
    this.#draft = { ...this.#draft, ...change };
    const isAboutServer = "project" in change || "tables" in change || "knowledgeBases" in change;
    if (isAboutServer) this.#host.post({ type: "look", draft: this.#draft });
    for (const field of Object.keys(change) as Field[]) this.#frame.change(field);
  }

  /** Makes the name usable in SQL when the field is left or the form is sent. */
  #makeNamePlain(): void {
    const plain = toPlainName(this.#draft.name, "agent");
    const isOld = this.#draft.name === this.#begin.form.before?.name;
    if (plain === "" || plain === this.#draft.name || isOld) return;
    this.#name.value = plain;
    this.#change({ name: plain });
  }

  get #hasKey(): boolean {
    return this.#hadKey || this.#model.apiKey !== "";
  }

  #save(): void {
    this.#host.save({
      form: { ...this.#begin.form, draft: this.#draft },
      made: null,
      hadKey: this.#hasKey,
      scroll: this.#frame.scroll,
    });
  }

  #refresh(shown: readonly Problem[]): void {
    const { model, tables, knowledgeBases } = this.#draft;
    this.#model.show(model);
    const wrong = new Set(shown.flatMap(({ values, isWarning }) => (isWarning ? [] : values)));
    this.#lists.tables.setEntries(tables, wrong);
    this.#lists.knowledgeBases.setEntries(knowledgeBases, wrong);
    this.#instruction.canDraft = tables.length + knowledgeBases.length > 0;
  }

  #findProblems(): Problem[] {
    const { before } = this.#begin.form;
    // The known names may be of another project.
    const isSame = this.#loaded?.project === this.#draft.project;
    const known = { ...createSnapshot(this.#loaded), ...(isSame ? {} : { items: null }) };
    return validateDraft(this.#draft, known, { hasKey: this.#model.apiKey !== "", before });
  }
}
