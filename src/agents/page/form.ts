// The form: what is written is checked as it is written, sent when it is whole, and kept, without the key.
import { element, textButton } from "../../shared/page/dom.ts";
import { rememberFocus } from "../../shared/page/focus.ts";
import type { Host } from "../../shared/page/vscodeApi.ts";
import { plainName, type AgentDraft } from "../draft.ts";
import { isPattern } from "../entries.ts";
import type { FormTexts, ListField, Notice, PageState, Seen, ToHost, ToPage } from "../messages.ts";
import { canSend, knownFrom, problemsOf, type Field, type Problem } from "../problems.ts";
import { providers } from "../providers.ts";
import { Actions } from "./actions.ts";
import {
  choiceControl,
  ListControl,
  longTextControl,
  secretControl,
  textControl,
  type Choice,
  type Control,
} from "./controls.ts";
import { FieldRow, problemLine, type ShownProblem } from "./fields.ts";
import { Words } from "./words.ts";

type Begin = Extract<ToPage, { type: "begin" }>;

const ownModel = "own";
const defaultModel = "default";

export class FormView {
  readonly element = element("main", { class: "form" });
  readonly #host: Host<ToHost, PageState>;
  readonly #begin: Begin;
  readonly #texts: FormTexts;
  readonly #words: Words;
  readonly #rows = new Map<Field, FieldRow>();
  readonly #disposal = new AbortController();
  readonly #top = element("div", { class: "top" });
  readonly #fields = element("div", { class: "fields" });
  readonly #actions: Actions;
  #draft: AgentDraft;
  #seen: Seen | undefined;
  #unseen: Notice | undefined;
  #refused: Notice | undefined;
  /** Fields that the user has left: what is wrong with the others is not told yet. */
  readonly #visited = new Set<Field>();
  #isTried = false;
  /** A key had been typed before the page was hidden; it is gone. */
  #hadKey = false;
  /** The text that a draft of the instruction took the place of. */
  #replaced: string | undefined;

  readonly #project;
  readonly #name;
  readonly #model;
  readonly #ownFields = element("div", { class: "own-model" });
  readonly #provider;
  readonly #otherProvider;
  readonly #modelName;
  readonly #apiKey;
  readonly #baseUrl;
  readonly #tables: ListControl;
  readonly #knowledgeBases: ListControl;
  readonly #instruction;
  readonly #describe: HTMLButtonElement;
  readonly #undo = element("span", { class: "undo" });

