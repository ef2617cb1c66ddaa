// The notebook renderer: one result for each output. The policy around it is not ours, so nothing here makes markup of text.
import type { ActivationFunction } from "vscode-notebook-renderer";
import gridStyles from "../../shared/page/grid/grid.css";
import type { ResultItem, ResultHeader, ToHost, ToPage } from "../messages.ts";
import resultStyles from "./result.css";
import { ResultElement } from "./resultElement.ts";

export const activate: ActivationFunction = (context) => {
  // A split editor has two renderers with the same outputs.
  const instance = crypto.randomUUID();
  const results = new Map<string, ResultElement>();
  /** Outputs that stand for stored results, by their items' ids: what is drawn into when the header is there. */
  const stored = new Map<string, { cell: string; draw: (header: ResultHeader) => void }>();
  let made = 0;
  const post = (message: ToHost): void => context.postMessage?.(message);
  context.onDidReceiveMessage?.((message: ToPage) => {
    if ("instance" in message && message.instance !== instance) return;
    if (message.type === "stored") {
      const { cell, header } = message;
      for (const [id, one] of [...stored]) {
        if (one.cell !== cell || !header) continue;
        stored.delete(id);
        one.draw(header);
      }
      return;
    }
    if (message.type === "began") for (const { cell } of stored.values()) askFor(cell);
    for (const result of results.values()) {
      if (message.type === "began") result.sayHello();
      else if (result.runId === message.runId) result.receive(message);
    }
  });
  const askFor = (cell: string): void => post({ type: "stored", instance, cell });
  const dispose = (id: string): void => {
    stored.delete(id);
    results.get(id)?.dispose();
    results.delete(id);
  };
  const draw = (id: string, header: ResultHeader, element: HTMLElement): void => {
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const result = new ResultElement(header, {
      instance,
      number: ++made,
      ...(context.postMessage ? { post } : {}),
    });
    root.replaceChildren(styles(), result.element);
    results.set(id, result);
  };
  return {
    renderOutputItem(item, element) {
      const content = item.json() as ResultItem;
      const present = results.get(item.id);
      if ("storedFor" in content) {
        // What is there already is drawn again, as after an edit of the file elsewhere.
        if (present && element.shadowRoot?.contains(present.element)) return;
        dispose(item.id);
        stored.set(item.id, {
          cell: content.storedFor,
          draw: (header) => draw(item.id, header, element),
        });
        askFor(content.storedFor);
        return;
      }
      const header = content;
      // The end of a run renews its output: what is shown stays as it is.
      if (present?.runId === header.runId && element.shadowRoot?.contains(present.element)) {
        present.update(header, header.columns);
        return;
      }
      dispose(item.id);
      draw(item.id, header, element);
    },
    disposeOutputItem(id) {
      for (const key of id === undefined ? [...results.keys()] : [id]) dispose(key);
    },
  };
};

function styles(): HTMLStyleElement {
  const style = document.createElement("style");
  style.textContent = String(gridStyles) + String(resultStyles);
  return style;
}
