// The page that adds the rows of a source to a knowledge base: columns, preview, progress, outcome.
import { formatMessage } from "../../../shared/formatMessage.ts";
import { element, icon, replaceChildren, textButton } from "../../../shared/page/dom.ts";
import { errorNotice, section, textTable } from "../../../shared/page/documentParts.ts";
import { rememberFocus } from "../../../shared/page/focus.ts";
import type { Host, PageView } from "../../../shared/page/vscodeApi.ts";
import type {
  FillForm,
  PageState,
  RunOutcome,
  SourceColumn,
  ToHost,
  ToPage,
} from "../../fillMessages.ts";

type Begin = Extract<ToPage, { type: "begin" }>;

export class FillView implements PageView<ToPage> {
  readonly element = element("main", { class: "page" });
  readonly #host: Host<ToHost, PageState>;
  readonly #begin: Begin;
  readonly #disposal = new AbortController();
  readonly #sourceLabel = element("p", { class: "code source" });
  readonly #choose: HTMLButtonElement;
  readonly #count = element("ul", { class: "counts" });
  readonly #notice = element("div");
  readonly #form = element("div");
  readonly #columns = element("div");
  readonly #preview = element("div");
  readonly #existing = element("select", { class: "picker" });
  readonly #start: HTMLButtonElement;
  readonly #cancel: HTMLButtonElement;
  readonly #bar = element("progress", { class: "progress" });
  readonly #progress = element("p", { class: "hint", role: "status" });
  readonly #outcome = element("div", { class: "outcome", role: "status" });
  /** The columns as drawn, so that the focus stays when only their roles change. */
  #drawn = "";
  #mapping: Record<string, string> = {};
  #canStart = false;
  #isRunning = false;

