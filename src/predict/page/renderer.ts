// The notebook renderer. Its content security policy is the notebook's, so text must never become HTML.
import type { ActivationFunction, OutputItem, RendererContext } from "vscode-notebook-renderer";
import gridStyles from "../../shared/page/grid/grid.css";
import type { ResultItem, ResultHeader, ToHost, ToPage } from "../messages.ts";
import resultStyles from "./result.css";
import { ResultElement } from "./resultElement.ts";

/** The renderer of one editor; a split editor has two, with the same outputs. */
class ResultRenderer {
  readonly #instance = crypto.randomUUID();
  readonly #post: ((message: ToHost) => void) | undefined;
  readonly #results = new Map<string, ResultElement>();
  /** Outputs that wait for the header of a stored result, by the ids of their items. */
  readonly #waiting = new Map<string, { cell: string; element: HTMLElement }>();
  #resultCount = 0;

  constructor(context: RendererContext<unknown>) {
    this.#post = context.postMessage && ((message) => context.postMessage?.(message));
    context.onDidReceiveMessage?.((message: ToPage) => this.#receive(message));
  }

  render(item: OutputItem, element: HTMLElement): void {
    const content = item.json() as ResultItem;
    const present = this.#results.get(item.id);
    const isShown = present && element.shadowRoot?.contains(present.element);
    if ("storedFor" in content) {
      // VS Code renders the same output again, for example after the file was changed by another program.
      if (isShown) return;
      this.#dispose(item.id);
      this.#waiting.set(item.id, { cell: content.storedFor, element });
      this.#requestStored(content.storedFor);
    } else if (isShown && present.runId === content.runId) {
      // The output is replaced when its run ends: keep the element with its scroll position.
      present.update(content, content.columns);
    } else {
      this.#dispose(item.id);
      this.#draw(item.id, content, element);
    }
  }

  /** Without an id, all results. */
  dispose(id: string | undefined): void {
    for (const key of id === undefined ? [...this.#results.keys()] : [id]) this.#dispose(key);
  }

  #receive(message: ToPage): void {
    if ("instance" in message && message.instance !== this.#instance) return;
    if (message.type === "stored") {
      this.#drawStored(message);
      return;
    }
    if (message.type === "began") {
      for (const { cell } of this.#waiting.values()) this.#requestStored(cell);
    }
    for (const result of this.#results.values()) {
      if (message.type === "began") result.sayHello();
      else if (result.runId === message.runId) result.receive(message);
    }
  }

  #requestStored(cell: string): void {
    this.#post?.({ type: "stored", instance: this.#instance, cell });
  }

  #drawStored({ cell, header }: Extract<ToPage, { type: "stored" }>): void {
    if (!header) return;
    for (const [id, output] of [...this.#waiting]) {
      if (output.cell !== cell) continue;
      this.#waiting.delete(id);
      this.#draw(id, header, output.element);
    }
  }

  #draw(id: string, header: ResultHeader, element: HTMLElement): void {
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const result = new ResultElement(header, {
      instance: this.#instance,
      number: ++this.#resultCount,
      post: this.#post,
    });
    root.replaceChildren(styles(), result.element);
    this.#results.set(id, result);
  }

  #dispose(id: string): void {
    this.#waiting.delete(id);
    this.#results.get(id)?.dispose();
    this.#results.delete(id);
  }
}

export const activate: ActivationFunction = (context) => {
  const renderer = new ResultRenderer(context);
  return {
    renderOutputItem: (item, element) => renderer.render(item, element),
    disposeOutputItem: (id) => renderer.dispose(id),
  };
};

function styles(): HTMLStyleElement {
  const style = document.createElement("style");
  style.textContent = String(gridStyles) + String(resultStyles);
  return style;
}
