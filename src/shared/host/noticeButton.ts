import type { Notice } from "../itemPage.ts";
import { runAction } from "./errorMessages.ts";
import type { ErrorAction, ErrorExplanation } from "../errorExplanation.ts";

/** The button of the notice that a page shows. A page has at most one at a time. */
export class NoticeButton {
  #action: ErrorAction | undefined;

  /** Returns the notice for an explanation; its button replaces the one before. */
  createNotice({ message, action }: ErrorExplanation): Notice {
    this.#action = action;
    return { text: message, action: action?.title };
  }

  /** Runs the button's action; false if the notice has no button. */
  async press(): Promise<boolean> {
    if (!this.#action) return false;
    await runAction(this.#action);
    return true;
  }
}
