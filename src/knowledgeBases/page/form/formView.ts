// The form of a knowledge base: validates the draft while it is typed, sends it, and saves it as page state, without keys.
import { formatMessage } from "../../../shared/formatMessage.ts";
import { element } from "../../../shared/page/dom.ts";
import { DraftOffer } from "../../../shared/page/draftOffer.ts";
import { rememberFocus } from "../../../shared/page/focus.ts";
import {
  choiceControl,
  textControl,
  type Choice,
  type TextControl,
} from "../../../shared/page/form/controls.ts";
import type { ShownProblem } from "../../../shared/page/form/fieldRow.ts";
import { Actions } from "../../../shared/page/form/formActions.ts";
import { FormRows } from "../../../shared/page/form/formRows.ts";
import { ModelFields, ownModel } from "../../../shared/page/form/modelFields.ts";
import type { Host, PageView } from "../../../shared/page/vscodeApi.ts";
import type { FormNotice, PageState, ToHost, ToPage, TypedKeys } from "../../formMessages.ts";
import type { KnowledgeBaseDraft, ModelDraft, ModelKind } from "../../form/knowledgeBaseDraft.ts";
import {
  canSend,
  fieldOf,
  modelProviders,
  toPlainBaseName,
  validateDraft,
  type Field,
  type LoadedData,
  type Problem,
} from "../../form/validation.ts";

type Begin = Extract<ToPage, { type: "begin" }>;
type TextField = "name" | "storage" | "contentColumns" | "metadataColumns" | "idColumn";

export class FormView implements PageView<ToPage> {
  readonly element = element("main", { class: "form" });
  readonly #host: Host<ToHost, PageState>;
  readonly #begin: Begin;
  readonly #rows: FormRows<Field>;
  readonly #disposal = new AbortController();
  readonly #scroller = element("div", { class: "scroller" });
  readonly #fields = element("div", { class: "fields" });
  readonly #project;
  readonly #texts: Record<TextField, TextControl>;
  readonly #models: Record<ModelKind, ModelFields>;
  readonly #offer: DraftOffer;
  readonly #actions: Actions;
  readonly #numbers: Intl.NumberFormat;
  #draft: KnowledgeBaseDraft;
  #loaded: LoadedData | undefined;
  #loadError: FormNotice | undefined;
  #saveError: FormNotice | undefined;
  /** Fields that the user has left. Problems of the others are not shown yet. */
  readonly #visited = new Set<Field>();
  #isTried = false;
  /** Keys that were typed before the page was hidden; they are not stored. */
  readonly #hadKeys: TypedKeys;

