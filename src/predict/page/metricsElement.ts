import { element } from "../../shared/page/dom.ts";
import type { Metrics, ResultTexts } from "../messages.ts";
import { createConfusionTable, formatMetrics } from "./formatTexts.ts";

/** Shows how far off predictions are, with a confusion table that can be opened. */
export class MetricsElement {
  readonly element = element("div", { class: "metrics" });
  readonly #measures = element("div");
  // Never replaced, so that it stays open and does not lose clicks while the numbers change.
  readonly #confusion = element("details");
  readonly #confusionTable = element("div");
  readonly #texts: ResultTexts;
  readonly #locale: string;

  constructor(texts: ResultTexts, locale: string) {
    this.#texts = texts;
    this.#locale = locale;
    this.#confusion.append(element("summary", { text: texts.confusion }), this.#confusionTable);
    this.element.append(this.#measures, this.#confusion);
  }

  update(metrics: Metrics | undefined): void {
    this.element.hidden = !metrics;
    if (!metrics) return;
    this.#measures.textContent = formatMetrics(metrics, this.#texts, this.#locale);
    const hasTable = metrics.kind === "classes" && metrics.classes.length > 1;
    this.#confusion.hidden = !hasTable;
    if (hasTable) this.#confusionTable.replaceChildren(createConfusionTable(metrics, this.#locale));
  }
}
