// The form of a knowledge base: validates the draft while it is typed, sends it, and saves it as page state, without keys.
import {
  choiceControl,
  nameChoices,
  textControl,
  type Choice,
  type TextControl,
} from "../../../shared/page/form/controls.ts";
import { FormFrame } from "../../../shared/page/form/formFrame.ts";
import {
  defaultModelChoice,
  ModelFields,
  ownModel,
} from "../../../shared/page/form/modelFields.ts";
import type { Host, PageView } from "../../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage, TypedKeys } from "../../formMessages.ts";
import type { KnowledgeBaseDraft, ModelDraft, ModelKind } from "../../form/knowledgeBaseDraft.ts";
import {
  fieldOf,
  modelProviders,
  toPlainBaseName,
  validateDraft,
  type Field,
  type LoadedData,
} from "../../form/validation.ts";
import type { ProblemKind } from "../../form/problemTexts.ts";

type Begin = Extract<ToPage, { type: "begin" }>;
type TextField = "name" | "storage" | "contentColumns" | "metadataColumns" | "idColumn";

const modelKinds = ["embedding", "reranking"] as const;

export class FormView implements PageView<ToPage> {
  readonly element: HTMLElement;
  readonly #host: Host<ToHost, PageState>;
  readonly #begin: Begin;
  readonly #frame: FormFrame<Field, ProblemKind>;
  readonly #project;
  readonly #texts: Record<TextField, TextControl>;
  readonly #models: Record<ModelKind, ModelFields>;
  #draft: KnowledgeBaseDraft;
  #loaded: LoadedData | undefined;
  /** Keys that were typed before the page was hidden; they are not stored. */
  readonly #hadKeys: TypedKeys;