  constructor(begin: Begin, host: Host<ToHost, PageState>) {
    const { form, texts, locale } = begin;
    this.#begin = begin;
    this.#host = host;
    this.#numbers = new Intl.NumberFormat(locale);
    this.#rows = new FormRows(texts);
    const saved = host.state.form?.id === form.id ? host.state : undefined;
    this.#draft = structuredClone(saved?.form?.draft ?? form.draft);
    this.#hadKeys = saved?.hadKeys ?? form.hadKeys ?? { embedding: false, reranking: false };
    this.#offer = new DraftOffer(texts, {
      restore: () => host.post({ type: "restoreDraft" }),
      discard: () => {
        host.post({ type: "discardDraft" });
        this.#rows.focus(this.#firstField);
      },
    });
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
    this.#actions = new Actions({
      texts,
      formatSending: (seconds) => formatMessage(texts.sending, this.#numbers.format(seconds)),
      send: () => this.#send(),
      cancel: () => host.post({ type: "cancel" }),
      copies: [{ title: texts.copySql, copy: () => this.#copy() }],
    });
    this.#build();
    this.#fill();
    this.#save();
    this.#check();
    this.#postChange();
    void this.#start(saved?.scroll ?? 0);
  }

  dispose(): void {
    this.#disposal.abort();
    this.#actions.dispose();
  }

  show(message: ToPage): void {
    switch (message.type) {
      case "loaded":
        this.#loaded = message.data;
        this.#project.choices = this.#projectChoices();
        for (const kind of ["embedding", "reranking"] as const) {
          this.#models[kind].choices = this.#modelChoices(kind);
        }
        this.#check();
        break;
      case "loadError":
        this.#loadError = message.notice;
        this.#check();
        break;
      case "sending":
        this.#saveError = undefined;
        this.#fields.inert = true;
        this.#actions.showSending(message.elapsed);
        this.#check();
        break;
      case "refused":
        this.#fields.inert = false;
        this.#actions.stopSending();
        this.#saveError = message.notice;
        this.#check();
        this.#rows.focus(message.notice.field);
        break;
      case "draftOffered":
        this.#offer.show(message.text);
        break;
      case "status":
        this.#actions.setStatus(message.text);
        break;
      case "begin":
        break;
    }
  }

  get #isEdit(): boolean {
    return this.#begin.form.before !== undefined;
  }

  get #firstField(): "name" | "embeddingApiKey" {
    return this.#isEdit ? "embeddingApiKey" : "name";
  }

  get #hasKeys(): TypedKeys {
    const hasKey = (kind: ModelKind) => this.#hadKeys[kind] || this.#models[kind].apiKey !== "";
    return { embedding: hasKey("embedding"), reranking: hasKey("reranking") };
  }

  #text(field: TextField): TextControl {
    return textControl({
      label: this.#begin.texts.fields[field].label,
      onChange: (text) => this.#change({ [field]: text }, field),
      onLeave: () => {
        if (field === "name") this.#makeNamePlain();
        this.#leave(field);
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
      row: (part, control, body) => this.#rows.add(fieldOf(kind, part), control, body),
      changed: (change, part) => {
        const model = { ...this.#draft[kind], ...change } as ModelDraft;
        this.#change({ [kind]: model }, fieldOf(kind, part));
      },
      keyChanged: () => this.#touched(fieldOf(kind, "apiKey")),
      left: (part) => this.#leave(fieldOf(kind, part)),
    });
  }

  #build(): void {
    const { texts, connection, form } = this.#begin;
    const { name, ...others } = this.#texts;
    const head = element(
      "header",
      {},
      element("h1", { text: texts.title }),
      element("p", {
        class: "place",
        text: formatMessage(texts.place, connection, form.draft.project),
      }),
      element("p", { class: "intro", text: texts.intro }),
    );
    const row = (field: Exclude<TextField, "name">) => this.#rows.add(field, others[field]);
    this.#fields.append(
      ...(this.#isEdit
        ? []
        : [this.#rows.add("project", this.#project), this.#rows.add("name", name)]),
      ...this.#models.embedding.elements,
      row("contentColumns"),
      row("metadataColumns"),
      row("idColumn"),
      ...this.#models.reranking.elements,
      ...(this.#isEdit ? [] : [row("storage")]),
    );
    this.#scroller.append(
      element("div", { class: "page" }, head, this.#offer.element, this.#rows.top, this.#fields),
    );
    this.element.append(this.#scroller, this.#actions.element);
    const { signal } = this.#disposal;
    this.element.addEventListener("keydown", (event) => this.#shortcut(event), { signal });
    this.#scroller.addEventListener("scroll", () => this.#save(), { signal });
  }

  /** Puts the draft into the controls. */
  #fill(): void {
    this.#project.choices = this.#projectChoices();
    this.#project.value = this.#draft.project;
    for (const [field, control] of Object.entries(this.#texts)) {
      control.value = this.#draft[field as TextField];
    }
    this.#models.embedding.fill(this.#draft.embedding);
    this.#models.reranking.fill(this.#draft.reranking);
  }

  #projectChoices(): Choice[] {
    const names = new Set([...(this.#loaded?.projects ?? []), this.#draft.project]);
    return [...names].map((name) => ({ value: name, label: name }));
  }

  #modelChoices(kind: ModelKind): Choice[] {
    const {
      defaultModel,
      defaultModelUnknown,
      noDefaultModel,
      noReranking,
      ownModel: own,
    } = this.#begin.texts;
    const name = this.#loaded?.defaults[kind];
    let label = defaultModelUnknown;
    if (name === "") label = noDefaultModel;
    else if (name) label = formatMessage(defaultModel, name);
    return [
      // A change cannot go back to the default.
      ...(this.#isEdit ? [] : [{ value: "default", label }]),
      ...(kind === "reranking" ? [{ value: "none", label: noReranking }] : []),
      { value: ownModel, label: own },
    ];
  }

  #change(change: Partial<KnowledgeBaseDraft>, field: Field): void {
    this.#draft = { ...this.#draft, ...change };
    this.#touched(field);
  }

  /** A change of the field removes the server's error about it. */
  #touched(field: Field): void {
    const { field: refused } = this.#saveError ?? {};
    if (refused === field || refused === "form") this.#saveError = undefined;
    this.#actions.setStatus("");
    this.#save();
    this.#postChange();
    this.#check();
  }

  /** Tells the host, which stores unsaved changes when the form is closed. */
  #postChange(): void {
    this.#host.post({ type: "changed", draft: this.#draft, hasKeys: this.#hasKeys });
  }

  #leave(field: Field): void {
    this.#visited.add(field);
    this.#check();
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
      scroll: this.#scroller.scrollTop,
    });
  }

  /** Shows the problems that the user should see by now. */
  #check(): void {
    for (const kind of ["embedding", "reranking"] as const) {
      this.#models[kind].show(this.#draft[kind].choice);
    }
    const shown = this.#problems().filter((problem) => this.#isToldNow(problem));
    const { problems } = this.#begin.texts;
    this.#rows.show((field) => [
      ...shown
        .filter((problem) => problem.field === field)
        .map(({ kind, values, isWarning }) => {
          return { text: formatMessage(problems[kind], ...values), isWarning };
        }),
      ...this.#noticesAt(field),
    ]);
  }

  /** Missing values are reported when the form is sent, invalid ones when their field is left. */
  #isToldNow({ field, kind, isWarning }: Problem): boolean {
    if (this.#isTried) return true;
    return isWarning || (this.#visited.has(field) && !kind.endsWith("Missing"));
  }

  #problems(): Problem[] {
    return validateDraft(this.#draft, this.#loaded, this.#begin.form.before);
  }

  #noticesAt(field: Field): ShownProblem[] {
    const notices = [this.#loadError, this.#saveError].filter(
      (notice) => notice && this.#rows.findShownField(notice.field) === field,
    );
    const isKeyGone = (["embedding", "reranking"] as const).some(
      (kind) =>
        field === fieldOf(kind, "apiKey") &&
        this.#hadKeys[kind] &&
        this.#models[kind].apiKey === "",
    );
    return [
      ...notices.flatMap((notice) => (notice ? [this.#shownNotice(notice)] : [])),
      ...(isKeyGone ? [{ text: this.#begin.texts.keyGone, isWarning: true }] : []),
    ];
  }

  #shownNotice({ text, action }: FormNotice): ShownProblem {
    const shown = { text, isWarning: false };
    if (action === undefined) return shown;
    return { ...shown, action: { title: action, run: () => this.#host.post({ type: "accept" }) } };
  }

  #copy(): void {
    this.#makeNamePlain();
    this.#host.post({ type: "copy", draft: this.#draft, hasKeys: this.#hasKeys });
  }

  #send(): void {
    if (this.#actions.isSending) return;
    this.#isTried = true;
    this.#makeNamePlain();
    const problems = this.#problems();
    this.#check();
    const wrong = problems.filter(({ isWarning }) => !isWarning);
    const [first] = wrong;
    if (!canSend(problems) && first) {
      const { oneProblem, severalProblems } = this.#begin.texts;
      const count = new Set(wrong.map(({ field }) => field)).size;
      const several = formatMessage(severalProblems, this.#numbers.format(count));
      this.#actions.setStatus(count === 1 ? oneProblem : several);
      this.#rows.focus(first.field);
      return;
    }
    const keyOf = (kind: ModelKind): string =>
      this.#isEdit || this.#draft[kind].choice === "own" ? this.#models[kind].apiKey : "";
    const keys = { embedding: keyOf("embedding"), reranking: keyOf("reranking") };
    this.#host.post({ type: "send", draft: this.#draft, keys });
  }

  #shortcut(event: KeyboardEvent): void {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.#send();
    }
    if (event.key === "Escape" && this.#actions.isSending) this.#host.post({ type: "cancel" });
  }

  async #start(scroll: number): Promise<void> {
    // Controls are focusable only when they are in the document.
    const first = this.#isEdit ? this.#actions.sendButton : await this.#texts.name.focusable();
    if (!first || this.#disposal.signal.aborted) return;
    rememberFocus(first, this.#disposal.signal);
    this.#scroller.scrollTop = scroll;
  }
}
