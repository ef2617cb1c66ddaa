// The notebook renderer: one result for each output. The policy around it is not ours, so nothing here makes markup of text.
import type { ActivationFunction } from "vscode-notebook-renderer";
import gridStyles from "../../shared/page/grid.css";
import type { ResultHeader, ToHost, ToPage } from "../messages.ts";
import resultStyles from "./result.css";
import { ResultElement } from "./resultElement.ts";

export const activate: ActivationFunction = (context) => {
  // A split editor has two renderers with the same outputs.
  const instance = crypto.randomUUID();
  const results = new Map<string, ResultElement>();
  let made = 0;
  const post = (message: ToHost): void => context.postMessage?.(message);
  context.onDidReceiveMessage?.((message: ToPage) => {
    if (message.type === "window" && message.instance !== instance) return;
    for (const result of results.values()) {
      if (message.type === "began") result.sayHello();
      else if (result.runId === message.runId) result.receive(message);
    }
  });
  const dispose = (id: string): void => {
    results.get(id)?.dispose();
    results.delete(id);
  };
  return {
    renderOutputItem(item, element) {
      const header = item.json() as ResultHeader;
      const present = results.get(item.id);
      // The end of a run renews its output: what is shown stays as it is.
      if (present?.runId === header.runId && element.shadowRoot?.contains(present.element)) {
        present.update(header, header.columns);
        return;
      }
      dispose(item.id);
      const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
      const result = new ResultElement(header, {
        instance,
        number: ++made,
        ...(context.postMessage ? { post } : {}),
      });
      root.replaceChildren(styles(), result.element);
      results.set(item.id, result);
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
