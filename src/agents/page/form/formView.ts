// The agent form: validates the draft while it is typed, sends it, and saves it as page state, without the key.
import { formatMessage } from "../../../shared/formatMessage.ts";
import { element } from "../../../shared/page/dom.ts";
import { rememberFocus } from "../../../shared/page/focus.ts";
import { DraftOffer } from "../../../shared/page/draftOffer.ts";
import type { Host, PageView } from "../../../shared/page/vscodeApi.ts";
import { toPlainName, type AgentDraft, type ModelDraft } from "../../agentDraft.ts";
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
  createSnapshot,
  validateDraft,
  type Field,
  type Problem,
} from "../../validation.ts";
import { createdView } from "./createdView.ts";
import { Actions } from "../../../shared/page/form/formActions.ts";
import {
  choiceControl,
  ListControl,
  textControl,
  type Choice,
} from "../../../shared/page/form/controls.ts";
import type { ShownProblem } from "../../../shared/page/form/fieldRow.ts";
import { FormRows } from "../../../shared/page/form/formRows.ts";
import { InstructionControl } from "./instructionControl.ts";
import { AgentModelFields } from "./agentModelFields.ts";
import { FormTextFormatter } from "./formatTexts.ts";

type Begin = Extract<ToPage, { type: "begin" }>;

export class FormView implements PageView<ToPage> {
  readonly element = element("main", { class: "form" });
  readonly #host: Host<ToHost, PageState>;
  readonly #begin: Begin;
  readonly #formatter: FormTextFormatter;
  readonly #rows: FormRows<Field>;
  readonly #disposal = new AbortController();
  readonly #scroller = element("div", { class: "scroller" });
  readonly #fields = element("div", { class: "fields" });
  readonly #project;
  readonly #name;
  readonly #model: AgentModelFields;
  readonly #lists: Record<ListField, ListControl>;
  readonly #instruction: InstructionControl;
  readonly #offer: DraftOffer;
  readonly #actions: Actions;
  #draft: AgentDraft;
  #loaded: LoadedData | undefined;
  #loadError: FormNotice | undefined;
  #saveError: FormNotice | undefined;
  /** Fields that the user has left. Problems of the others are not shown yet. */
  readonly #visited = new Set<Field>();
  #isTried = false;
  /** A key was typed before the page was hidden; it is not stored. */
  readonly #hadKey: boolean;