  constructor(begin: Begin, host: Host<ToHost, PageState>) {
    const { form, texts, locale } = begin;
    this.#begin = begin;
    this.#host = host;
    this.#texts = texts;
    this.#words = new Words(texts, locale);
    const saved = host.state.form?.id === form.id ? host.state : undefined;
    this.#draft = structuredClone(saved?.form?.draft ?? form.draft);

    const { fields } = texts;
    this.#project = choiceControl(fields.project.label, [], (project) => this.#change({ project }));
    this.#name = textControl({
      label: fields.name.label,
      changed: (value) => this.#change({ name: value }),
      left: () => {
        this.#makeNamePlain();
        this.#leave("name");
      },
    });
    this.#model = choiceControl(fields.model.label, this.#modelChoices(), (value) => {
      this.#changeModel({ own: value === ownModel });
    });
    this.#provider = choiceControl(fields.provider.label, this.#providerChoices(), (value) => {
      this.#changeModel({ provider: value });
      if (value === "") void this.#otherProvider.focusable().then((input) => input?.focus());
    });
    this.#otherProvider = textControl({
      label: texts.providerName,
      placeholder: texts.providerName,
      changed: (provider) => this.#changeModel({ provider }),
    });
    this.#modelName = textControl({
      label: fields.modelName.label,
      changed: (modelName) => this.#changeModel({ modelName }),
      left: () => this.#leave("modelName"),
    });
    this.#apiKey = secretControl(
      {
        label: fields.apiKey.label,
        placeholder: form.keyOf ? texts.keyKept : "",
        changed: () => this.#touched("apiKey"),
      },
      { show: texts.showKey, hide: texts.hideKey },
    );
    this.#baseUrl = textControl({
      label: fields.baseUrl.label,
      placeholder: "https://host/v1",
      changed: (baseUrl) => this.#changeModel({ baseUrl: baseUrl.trim() }),
      left: () => this.#leave("baseUrl"),
    });
    this.#tables = this.#list("tables");
    this.#knowledgeBases = this.#list("knowledgeBases");
    this.#instruction = longTextControl({
      label: fields.instruction.label,
      changed: (instruction) => this.#change({ instruction }),
    });
    this.#describe = textButton(texts.describe, "secondary-button", () => this.#askForDraft());
    this.#actions = new Actions(this.#words, {
      send: () => this.#send(),
      cancel: () => host.post({ type: "cancel" }),
      copy: (as) => {
        const typedKey = this.#apiKey.value !== "";
        host.post({ type: "copy", as, draft: this.#draft, typedKey });
      },
    });
    this.#build();
    this.#fill();
    if (saved?.hadKey) this.#visited.add("apiKey");
    this.#hadKey = saved?.hadKey ?? false;
    this.#save();
    this.#check();
    host.post({ type: "look", draft: this.#draft });
    void this.#focusFirst(saved?.scroll ?? 0);
  }

  dispose(): void {
    this.#disposal.abort();
    this.#actions.dispose();
  }

  show(message: ToPage): void {
    switch (message.type) {
      case "seen":
        this.#seen = message.seen;
        this.#project.choices = this.#projectChoices();
        this.#model.choices = this.#modelChoices();
        this.#check();
        break;
      case "unseen":
        this.#unseen = message.notice;
        this.#check();
        break;
      case "picked":
        this.#visited.add(message.field);
        this.#change({ [message.field]: message.entries });
        break;
      case "described":
        this.#putDraft(message.instruction);
        break;
      case "sending":
        this.#refused = undefined;
        this.#fields.inert = true;
        this.#actions.sending(message.elapsed);
        this.#check();
        break;
      case "refused":
        this.#settle();
        this.#refused = message.notice;
        this.#check();
        this.#focus(message.notice.field);
        break;
      case "saved":
        this.#actions.say(this.#texts.saved);
        break;
      case "said":
        this.#actions.say(message.text);
        break;
      case "begin":
      case "created":
        break;
    }
  }

  #build(): void {
    const { texts, connection, form } = this.#begin;
    const title = form.before?.name ?? texts.title;
    const head = element(
      "header",
      {},
      element("h1", { text: title }),
      element("p", { class: "place", text: this.#words.fill(texts.place, connection) }),
      element("p", { class: "intro", text: texts.intro }),
    );
    const provider = element(
      "div",
      { class: "stack" },
      this.#provider.element,
      this.#otherProvider.element,
    );
    this.#ownFields.append(
      this.#row("provider", this.#provider, provider),
      this.#row("modelName", this.#modelName),
      this.#row("apiKey", this.#apiKey),
      this.#row("baseUrl", this.#baseUrl),
    );
    const instruction = element(
      "div",
      { class: "stack" },
      this.#instruction.element,
      element("div", { class: "row" }, this.#describe, this.#undo),
    );
    this.#fields.append(
      ...(form.before ? [] : [this.#row("project", this.#project)]),
      this.#row("name", this.#name),
      this.#row("model", this.#model),
      this.#ownFields,
      this.#row("tables", this.#tables),
      this.#row("knowledgeBases", this.#knowledgeBases),
      this.#row("instruction", this.#instruction, instruction),
    );
    this.#top.setAttribute("role", "alert");
    this.#top.tabIndex = -1;
    const page = element("div", { class: "page" }, head, this.#top, this.#fields);
    this.element.append(element("div", { class: "scroller" }, page), this.#actions.element);
    const { signal } = this.#disposal;
    this.element.addEventListener("keydown", (event) => this.#shortcut(event), { signal });
    this.element.firstElementChild?.addEventListener("scroll", () => this.#save(), { signal });
  }

  #row(field: Exclude<Field, "form">, control: Control, body = control.element): HTMLElement {
    const { label, description } = this.#texts.fields[field];
    const row = new FieldRow({
      field,
      label,
      description,
      body,
      control: control.focusable,
      words: this.#texts,
    });
    this.#rows.set(field, row);
    return row.element;
  }

  #list(field: ListField): ListControl {
    const { texts } = this.#begin;
    const isTables = field === "tables";
    return new ListControl({
      label: texts.fields[field].label,
      icon: isTables ? "table" : "library",
      choose: isTables ? texts.chooseTables : texts.chooseKnowledgeBases,
      empty: isTables ? texts.noTables : texts.noKnowledgeBases,
      remove: (entry) => this.#words.fill(texts.remove, entry),
      note: (entry) =>
        isPattern(entry) ? this.#words.matches(field, this.#seen?.[field][entry]) : "",
      pick: () => this.#host.post({ type: "pick", field, chosen: this.#draft[field] }),
      removed: (entry) => {
        this.#change({ [field]: this.#draft[field].filter((other) => other !== entry) });
      },
    });
  }

  /** Puts the draft into the controls. */
  #fill(): void {
    const { name, model, project, instruction } = this.#draft;
    this.#name.value = name;
    this.#model.value = model.own ? ownModel : defaultModel;
    this.#provider.value = providers.includes(model.provider) ? model.provider : "";
    this.#otherProvider.value = model.provider;
    this.#modelName.value = model.modelName;
    this.#baseUrl.value = model.baseUrl;
    this.#project.choices = this.#projectChoices();
    this.#project.value = project;
    this.#instruction.value = instruction;
  }

  #projectChoices(): Choice[] {
    const names = new Set([...(this.#seen?.projects ?? []), this.#draft.project]);
    return [...names].map((name) => ({ value: name, label: name }));
  }

  #modelChoices(): Choice[] {
    const { texts } = this.#begin;
    const name = this.#seen?.defaultModel;
    const label =
      name === ""
        ? texts.noDefaultModel
        : name
          ? this.#words.fill(texts.defaultModel, name)
          : texts.defaultModelUnknown;
    return [
      { value: defaultModel, label },
      { value: ownModel, label: texts.ownModel },
    ];
  }

  #providerChoices(): Choice[] {
    const { providerNotes, otherProvider } = this.#begin.texts;
    return [
      ...providers.map((value) => {
        return { value, label: value, description: providerNotes[value] ?? "" };
      }),
      { value: "", label: otherProvider },
    ];
  }

  #changeModel(change: Partial<AgentDraft["model"]>): void {
    const [field] = Object.keys(change) as (keyof AgentDraft["model"])[];
    const model = { ...this.#draft.model, ...change };
    this.#change({ model }, field === "own" ? "model" : field);
  }

  /** A part of the draft is new; `field` is where, if it is not named like the part. */
  #change(change: Partial<AgentDraft>, field = Object.keys(change)[0] as Field): void {
    this.#draft = { ...this.#draft, ...change };
    const isAboutServer = "project" in change || "tables" in change || "knowledgeBases" in change;
    if (isAboutServer) this.#host.post({ type: "look", draft: this.#draft });
    this.#touched(field);
  }

  /** What the server said of a field is answered by changing it. */
  #touched(field: Field): void {
    if (this.#refused?.field === field || this.#refused?.field === "form")
      this.#refused = undefined;
    this.#actions.say("");
    this.#save();
    this.#check();
  }

  #leave(field: Field): void {
    this.#visited.add(field);
    this.#check();
  }

  /** A name becomes plain when it is left or sent: SQL would not find another one. */
  #makeNamePlain(): void {
    const plain = plainName(this.#draft.name);
    const isOld = this.#draft.name === this.#begin.form.before?.name;
    if (plain === "" || plain === this.#draft.name || isOld) return;
    this.#name.value = plain;
    this.#change({ name: plain });
  }

  #save(): void {
    const { form } = this.#begin;
    this.#host.save({
      form: { ...form, draft: this.#draft },
      hadKey: this.#hadKey || this.#apiKey.value !== "",
      scroll: this.element.firstElementChild?.scrollTop ?? 0,
    });
  }

  /** Shows what is wrong, as far as it is the user's turn to know. */
  #check(): void {
    const { model, tables, knowledgeBases } = this.#draft;
    const problems = this.#problems();
    const shown = problems.filter(
      ({ field, isWarning }) => isWarning || this.#isTried || this.#visited.has(field),
    );
    for (const [field, row] of this.#rows) {
      row.show([
        ...shown.filter((problem) => problem.field === field).map((one) => this.#words.shown(one)),
        ...this.#noticesAt(field),
      ]);
    }
    this.#ownFields.hidden = !model.own;
    this.#otherProvider.element.hidden = providers.includes(model.provider);
    const wrong = new Set(shown.flatMap(({ values }) => values));
    this.#tables.show(tables, wrong);
    this.#knowledgeBases.show(knowledgeBases, wrong);
    this.#describe.hidden = tables.length + knowledgeBases.length === 0;
    this.#top.replaceChildren(
      ...this.#noticesAt("form").map((notice) => problemLine(notice, this.#texts)),
    );
    this.#top.hidden = this.#top.childElementCount === 0;
  }

  #problems(): Problem[] {
    const { before } = this.#begin.form;
    // Names of another project say nothing.
    const isSame = this.#seen?.project === this.#draft.project;
    const known = { ...knownFrom(this.#seen), ...(isSame ? {} : { agents: null }) };
    return problemsOf(this.#draft, known, { hasKey: this.#apiKey.value !== "", before });
  }

  #noticesAt(field: Field): ShownProblem[] {
    const told = [this.#refused, ...(field === "form" ? [this.#unseen] : [])];
    const notices = told.flatMap((notice) => (notice?.field === field ? [notice] : []));
    const gone = field === "apiKey" && this.#hadKey && this.#apiKey.value === "";
    return [
      ...notices.map(({ text, action }) => ({
        text,
        isWarning: false,
        ...(action === undefined
          ? {}
          : { action: { title: action, run: () => this.#host.post({ type: "accept" }) } }),
      })),
      ...(gone ? [{ text: this.#texts.keyGone, isWarning: true }] : []),
    ];
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
      const fields = new Set(wrong.map(({ field }) => field)).size;
      this.#actions.say(this.#words.attention(fields));
      this.#focus(first.field);
      return;
    }
    this.#host.post({ type: "send", draft: this.#draft, apiKey: this.#apiKey.value });
  }

  #settle(): void {
    this.#fields.inert = false;
    this.#actions.settled();
  }

  #askForDraft(): void {
    this.#describe.disabled = true;
    this.#describe.textContent = this.#texts.describing;
    this.#host.post({ type: "describe", draft: this.#draft });
  }

  #putDraft(instruction: string): void {
    this.#describe.disabled = false;
    this.#describe.textContent = this.#texts.describe;
    if (instruction === "") return;
    const before = this.#draft.instruction;
    this.#replaced = before.trim() === "" || before === instruction ? undefined : before;
    this.#instruction.value = instruction;
    this.#change({ instruction });
    this.#showUndo();
    this.#focus("instruction");
  }

  #showUndo(): void {
    const replaced = this.#replaced;
    if (replaced === undefined) {
      this.#undo.replaceChildren();
      return;
    }
    const undo = textButton(this.#texts.undo, "link-button", () => {
      this.#replaced = undefined;
      this.#instruction.value = replaced;
      this.#change({ instruction: replaced });
      this.#showUndo();
      this.#focus("instruction");
    });
    this.#undo.replaceChildren(element("span", { text: this.#texts.replaced }), " ", undo);
  }

  #shortcut(event: KeyboardEvent): void {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.#send();
    }
    if (event.key === "Escape" && this.#actions.isSending) this.#host.post({ type: "cancel" });
  }

  #focus(field: Field): void {
    const row = this.#rows.get(field);
    if (row) void row.focus();
    else this.#top.focus();
  }

  async #focusFirst(scroll: number): Promise<void> {
    const first = await this.#name.focusable();
    if (!first || this.#disposal.signal.aborted) return;
    rememberFocus(first, this.#disposal.signal);
    if (this.element.firstElementChild) this.element.firstElementChild.scrollTop = scroll;
  }
}
