// The form that trains a model. It checks the draft while it is typed and saves it as page state.
import { formatMessage } from "../../../shared/formatMessage.ts";
import type { FieldNotice } from "../../../shared/formFields.ts";
import { element, textButton } from "../../../shared/page/dom.ts";
import { DraftOffer } from "../../../shared/page/draftOffer.ts";
import { rememberFocus } from "../../../shared/page/focus.ts";
import {
  choiceControl,
  longTextControl,
  textControl,
  type Control,
} from "../../../shared/page/form/controls.ts";
import type { ShownProblem } from "../../../shared/page/form/fieldRow.ts";
import { Actions } from "../../../shared/page/form/formActions.ts";
import { FormRows } from "../../../shared/page/form/formRows.ts";
import type { Host, PageView } from "../../../shared/page/vscodeApi.ts";
import { toPlainName } from "../../../agents/agentDraft.ts";
import type { TrainDraft } from "../../trainDraft.ts";
import type {
  StartedTraining,
  ToHost,
  ToPage,
  TrainChoices,
  TrainRows,
  TrainState,
} from "../../trainMessages.ts";
import { validateTraining, type TrainField, type TrainProblem } from "../../trainValidation.ts";
import { RowsPreview } from "./rowsPreview.ts";
import { createStartedView } from "./startedView.ts";

type Begin = Extract<ToPage, { type: "begin" }>;
type Notice = FieldNotice<TrainField | "form">;

export class TrainView implements PageView<ToPage> {
  readonly element = element("main", { class: "form" });
  readonly #host: Host<ToHost, TrainState>;
  readonly #begin: Begin;
  readonly #rows: FormRows<TrainField>;
  readonly #disposal = new AbortController();
  readonly #scroller = element("div", { class: "scroller" });
  readonly #fields = element("div", { class: "fields" });
  readonly #project;
  readonly #name;
  readonly #source;
  readonly #tableName = element("span", { class: "chosen code" });
  readonly #chooseTable: HTMLButtonElement;
  readonly #select;
  readonly #target;
  readonly #engine;
  readonly #options;
  readonly #activates;
  readonly #query = element("pre", { class: "query code" });
  readonly #preview: RowsPreview;
  readonly #offer: DraftOffer;
  readonly #actions: Actions;
  readonly #visited = new Set<TrainField>();
  #draft: TrainDraft;
  #choices: TrainChoices | undefined;
  #read: TrainRows | undefined;
  #loadError: Notice | undefined;
  #rowsError: Notice | undefined;
  #refused: Notice | undefined;
  #isTried = false;