  /** `scroll` is the scroll position of the form that this one replaces. */
  constructor(begin: Begin, host: Host<ToHost, PageState>, scroll?: number) {
    const { form, texts, locale } = begin;
    this.#begin = begin;
    this.#host = host;
    this.#formatter = new FormTextFormatter(texts, locale);
    this.#rows = new FormRows(texts);
    const saved = host.state.form?.id === form.id ? host.state : undefined;
    this.#draft = structuredClone(saved?.form?.draft ?? form.draft);
    this.#hadKey = saved?.hadKey ?? form.hadKey ?? false;
    this.#offer = new DraftOffer(texts, {
      restore: () => host.post({ type: "restoreDraft" }),
      discard: () => {
        host.post({ type: "discardDraft" });
        this.#rows.focus("name");
      },
    });

    const { fields } = texts;
    this.#project = choiceControl(fields.project.label, [], (project) => this.#change({ project }));
    this.#name = textControl({
      label: fields.name.label,
      onChange: (name) => this.#change({ name }),
      onLeave: () => {
        this.#makeNamePlain();
        this.#leave("name");
      },
    });
    this.#model = new AgentModelFields({
      texts,
      hasStoredKey: form.modelOf?.hasKey ?? false,
      row: (field, control, body) => this.#rows.add(field, control, body),
      changed: (change, field) => this.#changeModel(change, field),
      keyChanged: () => this.#touched("apiKey"),
      left: (field) => this.#leave(field),
    });
    this.#lists = { tables: this.#list("tables"), knowledgeBases: this.#list("knowledgeBases") };
    this.#instruction = new InstructionControl(
      this.#formatter,
      (instruction) => this.#change({ instruction }),
      () => host.post({ type: "describe", draft: this.#draft }),
    );
    const copies = [
      { title: texts.copySql, as: "sql" },
      { title: texts.copyJson, as: "json" },
      { title: texts.copyCurl, as: "curl" },
    ] as const;
    this.#actions = new Actions({
      texts,
      formatSending: (seconds) => this.#formatter.sending(seconds),
      send: () => this.#send(),
      cancel: () => host.post({ type: "cancel" }),
      copies: copies.map(({ title, as }) => {
        const copy = (): void => {
          const typedKey = this.#model.apiKey !== "";
          host.post({ type: "copy", as, draft: this.#draft, typedKey });
        };
        return { title, copy };
      }),
    });
    this.#build();
    this.#fill();
    this.#save();
    this.#check();
    this.#postChange();
    host.post({ type: "look", draft: this.#draft });
    void this.#start(saved?.scroll ?? scroll ?? 0, scroll !== undefined);
  }

  /** The scroll position in pixels; undefined for a form that creates an agent. */
  get editedAt(): number | undefined {
    return this.#begin.form.before ? this.#scroller.scrollTop : undefined;
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
        this.#model.setServerData(message.data);
        this.#check();
        break;
      case "loadError":
        this.#loadError = message.notice;
        this.#check();
        break;
      case "picked":
        this.#visited.add(message.field);
        this.#change({ [message.field]: message.entries });
        break;
      case "described":
        this.#instruction.setDraft(message.instruction);
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
      case "created":
        this.#showCreated(message.agent);
        break;
      case "begin":
        break;
    }
  }

  /** Replaces the form by the actions for the new agent. */
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
      ...(form.before ? [] : [this.#rows.add("project", this.#project)]),
      this.#rows.add("name", this.#name),
      ...this.#model.elements,
      this.#rows.add("tables", this.#lists.tables),
      this.#rows.add("knowledgeBases", this.#lists.knowledgeBases),
      this.#rows.add("instruction", this.#instruction),
    );
    this.#scroller.append(
      element("div", { class: "page" }, head, this.#offer.element, this.#rows.top, this.#fields),
    );
    this.element.append(this.#scroller, this.#actions.element);
    const { signal } = this.#disposal;
    this.element.addEventListener("keydown", (event) => this.#shortcut(event), { signal });
    this.#scroller.addEventListener("scroll", () => this.#save(), { signal });
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
        isPattern(entry) ? this.#formatter.matches(field, this.#loaded?.[field][entry]) : "",
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
    const names = new Set([...(this.#loaded?.projects ?? []), this.#draft.project]);
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
    const hasKey = this.#hadKey || this.#model.apiKey !== "";
    this.#host.post({ type: "changed", draft: this.#draft, hasKey });
  }

  #leave(field: Field): void {
    this.#visited.add(field);
    this.#check();
  }

  /** Makes the name usable in SQL when the field is left or the form is sent. */
  #makeNamePlain(): void {
    const plain = toPlainName(this.#draft.name);
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

  /** Shows the problems that the user should see by now. */
  #check(): void {
    const { model, tables, knowledgeBases } = this.#draft;
    this.#model.show(model);
    const shown = this.#problems().filter((problem) => this.#isToldNow(problem));
    this.#rows.show((field) => {
      const problems = shown.filter((problem) => problem.field === field);
      return [...problems.map((one) => this.#formatter.shown(one)), ...this.#noticesAt(field)];
    });
    const wrong = new Set(shown.flatMap(({ values, isWarning }) => (isWarning ? [] : values)));
    this.#lists.tables.setEntries(tables, wrong);
    this.#lists.knowledgeBases.setEntries(knowledgeBases, wrong);
    this.#instruction.canDraft = tables.length + knowledgeBases.length > 0;
  }

  /** Missing values are reported when the form is sent, invalid ones when their field is left. */
  #isToldNow({ field, kind, isWarning }: Problem): boolean {
    // An empty form is not yet an agent without data; a duplicate may be sent as it is.
    const isBegun = this.#visited.size > 0 || this.#begin.form.modelOf !== undefined;
    if (kind === "noData") return isBegun || this.#isTried;
    if (isWarning || this.#isTried) return true;
    return this.#visited.has(field) && !kind.endsWith("Missing");
  }

  #problems(): Problem[] {
    const { before } = this.#begin.form;
    // The known names may be of another project.
    const isSame = this.#loaded?.project === this.#draft.project;
    const known = { ...createSnapshot(this.#loaded), ...(isSame ? {} : { agents: null }) };
    return validateDraft(this.#draft, known, { hasKey: this.#model.apiKey !== "", before });
  }

  #noticesAt(field: Field): ShownProblem[] {
    const notices = [this.#loadError, this.#saveError].filter(
      (notice) => notice && this.#rows.findShownField(notice.field) === field,
    );
    const isKeyGone = field === "apiKey" && this.#hadKey && this.#model.apiKey === "";
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

  #send(): void {
    if (this.#actions.isSending) return;
    this.#isTried = true;
    this.#makeNamePlain();
    const problems = this.#problems();
    this.#check();
    const wrong = problems.filter(({ isWarning }) => !isWarning);
    const [first] = wrong;
    if (!canSend(problems) && first) {
      this.#actions.setStatus(
        this.#formatter.attention(new Set(wrong.map(({ field }) => field)).size),
      );
      this.#rows.focus(first.field);
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

  async #start(scroll: number, goesOn: boolean): Promise<void> {
    // Controls are focusable only when they are in the document.
    const name = await this.#name.focusable();
    const first = goesOn ? this.#actions.sendButton : name;
    if (!first || this.#disposal.signal.aborted) return;
    rememberFocus(first, this.#disposal.signal);
    this.#scroller.scrollTop = scroll;
  }
}