  constructor(begin: Begin, host: Host<ToHost, PageState>) {
    const { form, texts } = begin;
    this.#begin = begin;
    this.#host = host;
    const saved = host.state.form?.id === form.id ? host.state : undefined;
    this.#draft = structuredClone(saved?.form?.draft ?? form.draft);
    this.#hadKeys = saved?.hadKeys ?? form.hadKeys ?? { embedding: false, reranking: false };
    this.#frame = this.#createFrame();
    this.element = this.#frame.element;
    this.#project = choiceControl(texts.fields.project.label, [], (project) =>
      this.#change({ project }, "project"),
    );
    this.#texts = {
      name: this.#text("name"),
      storage: this.#text("storage"),
      contentColumns: this.#text("contentColumns"),
      metadataColumns: this.#text("metadataColumns"),
      idColumn: this.#text("idColumn"),
    };
    this.#models = {
      embedding: this.#createModel("embedding"),
      reranking: this.#createModel("reranking"),
    };
    this.#addFields();
    this.#fill();
    const first = this.#isEdit ? this.#frame.sendButton : this.#texts.name.focusable();
    void this.#frame.start(first, saved?.scroll);
  }

  dispose(): void {
    this.#frame.dispose();
  }

  show(message: ToPage): void {
    switch (message.type) {
      case "loaded":
        this.#loaded = message.data;
        this.#fillProjects();
        for (const kind of modelKinds) this.#models[kind].choices = this.#modelChoices(kind);
        this.#frame.check();
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
    const { texts, form } = this.#begin;
    return new FormFrame({
      host: this.#host,
      begin: this.#begin,
      copies: [{ title: texts.copySql, copy: () => this.#copy() }],
      focusAfterDiscard: this.#isEdit ? "embeddingApiKey" : "name",
      save: () => this.#save(),
      postChange: () =>
        this.#host.post({ type: "changed", draft: this.#draft, hasKeys: this.#hasKeys }),
      findProblems: () => validateDraft(this.#draft, this.#loaded, form.before),
      problemsAt: (field) =>
        this.#isKeyGone(field) ? [{ text: texts.keyGone, isWarning: true }] : [],
      refresh: () => {
        for (const kind of modelKinds) this.#models[kind].show(this.#draft[kind].choice);
      },
      prepare: () => this.#makeNamePlain(),
      send: () => this.#send(),
    });
  }

  get #isEdit(): boolean {
    return this.#begin.form.before !== undefined;
  }

  get #hasKeys(): TypedKeys {
    const hasKey = (kind: ModelKind) => this.#hadKeys[kind] || this.#models[kind].apiKey !== "";
    return { embedding: hasKey("embedding"), reranking: hasKey("reranking") };
  }

  #isKeyGone(field: Field): boolean {
    return modelKinds.some(
      (kind) =>
        field === fieldOf(kind, "apiKey") &&
        this.#hadKeys[kind] &&
        this.#models[kind].apiKey === "",
    );
  }

  #text(field: TextField): TextControl {
    return textControl({
      label: this.#begin.texts.fields[field].label,
      onChange: (text) => this.#change({ [field]: text }, field),
      onLeave: () => {
        if (field === "name") this.#makeNamePlain();
        this.#frame.leave(field);
      },
    });
  }

  #createModel(kind: ModelKind): ModelFields {
    const { texts } = this.#begin;
    return new ModelFields({
      texts,
      label: (part) => texts.fields[fieldOf(kind, part)].label,
      choices: this.#modelChoices(kind),
      isFixed: kind === "embedding" && this.#isEdit,
      providers: modelProviders,
      keyPlaceholder: texts.keyPlaceholders[kind],
      row: (part, control, body) => this.#frame.rows.add(fieldOf(kind, part), control, body),
      changed: (change, part) => {
        const model = { ...this.#draft[kind], ...change } as ModelDraft;
        this.#change({ [kind]: model }, fieldOf(kind, part));
      },
      keyChanged: () => this.#frame.change(fieldOf(kind, "apiKey")),
      left: (part) => this.#frame.leave(fieldOf(kind, part)),
    });
  }

  #addFields(): void {
    const { name, ...others } = this.#texts;
    const { rows } = this.#frame;
    const row = (field: Exclude<TextField, "name">) => rows.add(field, others[field]);
    this.#frame.append(
      ...(this.#isEdit ? [] : [rows.add("project", this.#project), rows.add("name", name)]),
      ...this.#models.embedding.elements,
      row("contentColumns"),
      row("metadataColumns"),
      row("idColumn"),
      ...this.#models.reranking.elements,
      ...(this.#isEdit ? [] : [row("storage")]),
    );
  }

  /** Puts the draft into the controls. */
  #fill(): void {
    this.#fillProjects();
    for (const [field, control] of Object.entries(this.#texts)) {
      control.value = this.#draft[field as TextField];
    }
    for (const kind of modelKinds) this.#models[kind].fill(this.#draft[kind]);
  }

  #fillProjects(): void {
    const { project } = this.#draft;
    this.#project.choices = nameChoices(this.#loaded?.projects, project);
    this.#project.value = project;
  }

  #modelChoices(kind: ModelKind): Choice[] {
    const { texts } = this.#begin;
    const inherited = defaultModelChoice(this.#loaded?.defaults[kind], texts);
    return [
      // A change cannot go back to the default.
      ...(this.#isEdit ? [] : [inherited]),
      ...(kind === "reranking" ? [{ value: "none", label: texts.noReranking }] : []),
      { value: ownModel, label: texts.ownModel },
    ];
  }

  #change(change: Partial<KnowledgeBaseDraft>, field: Field): void {
    this.#draft = { ...this.#draft, ...change };
    this.#frame.change(field);
  }

  /** Makes the name usable in SQL when the field is left or the form is sent. */
  #makeNamePlain(): void {
    const plain = toPlainBaseName(this.#draft.name);
    if (plain === "" || plain === this.#draft.name || this.#isEdit) return;
    this.#texts.name.value = plain;
    this.#change({ name: plain }, "name");
  }

  #save(): void {
    this.#host.save({
      form: { ...this.#begin.form, draft: this.#draft },
      hadKeys: this.#hasKeys,
      scroll: this.#frame.scroll,
    });
  }

  #copy(): void {
    this.#makeNamePlain();
    this.#host.post({ type: "copy", draft: this.#draft, hasKeys: this.#hasKeys });
  }

  #send(): void {
    const keyOf = (kind: ModelKind): string =>
      this.#isEdit || this.#draft[kind].choice === "own" ? this.#models[kind].apiKey : "";
    const keys = { embedding: keyOf("embedding"), reranking: keyOf("reranking") };
    this.#host.post({ type: "send", draft: this.#draft, keys });
  }
}
