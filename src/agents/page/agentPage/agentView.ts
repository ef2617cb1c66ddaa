// The page of one agent. A deleted agent's data stays visible, without the buttons.
import { formatMessage } from "../../../shared/formatMessage.ts";
import { element, iconButton, textButton } from "../../../shared/page/dom.ts";
import { fieldTable } from "../../../shared/page/fieldTable.ts";
import { factList, section } from "../../../shared/page/documentParts.ts";
import { LoadedItemFrame } from "../../../shared/page/loadedItemFrame.ts";
import type { Host, PageView } from "../../../shared/page/vscodeApi.ts";
import type { AgentPageTexts } from "../../agentPageTexts.ts";
import type { AgentDetails } from "../../agentDetails.ts";
import type { AgentPageState, FromAgentPage, ToAgentPage } from "../../agentPageMessages.ts";

type Begin = Extract<ToAgentPage, { type: "begin" }>;

export class AgentView implements PageView<ToAgentPage> {
  readonly element: HTMLElement;
  readonly #host: Host<FromAgentPage, AgentPageState>;
  readonly #texts: AgentPageTexts;
  readonly #frame: LoadedItemFrame;
  readonly #body = element("div");
  readonly #ask: HTMLButtonElement;
  #isShown = false;

  constructor({ agent, connection, texts }: Begin, host: Host<FromAgentPage, AgentPageState>) {
    this.#host = host;
    this.#texts = texts;
    host.save({ agent });
    this.#ask = textButton(texts.ask, "primary-button", () => host.post({ type: "ask" }));
    const edit = textButton(texts.edit, "secondary-button", () => host.post({ type: "edit" }));
    this.#frame = new LoadedItemFrame(host, {
      name: agent.name,
      place: formatMessage(texts.place, agent.project, connection),
      texts,
      tools: [this.#ask, edit],
      body: [this.#body],
      hiddenWhenGone: [this.#ask, edit],
    });
    this.element = this.#frame.element;
  }

  start(): void {
    this.#frame.start(this.#ask);
  }

  show(message: ToAgentPage): void {
    switch (message.type) {
      case "begin":
        break;
      case "asking":
      case "failed":
        this.#frame.show(message);
        break;
      case "read":
        this.#frame.showRead();
        this.#body.replaceChildren(...this.#parts(message.details));
        this.#isShown = true;
        break;
    }
  }

  shown(): void {
    if (this.#isShown) this.#frame.restoreScroll();
  }

  dispose(): void {
    this.#frame.dispose();
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
    // Focusable, so that it can be scrolled by keyboard.
    text.tabIndex = 0;
    return element("section", { class: "section" }, head, text);
  }
}

/** Servers send times with microseconds; the table of fields shows them unchanged. */
function withoutFraction(time: string): string {
  return time.replace(/\.\d+$/, "");
}