  constructor(begin: Begin, host: Host<ToHost, TrainState>) {
    const { form, texts } = begin;
    this.#begin = begin;
    this.#host = host;
    const saved = host.state.form?.id === form.id ? host.state : undefined;
    this.#draft = structuredClone(saved?.form?.draft ?? form.draft);
    this.#rows = new FormRows(texts);
    this.#offer = new DraftOffer(texts, {
      restore: () => host.post({ type: "restoreDraft" }),
      discard: () => host.post({ type: "discardDraft" }),
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
    this.#source = choiceControl(fields.source.label, [], (source) =>
      this.#change({ source: source as TrainDraft["source"] }),
    );
    this.#chooseTable = textButton(texts.chooseTable, "secondary-button", () =>
      host.post({ type: "pickTable" }),
    );
    this.#select = longTextControl({
      label: fields.select.label,
      onChange: (select) => this.#change({ select }),
    });
    this.#select.element.addEventListener("focusout", () => this.#leave("select"));
    this.#target = choiceControl(fields.target.label, [], (target) => this.#change({ target }));
    this.#engine = choiceControl(fields.engine.label, [], (engine) => this.#change({ engine }));
    this.#options = longTextControl({
      label: fields.options.label,
      onChange: (options) => this.#change({ options }),
    });
    this.#options.element.addEventListener("focusout", () => this.#leave("options"));
    this.#activates = choiceControl(fields.activates.label, [], (value) =>
      this.#change({ activates: value === "yes" }),
    );
    this.#preview = new RowsPreview(texts);
    this.#actions = new Actions({
      texts,
      formatSending: (seconds) => formatMessage(texts.sending, String(seconds)),
      send: () => this.#send(),
      cancel: () => host.post({ type: "cancel" }),
      copies: [
        { title: texts.copySql, copy: () => host.post({ type: "copySql", draft: this.#draft }) },
      ],
    });
    this.#build();
    this.#fill();
    this.#save();
    this.#check();
    host.post({ type: "changed", draft: this.#draft });
    void this.#start(saved?.scroll ?? 0);
  }

  dispose(): void {
    this.#disposal.abort();
    this.#actions.dispose();
  }

  show(message: ToPage): void {
    switch (message.type) {
      case "begin":
        break;
      case "loaded":
        this.#choices = message.choices;
        this.#chooseEngine(message.choices.engines);
        this.#fillChoices();
        this.#check();
        break;
      case "loadError":
        this.#loadError = message.notice;
        this.#check();
        break;
      case "rows":
        this.#read = message.rows;
        this.#rowsError = message.notice;
        this.#preview.show(message.isReading, message.rows);
        this.#fillChoices();
        this.#check();
        break;
      case "picked":
        this.#visited.add("table");
        this.#change({ table: message.table });
        break;
      case "sending":
        this.#refused = undefined;
        this.#fields.inert = true;
        this.#actions.showSending(message.elapsed);
        this.#check();
        break;
      case "refused":
        this.#fields.inert = false;
        this.#actions.stopSending();
        this.#refused = message.notice;
        this.#check();
        this.#rows.focus(message.notice.field);
        break;
      case "draftOffered":
        this.#offer.show(message.text);
        break;
      case "status":
        this.#actions.setStatus(message.text);
        break;
      case "started":
        this.#showStarted(message.training);
        break;
    }
  }

  #build(): void {
    const { texts, connection, form } = this.#begin;
    const { kind } = form;
    const table: Control = {
      element: element("div", { class: "row" }, this.#tableName, this.#chooseTable),
      focusable: () => Promise.resolve(this.#chooseTable),
    };
    this.#query.textContent = form.query ?? "";
    this.#query.setAttribute("aria-label", texts.query);
    this.#query.setAttribute("role", "region");
    this.#query.tabIndex = 0;
    const isNew = kind === "create";
    const source = element("div", { class: "stack" }, this.#source.element, this.#query);
    this.#fields.append(
      ...(isNew
        ? [this.#rows.add("project", this.#project), this.#rows.add("name", this.#name)]
        : []),
      this.#rows.add("source", this.#source, source),
      this.#rows.add("table", table),
      this.#rows.add("select", this.#select),
      this.#preview.element,
      ...(kind === "finetune" ? [] : [this.#rows.add("target", this.#target)]),
      ...(isNew ? [this.#rows.add("engine", this.#engine)] : []),
      this.#rows.add("options", this.#options),
      ...(kind === "retrain" ? [this.#rows.add("activates", this.#activates)] : []),
    );
    const head = element(
      "header",
      {},
      element("h1", { text: texts.title }),
      element("p", { class: "place", text: formatMessage(texts.place, connection) }),
      element("p", { class: "intro", text: texts.intro }),
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
    const { texts, form } = this.#begin;
    const sources = ["same", "table", "select"] as const;
    this.#source.choices = sources
      .filter((source) => source !== "same" || form.kind === "retrain")
      .map((value) => ({ value, label: texts.sources[value] }));
    this.#activates.choices = [
      { value: "yes", label: texts.uses.yes },
      { value: "no", label: texts.uses.no },
    ];
    this.#name.value = this.#draft.name;
    this.#source.value = this.#draft.source;
    this.#select.value = this.#draft.select;
    this.#options.value = this.#draft.options;
    this.#activates.value = this.#draft.activates ? "yes" : "no";
    this.#fillChoices();
  }

  #fillChoices(): void {
    const { project, target, engine } = this.#draft;
    const { chooseColumn } = this.#begin.texts;
    const choices = (names: readonly string[], chosen: string) =>
      [...new Set([...names, ...(chosen === "" ? [] : [chosen])])].map((name) => {
        return { value: name, label: name };
      });
    this.#project.choices = choices(this.#choices?.projects ?? [], project);
    this.#project.value = project;
    const columns = this.#read?.columns.map(({ name }) => name) ?? [];
    const none = { value: "", label: chooseColumn };
    this.#target.choices = [...(target === "" ? [none] : []), ...choices(columns, target)];
    this.#target.value = target;
    this.#engine.choices = choices(this.#choices?.engines ?? [], engine);
    this.#engine.value = engine;
  }

  /** Chooses the first engine of a new model. */
  #chooseEngine([first]: readonly string[]): void {
    if (this.#begin.form.kind !== "create" || this.#draft.engine !== "" || !first) return;
    this.#draft = { ...this.#draft, engine: first };
    this.#save();
    this.#host.post({ type: "changed", draft: this.#draft });
  }

  #change(change: Partial<TrainDraft>): void {
    this.#draft = { ...this.#draft, ...change };
    for (const field of Object.keys(change) as TrainField[]) {
      if (this.#refused?.field === field || this.#refused?.field === "form") {
        this.#refused = undefined;
      }
    }
    this.#actions.setStatus("");
    this.#save();
    this.#host.post({ type: "changed", draft: this.#draft });
    this.#check();
  }

  #leave(field: TrainField): void {
    this.#visited.add(field);
    this.#check();
  }

  /** Makes the name usable in SQL when the field is left or the form is sent. */
  #makeNamePlain(): void {
    const plain = toPlainName(this.#draft.name, "model");
    if (plain === "" || plain === this.#draft.name || this.#begin.form.kind !== "create") return;
    this.#name.value = plain;
    this.#change({ name: plain });
  }

  #save(): void {
    this.#host.save({
      form: { ...this.#begin.form, draft: this.#draft },
      started: null,
      scroll: this.#scroller.scrollTop,
    });
  }

  /** Shows the fields that the draft has, and the problems that the user should see by now. */
  #check(): void {
    const { source, table, target } = this.#draft;
    const { texts } = this.#begin;
    this.#setHidden("table", source !== "table");
    this.#setHidden("select", source !== "select");
    this.#query.hidden = source !== "same";
    this.#tableName.textContent = table === "" ? texts.noTable : table;
    this.#preview.setTarget(target);
    const shown = this.#problems().filter((problem) => this.#isShownNow(problem));
    this.#rows.show((field) => [
      ...shown
        .filter((problem) => problem.field === field)
        .map(({ kind, values, isWarning }) => {
          return { text: formatMessage(texts.problems[kind], ...values), isWarning };
        }),
      ...this.#noticesAt(field),
    ]);
  }

  #setHidden(field: TrainField, isHidden: boolean): void {
    const row = this.#fields.querySelector<HTMLElement>(`[data-field="${field}"]`);
    if (row) row.hidden = isHidden;
  }

  /** Missing values are reported when the form is sent, invalid ones when their field is left. */
  #isShownNow({ field, kind, isWarning }: TrainProblem): boolean {
    if (isWarning || this.#isTried) return true;
    if (field === "form" || kind.endsWith("Missing")) return false;
    return field === "target" || this.#visited.has(field);
  }

  #problems(): TrainProblem[] {
    const isSame = this.#choices?.project === this.#draft.project;
    return validateTraining(this.#begin.form.kind, this.#draft, {
      models: isSame ? this.#choices?.models : undefined,
      columns: this.#read?.columns.map(({ name }) => name),
    });
  }

  #noticesAt(field: TrainField | "form"): ShownProblem[] {
    return [this.#loadError, this.#rowsError, this.#refused].flatMap((notice) => {
      if (!notice || this.#rows.findShownField(notice.field) !== field) return [];
      const { text, action } = notice;
      if (action === undefined) return [{ text, isWarning: false }];
      const run = (): void => this.#host.post({ type: "accept" });
      return [{ text, isWarning: false, action: { title: action, run } }];
    });
  }

  #send(): void {
    if (this.#actions.isSending) return;
    this.#isTried = true;
    this.#makeNamePlain();
    this.#check();
    const wrong = this.#problems().filter(({ isWarning }) => !isWarning);
    const [first] = wrong;
    if (first) {
      const { oneProblem, severalProblems } = this.#begin.texts;
      const count = new Set(wrong.map(({ field }) => field)).size;
      this.#actions.setStatus(
        count === 1 ? oneProblem : formatMessage(severalProblems, String(count)),
      );
      this.#rows.focus(first.field);
      return;
    }
    this.#host.post({ type: "send", draft: this.#draft });
  }

  #shortcut(event: KeyboardEvent): void {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.#send();
    }
    if (event.key === "Escape" && this.#actions.isSending) this.#host.post({ type: "cancel" });
  }

  /** Replaces the form by what can be done with the training. */
  #showStarted(started: StartedTraining): void {
    this.dispose();
    this.#host.save({ started });
    const view = createStartedView(started, this.#begin.texts, this.#host);
    this.element.replaceWith(view.element);
    view.focus();
  }

  async #start(scroll: number): Promise<void> {
    const isNew = this.#begin.form.kind === "create";
    // Controls are focusable only when they are in the document.
    const first = await (isNew ? this.#name : this.#source).focusable();
    if (!first || this.#disposal.signal.aborted) return;
    rememberFocus(first, this.#disposal.signal);
    this.#scroller.scrollTop = scroll;
  }
}
