// The form: what is written is checked as it is written, sent when it is whole, and kept, without the key.
import { formatMessage } from "../../../shared/formatMessage.ts";
import { element } from "../../../shared/page/dom.ts";
import { rememberFocus } from "../../../shared/page/focus.ts";
import { DraftOffer } from "../../../shared/page/draftOffer.ts";
import type { Host, PageView } from "../../../shared/page/vscodeApi.ts";
import { plainName, type AgentDraft, type ModelDraft } from "../../agentDraft.ts";
import { isPattern } from "../../../mindsdb/dataPatterns.ts";
import type {
  CreatedAgent,
  ListField,
  FormNotice,
  PageState,
  ToHost,
  ToPage,
} from "../../formMessages.ts";
import type { LoadedData } from "../../validation.ts";
import {
  canSend,
  snapshotOfServer,
  validateDraft,
  type Field,
  type Problem,
} from "../../validation.ts";
import { createdView } from "./createdView.ts";
import { Actions } from "./formActions.ts";
import { choiceControl, ListControl, textControl, type Choice, type Control } from "./controls.ts";
import { FieldRow, problemLine, type ShownProblem } from "./fieldRow.ts";
import { InstructionControl } from "./instructionControl.ts";
import { ModelFields } from "./modelFields.ts";
import { FormTextFormatter } from "./formatTexts.ts";

type Begin = Extract<ToPage, { type: "begin" }>;

export class FormView implements PageView<ToPage> {
  readonly element = element("main", { class: "form" });
  readonly #host: Host<ToHost, PageState>;
  readonly #begin: Begin;
  readonly #words: FormTextFormatter;
  readonly #rows = new Map<Field, FieldRow>();
  readonly #disposal = new AbortController();
  readonly #scroller = element("div", { class: "scroller" });
  readonly #top = element("div", { class: "top", role: "alert" });
  readonly #fields = element("div", { class: "fields" });
  readonly #project;
  readonly #name;
  readonly #model: ModelFields;
  readonly #lists: Record<ListField, ListControl>;
  readonly #instruction: InstructionControl;
  readonly #offer: DraftOffer;
  readonly #actions: Actions;
  #draft: AgentDraft;
  #seen: LoadedData | undefined;
  #unseen: FormNotice | undefined;
  #refused: FormNotice | undefined;
  /** Fields that the user has left: what is wrong with the others is not told yet. */
  readonly #visited = new Set<Field>();
  #isTried = false;
  /** A key had been typed before the page was hidden; it is gone. */
  readonly #hadKey: boolean;

