// The user's consent to what may cost money. The client sends nothing that may cost money without one.

/**
 * One consent for one run: the first statement that may cost money asks, and the answer covers the run's other pages,
 * counts and retries.
 */
export class CostConsent {
  readonly #ask: () => Promise<boolean>;
  #answer: Promise<boolean> | undefined;

  constructor(ask: () => Promise<boolean>) {
    this.#ask = ask;
  }

  /** Refuses what may cost money. Unlike no consent, it lets statements share what was read to judge them. */
  static refusal(): CostConsent {
    return new CostConsent(() => Promise.resolve(false));
  }

  get isAsked(): boolean {
    return this.#answer !== undefined;
  }

  allows(): Promise<boolean> {
    return (this.#answer ??= this.#ask());
  }
}

/**
 * Why a request may cost money. "byAction": the user's own action asks for exactly this, such as a question to an agent,
 * a search, or a statement that a dialog has shown. "free": a statement of the extension's own on what the server lists
 * as a knowledge base or on a listing, which asks no model.
 */
export type Cost = "byAction" | "free" | CostConsent;
