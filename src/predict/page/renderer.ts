// The notebook renderer. Its content security policy is the notebook's, so text must never become HTML.
import type { ActivationFunction } from "vscode-notebook-renderer";
import gridStyles from "../../shared/page/grid/grid.css";
import type { ResultItem, ResultHeader, ToHost, ToPage } from "../messages.ts";
import resultStyles from "./result.css";
import { ResultElement } from "./resultElement.ts";

export const activate: ActivationFunction = (context) => {
  // Distinguishes the renderers of a split editor, which have the same outputs.
  const instance = crypto.randomUUID();
  const results = new Map<string, ResultElement>();
  /** Outputs that wait for the header of a stored result, by the ids of their items. */
  const waiting = new Map<string, { cell: string; draw: (header: ResultHeader) => void }>();
  let resultCount = 0;
  const post = (message: ToHost): void => context.postMessage?.(message);
  context.onDidReceiveMessage?.((message: ToPage) => {
    if ("instance" in message && message.instance !== instance) return;
    if (message.type === "stored") {
      const { cell, header } = message;
      for (const [id, one] of [...waiting]) {
        if (one.cell !== cell || !header) continue;
        waiting.delete(id);
        one.draw(header);
      }
      return;
    }
    if (message.type === "began") for (const { cell } of waiting.values()) requestStored(cell);
    for (const result of results.values()) {
      if (message.type === "began") result.sayHello();
      else if (result.runId === message.runId) result.receive(message);
    }
  });
  const requestStored = (cell: string): void => post({ type: "stored", instance, cell });
  const dispose = (id: string): void => {
    waiting.delete(id);
    results.get(id)?.dispose();
    results.delete(id);
  };
  const draw = (id: string, header: ResultHeader, element: HTMLElement): void => {
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const result = new ResultElement(header, {
      instance,
      number: ++resultCount,
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
        // VS Code renders the same output again, for example after the file was changed by another program.
        if (present && element.shadowRoot?.contains(present.element)) return;
        dispose(item.id);
        waiting.set(item.id, {
          cell: content.storedFor,
          draw: (header) => draw(item.id, header, element),
        });
        requestStored(content.storedFor);
        return;
      }
      const header = content;
      // The output is replaced when its run ends: keep the element with its scroll position.
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