  /** `scroll`: where to begin, for a form that goes on where another one was. */
  constructor(begin: Begin, host: Host<ToHost, PageState>, scroll?: number) {
    const { form, texts, locale } = begin;
    this.#begin = begin;
    this.#host = host;
    this.#words = new FormTextFormatter(texts, locale);
    const saved = host.state.form?.id === form.id ? host.state : undefined;
    this.#draft = structuredClone(saved?.form?.draft ?? form.draft);
    this.#hadKey = saved?.hadKey ?? form.hadKey ?? false;
    this.#offer = new DraftOffer(texts, {
      restore: () => host.post({ type: "restoreDraft" }),
      discard: () => {
        host.post({ type: "discardDraft" });
        this.#focus("name");
      },
    });

    const { fields } = texts;
    this.#project = choiceControl(fields.project.label, [], (project) => this.#change({ project }));
    this.#name = textControl({
      label: fields.name.label,
      changed: (name) => this.#change({ name }),
      left: () => {
        this.#makeNamePlain();
        this.#leave("name");
      },
    });
    this.#model = new ModelFields({
      texts,
      hasStoredKey: form.modelOf?.hasKey ?? false,
      row: (field, control, body) => this.#row(field, control, body),
      changed: (change, field) => this.#changeModel(change, field),
      keyChanged: () => this.#touched("apiKey"),
      left: (field) => this.#leave(field),
    });
    this.#lists = { tables: this.#list("tables"), knowledgeBases: this.#list("knowledgeBases") };
    this.#instruction = new InstructionControl(
      this.#words,
      (instruction) => this.#change({ instruction }),
      () => host.post({ type: "describe", draft: this.#draft }),
    );
    this.#actions = new Actions(this.#words, {
      send: () => this.#send(),
      cancel: () => host.post({ type: "cancel" }),
      copy: (as) => {
        const typedKey = this.#model.apiKey !== "";
        host.post({ type: "copy", as, draft: this.#draft, typedKey });
      },
    });
    this.#build();
    this.#fill();
    this.#save();
    this.#check();
    this.#tellChange();
    host.post({ type: "look", draft: this.#draft });
    void this.#start(saved?.scroll ?? scroll ?? 0, scroll !== undefined);
  }

  /** Pixels from the top; undefined for a form that makes a new agent. */
  get editedAt(): number | undefined {
    return this.#begin.form.before ? this.#scroller.scrollTop : undefined;
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
        this.#model.learn(message.seen);
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
        this.#instruction.put(message.instruction);
        break;
      case "sending":
        this.#refused = undefined;
        this.#fields.inert = true;
        this.#actions.sending(message.elapsed);
        this.#check();
        break;
      case "refused":
        this.#fields.inert = false;
        this.#actions.settled();
        this.#refused = message.notice;
        this.#check();
        this.#focus(message.notice.field);
        break;
      case "draftOffered":
        this.#offer.show(message.text);
        break;
      case "said":
        this.#actions.say(message.text);
        break;
      case "created":
        this.#showCreated(message.agent);
        break;
      case "begin":
        break;
    }
  }

  /** Puts what can be done with the new agent in the form's place. */
  #showCreated(agent: CreatedAgent): void {
    this.dispose();
    this.#host.save({ made: agent });
    const created = createdView(agent, this.#begin.texts, this.#host);
    this.element.replaceWith(created.element);
    created.focus();
  }

  #build(): void {
    const { texts, connection, form } = this.#begin;
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
    this.#fields.append(
      ...(form.before ? [] : [this.#row("project", this.#project)]),
      this.#row("name", this.#name),
      ...this.#model.elements,
      this.#row("tables", this.#lists.tables),
      this.#row("knowledgeBases", this.#lists.knowledgeBases),
      this.#row("instruction", this.#instruction),
    );
    this.#top.tabIndex = -1;
    this.#scroller.append(
      element("div", { class: "page" }, head, this.#offer.element, this.#top, this.#fields),
    );
    this.element.append(this.#scroller, this.#actions.element);
    const { signal } = this.#disposal;
    this.element.addEventListener("keydown", (event) => this.#shortcut(event), { signal });
    this.#scroller.addEventListener("scroll", () => this.#save(), { signal });
  }

  #row(field: Exclude<Field, "form">, control: Control, body = control.element): HTMLElement {
    const { texts } = this.#begin;
    const { label, description } = texts.fields[field];
    const { focusable } = control;
    const row = new FieldRow({ field, label, description, body, control: focusable, words: texts });
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
      remove: (entry) => formatMessage(texts.remove, entry),
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
    this.#project.choices = this.#projectChoices();
    this.#project.value = project;
    this.#name.value = name;
    this.#model.fill(model);
    this.#instruction.value = instruction;
  }

  #projectChoices(): Choice[] {
    const names = new Set([...(this.#seen?.projects ?? []), this.#draft.project]);
    return [...names].map((name) => ({ value: name, label: name }));
  }

  #changeModel(change: Partial<ModelDraft>, field: Field): void {
    this.#draft = { ...this.#draft, model: { ...this.#draft.model, ...change } };
    this.#touched(field);
  }

  #change(change: Partial<Omit<AgentDraft, "model">>): void {
    this.#draft = { ...this.#draft, ...change };
    const isAboutServer = "project" in change || "tables" in change || "knowledgeBases" in change;
    if (isAboutServer) this.#host.post({ type: "look", draft: this.#draft });
    for (const field of Object.keys(change) as Field[]) this.#touched(field);
  }

  /** What the server said of a field is answered by changing it. */
  #touched(field: Field): void {
    const { field: refused } = this.#refused ?? {};
    if (refused === field || refused === "form") this.#refused = undefined;
    this.#actions.say("");
    this.#save();
    this.#tellChange();
    this.#check();
  }

  /** The host keeps what is not saved when the form is closed. */
  #tellChange(): void {
    const hasKey = this.#hadKey || this.#model.apiKey !== "";
    this.#host.post({ type: "changed", draft: this.#draft, hasKey });
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
    this.#host.save({
      form: { ...this.#begin.form, draft: this.#draft },
      made: null,
      hadKey: this.#hadKey || this.#model.apiKey !== "",
      scroll: this.#scroller.scrollTop,
    });
  }

  /** Shows what is wrong, as far as it is the user's turn to know. */
  #check(): void {
    const { model, tables, knowledgeBases } = this.#draft;
    this.#model.show(model);
    const shown = this.#problems().filter((problem) => this.#isToldNow(problem));
    for (const [field, row] of this.#rows) {
      const problems = shown.filter((problem) => problem.field === field);
      row.show([...problems.map((one) => this.#words.shown(one)), ...this.#noticesAt(field)]);
    }
    const wrong = new Set(shown.flatMap(({ values, isWarning }) => (isWarning ? [] : values)));
    this.#lists.tables.show(tables, wrong);
    this.#lists.knowledgeBases.show(knowledgeBases, wrong);
    this.#instruction.canDraft = tables.length + knowledgeBases.length > 0;
    const onTop = this.#noticesAt("form");
    this.#top.replaceChildren(...onTop.map((one) => problemLine(one, this.#begin.texts)));
    this.#top.hidden = onTop.length === 0;
  }

  /** What is still missing is told when the form is sent, what is wrong when its field is left. */
  #isToldNow({ field, kind, isWarning }: Problem): boolean {
    // An empty form is not yet an agent without data; a duplicate may be sent as it is.
    const isBegun = this.#visited.size > 0 || this.#begin.form.modelOf !== undefined;
    if (kind === "noData") return isBegun || this.#isTried;
    if (isWarning || this.#isTried) return true;
    return this.#visited.has(field) && !kind.endsWith("Missing");
  }

  #problems(): Problem[] {
    const { before } = this.#begin.form;
    // Names of another project say nothing.
    const isSame = this.#seen?.project === this.#draft.project;
    const known = { ...snapshotOfServer(this.#seen), ...(isSame ? {} : { agents: null }) };
    return validateDraft(this.#draft, known, { hasKey: this.#model.apiKey !== "", before });
  }

  #noticesAt(field: Field): ShownProblem[] {
    const notices = [this.#unseen, this.#refused].filter(
      (notice) => notice && this.#placeOf(notice.field) === field,
    );
    const isKeyGone = field === "apiKey" && this.#hadKey && this.#model.apiKey === "";
    return [
      ...notices.flatMap((notice) => (notice ? [this.#shownNotice(notice)] : [])),
      ...(isKeyGone ? [{ text: this.#begin.texts.keyGone, isWarning: true }] : []),
    ];
  }

  /** A field that this form does not have, or does not show now, has its notices on top. */
  #placeOf(field: Field): Field {
    const isShown = this.#rows.get(field)?.element.closest("[hidden]") === null;
    return isShown ? field : "form";
  }

  #shownNotice({ text, action }: FormNotice): ShownProblem {
    const shown = { text, isWarning: false };
    if (action === undefined) return shown;
    return { ...shown, action: { title: action, run: () => this.#host.post({ type: "accept" }) } };
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
      this.#actions.say(this.#words.attention(new Set(wrong.map(({ field }) => field)).size));
      this.#focus(first.field);
      return;
    }
    this.#host.post({ type: "send", draft: this.#draft, apiKey: this.#model.apiKey });
  }

  #shortcut(event: KeyboardEvent): void {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.#send();
    }
    if (event.key === "Escape" && this.#actions.isSending) this.#host.post({ type: "cancel" });
  }

  #focus(field: Field): void {
    const row = this.#rows.get(this.#placeOf(field));
    if (row) void row.focus();
    else this.#top.focus();
  }

  async #start(scroll: number, goesOn: boolean): Promise<void> {
    // Not before the form is in the page.
    const name = await this.#name.focusable();
    const first = goesOn ? this.#actions.sendButton : name;
    if (!first || this.#disposal.signal.aborted) return;
    rememberFocus(first, this.#disposal.signal);
    this.#scroller.scrollTop = scroll;
  }
}