  constructor(begin: Begin, host: Host<ToHost, PageState>) {
    const { texts, knowledgeBase, connection, source } = begin;
    this.#begin = begin;
    this.#host = host;
    host.save({ knowledgeBase, source });
    this.#choose = textButton(texts.chooseSource, "link-button", () =>
      host.post({ type: "chooseSource" }),
    );
    this.#start = textButton(texts.start, "primary-button", () => host.post({ type: "start" }));
    this.#cancel = textButton(texts.cancel, "secondary-button", () => {
      this.#cancel.disabled = true;
      this.#progress.textContent = texts.canceling;
      host.post({ type: "cancel" });
    });
    const existingLabel = element("label", { class: "existing" }, texts.existing, this.#existing);
    this.#existing.append(new Option(texts.skip, "skip"), new Option(texts.replace, "replace"));
    this.#existing.addEventListener("change", () => {
      const existing = this.#existing.value === "replace" ? "replace" : "skip";
      host.save({ existing });
      host.post({ type: "setExisting", existing });
    });
    this.#form.append(
      section(texts.columns, this.#columns),
      section(texts.preview, this.#preview),
      element("div", { class: "section" }, existingLabel),
    );
    this.#form.hidden = true;
    this.element.append(
      element(
        "header",
        {},
        element("h1", { text: texts.title }),
        element("p", {
          class: "place",
          text: formatMessage(texts.place, knowledgeBase.name, knowledgeBase.project, connection),
        }),
      ),
      section(texts.source, this.#sourceLabel, this.#count, this.#choose),
      this.#notice,
      this.#form,
      element(
        "div",
        { class: "section actions" },
        element("div", { class: "row" }, this.#start, this.#cancel, this.#progress),
        this.#bar,
        this.#outcome,
      ),
    );
    this.#sourceLabel.textContent = texts.reading;
    this.#setRunning(false);
  }

  start(): void {
    rememberFocus(this.#choose, this.#disposal.signal);
  }

  dispose(): void {
    this.#disposal.abort();
  }

  show(message: ToPage): void {
    const { texts } = this.#begin;
    switch (message.type) {
      case "begin":
      case "reading":
        break;
      case "failed":
        this.#sourceLabel.textContent ||= texts.reading;
        this.#notice.replaceChildren(
          errorNotice(message.notice, () => this.#host.post({ type: "accept" })),
        );
        this.#setRunning(false);
        break;
      case "form":
        this.#notice.replaceChildren();
        this.#showForm(message.form);
        break;
      case "counted":
        this.#canStart = message.documents > 0;
        this.#start.disabled = !this.#canStart;
        this.#count.replaceChildren(
          ...(message.lines ?? [texts.counting]).map((text) => element("li", { text })),
        );
        break;
      case "running":
        this.#setRunning(true);
        this.#outcome.replaceChildren();
        if (!this.#cancel.disabled) this.#progress.textContent = message.text;
        this.#bar.max = Math.max(1, message.total);
        this.#bar.value = message.done;
        break;
      case "finished":
        this.#setRunning(false);
        this.#showOutcome(message.outcome);
        break;
    }
  }

  #showForm({
    source,
    columns,
    mapping,
    preview,
    problems,
    warnings,
    idNote,
    existing,
  }: FillForm): void {
    const { texts } = this.#begin;
    this.#form.hidden = false;
    this.#sourceLabel.textContent = source;
    this.#mapping = mapping;
    this.#existing.value = existing;
    this.#host.save({ mapping, existing });
    const drawn = JSON.stringify(columns);
    if (drawn !== this.#drawn) this.#drawColumns(columns);
    this.#drawn = drawn;
    for (const select of this.#columns.querySelectorAll("select")) {
      select.value = mapping[select.dataset["column"] ?? ""] ?? "none";
      select.disabled = this.#isRunning;
    }
    const documents = textTable(
      texts.preview,
      [texts.id, texts.content, texts.metadata],
      preview.map((one) => [one.id, cell(one.content), cell(one.metadata)]),
    );
    const isEmpty = preview.length === 0;
    replaceChildren(
      this.#preview,
      ...problems.map((text) =>
        element("p", { class: "problem", role: "alert" }, icon("error"), ` ${text}`),
      ),
      ...warnings.map((text) => element("p", { class: "warning" }, icon("warning"), ` ${text}`)),
      !isEmpty && documents,
      isEmpty && problems.length === 0 && element("p", { class: "hint", text: texts.noPreview }),
      element("p", { class: "hint", text: idNote }),
    );
  }

  #drawColumns(columns: readonly SourceColumn[]): void {
    const { texts } = this.#begin;
    this.#columns.replaceChildren(
      textTable(
        texts.columns,
        [texts.column, texts.firstValue, texts.becomes],
        columns.map(({ name, sample, roles }) => {
          const label = formatMessage(texts.becomesLabel, name);
          const select = element("select", { class: "picker", label });
          select.dataset["column"] = name;
          select.append(...roles.map(({ role, label: text }) => new Option(text, role)));
          select.addEventListener("change", () => {
            this.#mapping = { ...this.#mapping, [name]: select.value };
            this.#host.save({ mapping: this.#mapping });
            this.#host.post({ type: "map", mapping: this.#mapping });
          });
          return [name, sample, select];
        }),
      ),
    );
  }

  #showOutcome({ isGood, headline, reasons, missing, more, resume }: RunOutcome): void {
    const { texts } = this.#begin;
    const ids = element("ul", { class: "missing code" });
    ids.append(...[...missing, more].filter(Boolean).map((text) => element("li", { text })));
    const post = (type: "start" | "showMissing" | "showKnowledgeBase") => (): void =>
      this.#host.post({ type });
    const hasMissing = missing.length > 0;
    replaceChildren(
      this.#outcome,
      element(
        "p",
        { class: `headline ${isGood ? "good" : "bad"}` },
        icon(isGood ? "pass-filled" : "warning"),
        element("strong", { text: headline }),
      ),
      ...reasons.map((text) => element("p", { class: "reason", text })),
      hasMissing && element("h3", { text: texts.missing }),
      hasMissing && ids,
      element(
        "div",
        { class: "row" },
        resume !== undefined && textButton(resume, "primary-button", post("start")),
        hasMissing && textButton(texts.showMissing, "secondary-button", post("showMissing")),
        textButton(texts.showKnowledgeBase, "secondary-button", post("showKnowledgeBase")),
      ),
    );
    // Start is in the outcome now, under the name of what it does.
    this.#start.hidden = resume !== undefined;
  }

  #setRunning(isRunning: boolean): void {
    const hadFocus =
      this.#start.contains(document.activeElement) ||
      this.#outcome.contains(document.activeElement);
    this.#isRunning = isRunning;
    for (const select of this.#form.querySelectorAll("select")) select.disabled = isRunning;
    this.#choose.disabled = isRunning;
    this.#start.hidden = isRunning;
    this.#start.disabled = !this.#canStart;
    if (isRunning === this.#cancel.hidden) this.#cancel.disabled = false;
    this.#cancel.hidden = !isRunning;
    this.#bar.hidden = !isRunning;
    if (!isRunning) this.#progress.textContent = "";
    if (isRunning && hadFocus) this.#cancel.focus();
  }
}

function cell(text: string): HTMLElement {
  return element("div", { class: "cell", text });
}
