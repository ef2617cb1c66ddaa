import { element } from "../../shared/page/dom.ts";
import type { Metrics, RunProgress } from "../messages.ts";
import type { ResultTexts } from "../result/resultTexts.ts";
import { createConfusionTable, formatMetrics } from "./formatTexts.ts";

/** Shows how far off the predictions of one model are, or of two that are compared. */
export class MetricsList {
  readonly element = element("div", { class: "metrics" });
  readonly #models: MetricsElement[] = [];
  readonly #texts: ResultTexts;
  readonly #locale: string;

  constructor(texts: ResultTexts, locale: string) {
    this.#texts = texts;
    this.#locale = locale;
  }

  update({ metrics, comparedMetrics }: RunProgress): void {
    const shown = comparedMetrics ?? (metrics ? [{ model: undefined, metrics }] : []);
    while (this.#models.length < shown.length) {
      const added = new MetricsElement(this.#texts, this.#locale);
      this.#models.push(added);
      this.element.append(added.element);
    }
    this.element.hidden = shown.length === 0;
    for (const [at, one] of this.#models.entries()) {
      one.update(shown[at]?.metrics, shown[at]?.model);
    }
  }
}

/** Shows how far off predictions are, with a confusion table that can be opened. */
class MetricsElement {
  readonly element = element("div");
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

  update(metrics: Metrics | undefined, model: string | undefined): void {
    this.element.hidden = !metrics;
    if (!metrics) return;
    const measures = formatMetrics(metrics, this.#texts, this.#locale);
    this.#measures.textContent = model === undefined ? measures : `${model} · ${measures}`;
    const hasTable = metrics.kind === "classes" && metrics.classes.length > 1;
    this.#confusion.hidden = !hasTable;
    if (hasTable) this.#confusionTable.replaceChildren(createConfusionTable(metrics, this.#locale));
  }
}
