// The notebook renderer. Its content security policy is the notebook's, so text must never become HTML.
import type { ActivationFunction, OutputItem, RendererContext } from "vscode-notebook-renderer";
import gridStyles from "../../shared/page/grid/grid.css" with { type: "text" };
import { setLanguage } from "../../shared/page/l10n.ts";
import type { ResultItem, ResultHeader, ToHost, ToPage } from "../messages.ts";
import resultStyles from "./result.css" with { type: "text" };
import { ResultOutput } from "./resultOutput.tsx";

/** The renderer of one editor; a split editor has two, with the same outputs. */
class ResultRenderer {
  readonly #instance = crypto.randomUUID();
  readonly #post: ((message: ToHost) => void) | undefined;
  readonly #results = new Map<string, ResultOutput>();
  /** Outputs that wait for the header of a stored result, by the ids of their items. */
  readonly #waiting = new Map<string, { cell: string; element: HTMLElement }>();
  #resultCount = 0;
  #hasLanguage = false;

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
    } else {
      // The output is replaced when its run ends: keep the element with its scroll position.
      if (!isShown || !present.isVouched || present.runId !== content.runId) {
        this.#dispose(item.id);
        this.#draw(item.id, content, element, false);
      }
      this.#sayHello(content.runId);
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
    if (message.type === "result") {
      this.#vouch(message.header);
      return;
    }
    if (message.type === "began") {
      for (const { cell } of this.#waiting.values()) this.#requestStored(cell);
    }
    for (const result of this.#results.values()) {
      if (message.type === "began") this.#sayHello(result.runId);
      else if (result.runId === message.runId) result.receive(message);
    }
  }

  #sayHello(runId: string): void {
    this.#post?.({ type: "hello", instance: this.#instance, runId });
  }

  #requestStored(cell: string): void {
    this.#post?.({ type: "stored", instance: this.#instance, cell });
  }

  #drawStored({ cell, header }: Extract<ToPage, { type: "stored" }>): void {
    if (!header) return;
    for (const [id, output] of [...this.#waiting]) {
      if (output.cell !== cell) continue;
      this.#waiting.delete(id);
      this.#draw(id, header, output.element, true);
    }
  }

  /** Replaces what was drawn from an output by what the host knows, which has buttons. */
  #vouch(header: ResultHeader): void {
    for (const [id, result] of [...this.#results]) {
      if (result.runId !== header.runId) continue;
      const { runId, columns } = header;
      if (!result.isVouched) this.#redraw(id, result, header);
      else result.receive({ type: "progress", runId, progress: header, columns });
    }
  }

  #redraw(id: string, plain: ResultOutput, header: ResultHeader): void {
    const result = this.#create(header, true);
    plain.element.replaceWith(result.element);
    plain.dispose();
    this.#results.set(id, result);
  }

  /** `isVouched`: the header comes from the host. Otherwise it is text of whoever wrote the notebook. */
  #create(header: ResultHeader, isVouched: boolean): ResultOutput {
    // Any notebook may hold a result: only the language of one that the host has sent stays.
    if (isVouched || !this.#hasLanguage) setLanguage(header);
    this.#hasLanguage ||= isVouched;
    const result = new ResultOutput(header, {
      instance: this.#instance,
      number: ++this.#resultCount,
      post: isVouched ? this.#post : undefined,
    });
    // Scripts of other outputs are in the same document.
    for (const type of ["click", "input", "keydown", "pointerdown"]) {
      result.element.addEventListener(type, dropUntrusted, { capture: true });
    }
    return result;
  }

  #draw(id: string, header: ResultHeader, element: HTMLElement, isVouched: boolean): void {
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const result = this.#create(header, isVouched);
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

/** Drops events that a script made. */
function dropUntrusted(event: Event): void {
  if (event.isTrusted) return;
  event.stopImmediatePropagation();
  event.preventDefault();
}

function styles(): HTMLStyleElement {
  const style = document.createElement("style");
  style.textContent = String(gridStyles) + String(resultStyles);
  return style;
}
