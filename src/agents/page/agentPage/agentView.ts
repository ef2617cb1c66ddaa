// One agent on the page. A deleted agent keeps what was known of it, without the buttons.
import { formatMessage } from "../../../shared/formatMessage.ts";
import { element, iconButton, textButton } from "../../../shared/page/dom.ts";
import { fieldTable } from "../../../shared/page/fieldTable.ts";
import { rememberFocus } from "../../../shared/page/focus.ts";
import { errorNotice, factList, section } from "../../../shared/page/documentParts.ts";
import type { Host } from "../../../shared/page/vscodeApi.ts";
import type { AgentDetails } from "../../agentDetails.ts";
import type {
  AgentPageState,
  AgentPageTexts,
  FromAgentPage,
  ToAgentPage,
} from "../../agentPageMessages.ts";

type Begin = Extract<ToAgentPage, { type: "begin" }>;

export class AgentView {
  readonly element = element("main", { class: "page" });
  readonly #host: Host<FromAgentPage, AgentPageState>;
  readonly #texts: AgentPageTexts;
  readonly #bar = element("div", { class: "bar" });
  readonly #notice = element("div");
  readonly #body = element("div");
  readonly #status = element("div", { class: "unseen", role: "status" });
  readonly #ask: HTMLButtonElement;
  readonly #edit: HTMLButtonElement;
  readonly #refresh: HTMLButtonElement;
  readonly #closed = new AbortController();
  /** Where the page was before the reload; undefined once it is there again. */
  #scrollTo: number | undefined;
  #isShown = false;

  constructor({ agent, connection, texts }: Begin, host: Host<FromAgentPage, AgentPageState>) {
    this.#host = host;
    this.#texts = texts;
    this.#scrollTo = host.state.scroll;
    host.save({ agent });
    this.#ask = textButton(texts.ask, "primary-button", () => host.post({ type: "ask" }));
    this.#edit = textButton(texts.edit, "secondary-button", () => host.post({ type: "edit" }));
    this.#refresh = iconButton("refresh", texts.refresh, () => host.post({ type: "refresh" }));
    const titles = element(
      "div",
      { class: "titles" },
      element("h1", { text: agent.name }),
      element("p", { class: "place", text: formatMessage(texts.place, agent.project, connection) }),
    );
    const tools = element("div", { class: "page-tools" }, this.#ask, this.#edit, this.#refresh);
    const head = element("header", { class: "page-head" }, titles, tools);
    this.#bar.hidden = true;
    this.element.append(this.#bar, head, this.#notice, this.#body, this.#status);
  }

  /** Called once the view's element is in the document. */
  start(): void {
    const { signal } = this.#closed;
    window.addEventListener(
      "scroll",
      () => {
        if (this.#scrollTo === undefined) this.#host.save({ scroll: window.scrollY });
      },
      { signal, passive: true },
    );
    rememberFocus(this.#ask, signal);
  }

  show(message: ToAgentPage): void {
    switch (message.type) {
      case "begin":
        break;
      case "asking":
        this.#setBusy(true);
        break;
      case "read":
        this.#setBusy(false);
        this.#notice.replaceChildren();
        this.#setGone(false);
        this.#body.replaceChildren(...this.#parts(message.details));
        this.#isShown = true;
        break;
      case "failed":
        this.#setBusy(false);
        this.#setGone(message.isGone);
        this.#notice.replaceChildren(
          errorNotice(message.notice, () => this.#host.post({ type: "accept" })),
        );
        break;
    }
  }

  /** All messages of a post are shown. */
  shown(): void {
    if (this.#scrollTo === undefined || !this.#isShown) return;
    window.scrollTo({ top: this.#scrollTo });
    this.#scrollTo = undefined;
  }

  dispose(): void {
    this.#closed.abort();
  }

  #parts(details: AgentDetails): HTMLElement[] {
    const texts = this.#texts;
    const { model, created, updated, tables, knowledgeBases, instruction, fields } = details;
    const facts: [name: string, value: string][] = [
      [texts.model, model || texts.defaultModel],
      [texts.created, withoutFraction(created) || texts.unknown],
      [texts.updated, withoutFraction(updated) || texts.unknown],
    ];
    const glance = element(
      "dl",
      { class: "glance" },
      ...facts.map(([name, text]) =>
        element("div", {}, element("dt", { text: name }), element("dd", { text })),
      ),
    );
    const data = factList([
      [texts.tables, this.#entries(tables)],
      [texts.knowledgeBases, this.#entries(knowledgeBases)],
    ]);
    const noted = fields.map((field) => ({
      ...field,
      notes: field.notes.map((note) => texts.fieldNotes[note]),
    }));
    return [
      glance,
      section(texts.data, data),
      this.#instruction(instruction),
      section(texts.fields, fieldTable(noted, texts)),
    ];
  }

  #entries(entries: string[]): Node | string {
    if (entries.length === 0) return this.#texts.none;
    const items = entries.map((entry) =>
      element("li", {}, element("span", { class: "code", text: entry })),
    );
    return element("ul", { class: "entries" }, ...items);
  }

  #instruction(instruction: string): HTMLElement {
    const { noInstruction, copyInstruction, instruction: title } = this.#texts;
    if (instruction === "") {
      return section(title, element("p", { class: "hint", text: noInstruction }));
    }
    const copy = iconButton("copy", copyInstruction, () =>
      this.#host.post({ type: "copyInstruction" }),
    );
    const heading = element("h2", { text: title });
    const head = element("div", { class: "code-head" }, heading, copy);
    const text = element("div", { class: "code block", text: instruction, role: "region" });
    text.setAttribute("aria-label", title);
    // What scrolls can be scrolled by keyboard too.
    text.tabIndex = 0;
    return element("section", { class: "section" }, head, text);
  }

  #setBusy(isBusy: boolean): void {
    this.#bar.hidden = !isBusy;
    this.#status.textContent = isBusy ? this.#texts.asking : "";
  }

  /** Nothing can be done with an agent that is gone, except to look again. */
  #setGone(isGone: boolean): void {
    const { activeElement } = document;
    const losesFocus = isGone && (activeElement === this.#ask || activeElement === this.#edit);
    this.#ask.hidden = isGone;
    this.#edit.hidden = isGone;
    if (losesFocus) this.#refresh.focus();
  }
}

/** Servers send times with microseconds; the fields show them whole. */
function withoutFraction(time: string): string {
  return time.replace(/\.\d+$/, "");
}
