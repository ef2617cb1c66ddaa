// The form that trains a model. It checks the draft while it is typed and saves it as page state.
import { formatMessage } from "../../../shared/formatMessage.ts";
import type { FieldNotice } from "../../../shared/formFields.ts";
import { element, textButton } from "../../../shared/page/dom.ts";
import {
  choiceControl,
  longTextControl,
  nameChoices,
  textControl,
  type TextControl,
} from "../../../shared/page/form/controls.ts";
import { FormFrame } from "../../../shared/page/form/formFrame.ts";
import type { Host, PageView } from "../../../shared/page/vscodeApi.ts";
import type { PreviewRows } from "../../../tables/previewRows.ts";
import { toPlainName } from "../../../mindsdb/sql/plainName.ts";
import type { TrainDraft } from "../../trainDraft.ts";
import type {
  StartedTraining,
  ToHost,
  ToPage,
  TrainChoices,
  TrainState,
} from "../../trainMessages.ts";
import { validateTraining, type TrainField, type TrainProblem } from "../../trainValidation.ts";
import type { TrainProblemKind } from "../../trainProblemTexts.ts";
import { RowsPreview } from "./rowsPreview.ts";

type Begin = Extract<ToPage, { type: "begin" }>;

export class TrainView implements PageView<ToPage> {
  readonly element: HTMLElement;
  readonly #host: Host<ToHost, TrainState>;
  readonly #begin: Begin;
  readonly #frame: FormFrame<TrainProblem["field"], TrainProblemKind>;
  readonly #project;
  readonly #name;
  readonly #source;
  readonly #tableName = element("span", { class: "chosen code" });
  readonly #table: HTMLElement;
  readonly #selectText;
  readonly #select: HTMLElement;
  readonly #target;
  readonly #engine;
  readonly #options;
  readonly #activates;
  readonly #query = element("pre", { class: "query code" });
  readonly #preview: RowsPreview;
  #draft: TrainDraft;
  #choices: TrainChoices | undefined;
  #read: PreviewRows | undefined;
  #rowsError: FieldNotice<TrainField> | undefined;

