// On top of a form: unsaved changes of the last one can be restored or discarded.
import { element, icon, textButton } from "./dom.ts";

export interface DraftOfferHandlers {
  restore: () => void;
  discard: () => void;
}

export class DraftOffer {
  readonly element = element("div", { class: "draft-offer", role: "status" });
  readonly #texts: { restoreDraft: string; discardDraft: string };
  readonly #handlers: DraftOfferHandlers;

  constructor(texts: { restoreDraft: string; discardDraft: string }, handlers: DraftOfferHandlers) {
    this.#texts = texts;
    this.#handlers = handlers;
    this.element.hidden = true;
  }

  /** Shows what is offered; undefined for nothing. */
  show(text: string | undefined): void {
    this.element.hidden = text === undefined;
    if (text === undefined) {
      this.element.replaceChildren();
      return;
    }
    const { restoreDraft, discardDraft } = this.#texts;
    this.element.replaceChildren(
      icon("info"),
      element("span", { class: "words", text }),
      element(
        "span",
        { class: "choices" },
        textButton(restoreDraft, "secondary-button", this.#handlers.restore),
        textButton(discardDraft, "secondary-button", this.#handlers.discard),
      ),
    );
  }
}
