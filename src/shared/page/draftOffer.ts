// Offers at the top of a form to restore or discard unsaved changes of an earlier one.
import { element, icon, textButton } from "./dom.ts";

interface DraftOfferHandlers {
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

  /** Shows the offer, or hides it if undefined. */
  show(text: string | undefined): void {
    this.element.hidden = text === undefined;
    if (text === undefined) {
      this.element.replaceChildren();
      return;
    }
    const { restoreDraft, discardDraft } = this.#texts;
    this.element.replaceChildren(
      icon("info"),
      element("span", { class: "text", text }),
      element(
        "span",
        { class: "choices" },
        textButton(restoreDraft, "secondary-button", this.#handlers.restore),
        textButton(discardDraft, "secondary-button", this.#handlers.discard),
      ),
    );
  }
}