  constructor(begin: Begin, host: Host<ToHost, TrainState>) {
    const { form, texts } = begin;
    this.#begin = begin;
    this.#host = host;
    const saved = host.state.form?.id === form.id ? host.state : undefined;
    this.#draft = structuredClone(saved?.form?.draft ?? form.draft);
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
    this.#source = choiceControl(fields.source.label, [], (source) =>
      this.#change({ source: source as TrainDraft["source"] }),
    );
    this.#selectText = this.#longText("select");
    this.#target = choiceControl(fields.target.label, [], (target) => this.#change({ target }));
    this.#engine = choiceControl(fields.engine.label, [], (engine) => this.#change({ engine }));
    this.#options = this.#longText("options");
    this.#activates = choiceControl(fields.activates.label, [], (value) =>
      this.#change({ activates: value === "yes" }),
    );
    this.#preview = new RowsPreview(texts, () => host.post({ type: "loadRows" }));
    this.#table = this.#createTableRow();
    this.#select = this.#frame.rows.add("select", this.#selectText);
    this.#addFields();
    this.#fill();
    const first = form.kind === "create" ? this.#name : this.#source;
    void this.#frame.start(first.focusable(), saved?.scroll);
  }

  dispose(): void {
    this.#frame.dispose();
  }

  show(message: ToPage): void {
    switch (message.type) {
      case "begin":
        break;
      case "loaded":
        this.#choices = message.choices;
        this.#chooseEngine(message.choices.engines);
        this.#fillChoices();
        this.#frame.check();
        break;
      case "rows":
        this.#read = message.rows;
        this.#rowsError = message.notice;
        this.#preview.show(message);
        this.#fillChoices();
        this.#frame.check();
        break;
      case "picked":
        this.#frame.visited.add("table");
        this.#change({ table: message.table });
        break;
      case "started":
        this.#showStarted(message.training);
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

  #createFrame(): FormFrame<TrainProblem["field"], TrainProblemKind> {
    const host = this.#host;
    const { copySql } = this.#begin.texts;
    return new FormFrame({
      host,
      begin: this.#begin,
      copies: [{ title: copySql, copy: () => host.post({ type: "copySql", draft: this.#draft }) }],
      save: () => this.#save(),
      postChange: () => this.#postChange(),
      findProblems: () => this.#findProblems(),
      isShownEarly: ({ kind }) => (kind === "targetNotInData" ? true : undefined),
      notices: () => [this.#rowsError],
      refresh: () => this.#refresh(),
      prepare: () => this.#makeNamePlain(),
      send: () => host.post({ type: "send", draft: this.#draft }),
    });
  }

  #longText(field: "select" | "options"): TextControl {
    const control = longTextControl({
      label: this.#begin.texts.fields[field].label,
      onChange: (text) => this.#change({ [field]: text }),
    });
    control.element.addEventListener("focusout", () => this.#frame.leave(field));
    return control;
  }

  #createTableRow(): HTMLElement {
    const choose = textButton(this.#begin.texts.chooseTable, "secondary-button", () =>
      this.#host.post({ type: "pickTable" }),
    );
    return this.#frame.rows.add("table", {
      element: element("div", { class: "row" }, this.#tableName, choose),
      focusable: () => Promise.resolve(choose),
    });
  }

  #addFields(): void {
    const { texts, form } = this.#begin;
    this.#query.textContent = form.query ?? "";
    this.#query.setAttribute("aria-label", texts.query);
    this.#query.setAttribute("role", "region");
    this.#query.tabIndex = 0;
    const source = element("div", { class: "stack" }, this.#source.element, this.#query);
    const isNew = form.kind === "create";
    const { rows } = this.#frame;
    this.#frame.append(
      ...(isNew ? [rows.add("project", this.#project), rows.add("name", this.#name)] : []),
      rows.add("source", this.#source, source),
      this.#table,
      this.#select,
      this.#preview.element,
      ...(form.kind === "finetune" ? [] : [rows.add("target", this.#target)]),
      ...(isNew ? [rows.add("engine", this.#engine)] : []),
      rows.add("options", this.#options),
      ...(form.kind === "retrain" ? [rows.add("activates", this.#activates)] : []),
    );
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
    this.#selectText.value = this.#draft.select;
    this.#options.value = this.#draft.options;
    this.#activates.value = this.#draft.activates ? "yes" : "no";
    this.#fillChoices();
  }

  #fillChoices(): void {
    const { project, target, engine } = this.#draft;
    this.#project.choices = nameChoices(this.#choices?.projects, project);
    this.#project.value = project;
    const none = { value: "", label: this.#begin.texts.chooseColumn };
    const columns = nameChoices(this.#columns, target);
    this.#target.choices = [...(target === "" ? [none] : []), ...columns];
    this.#target.value = target;
    this.#engine.choices = nameChoices(this.#choices?.engines, engine);
    this.#engine.value = engine;
  }

  get #columns(): string[] | undefined {
    return this.#read?.columns.map(({ name }) => name);
  }

  /** Chooses the first engine of a new model. */
  #chooseEngine([first]: readonly string[]): void {
    if (this.#begin.form.kind !== "create" || this.#draft.engine !== "" || !first) return;
    this.#draft = { ...this.#draft, engine: first };
    this.#save();
    this.#postChange();
  }

  #change(change: Partial<TrainDraft>): void {
    this.#draft = { ...this.#draft, ...change };
    for (const field of Object.keys(change) as TrainField[]) this.#frame.change(field);
  }

  #postChange(): void {
    this.#host.post({ type: "changed", draft: this.#draft });
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
      scroll: this.#frame.scroll,
    });
  }

  /** Shows the fields that the draft has. */
  #refresh(): void {
    const { source, table, target } = this.#draft;
    this.#table.hidden = source !== "table";
    this.#select.hidden = source !== "select";
    this.#query.hidden = source !== "same";
    this.#tableName.textContent = table === "" ? this.#begin.texts.noTable : table;
    this.#preview.setTarget(target);
  }

  #findProblems(): TrainProblem[] {
    const isSame = this.#choices?.project === this.#draft.project;
    return validateTraining(this.#begin.form.kind, this.#draft, {
      items: isSame ? this.#choices?.items : undefined,
      columns: this.#columns,
    });
  }

  /** Replaces the form by what can be done with the training. */
  #showStarted(started: StartedTraining): void {
    const { texts } = this.#begin;
    this.#host.save({ started });
    this.#frame.finish({
      title: formatMessage(texts.started, started.name, String(started.version)),
      note: texts.startedNote,
      buttons: (["showModel", "another"] as const).map((type) => {
        return { title: texts[type], press: () => this.#host.post({ type }) };
      }),
    });
  }
}
