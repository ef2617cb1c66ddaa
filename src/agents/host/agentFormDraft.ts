// The unsaved changes of one agent form, and the draft that is offered to it.
import { isDeepStrictEqual } from "node:util";
import type { DraftStore } from "../../shared/host/draftStore.ts";
import { formatDraftOffer, FormDraft } from "../../shared/host/formDraft.ts";
import type { AgentDraft } from "../agentDraft.ts";
import { agentForm, type AgentForm, type ToPage } from "../formMessages.ts";
import { draftTarget } from "./initialForm.ts";
import { formatTexts } from "./formTexts.ts";

export class AgentFormDraft {
  readonly #form: AgentForm;
  readonly #draft: FormDraft<AgentForm>;
  #offer: string | undefined;

  /** Nothing is offered before `find`. */
  constructor(form: AgentForm, store: DraftStore) {
    this.#form = form;
    this.#draft = new FormDraft({
      store,
      schema: agentForm,
      id: form.id,
      target: draftTarget(form),
    });
    this.change(form.draft, form.hadKey ?? false);
  }

  get isDirty(): boolean {
    return this.#draft.isDirty;
  }

  /** The message that offers the draft to the page. */
  get offer(): Extract<ToPage, { type: "draftOffered" }> {
    return { type: "draftOffered", text: this.#offer };
  }

  /** `hasKey`: a key is typed with the draft; it is not stored. */
  change(draft: AgentDraft, hasKey: boolean): void {
    const { initial, before } = this.#form;
    const isChanged = !isDeepStrictEqual(draft, initial ?? before ?? draft);
    this.#draft.change(isChanged ? { ...this.#form, draft, hadKey: hasKey } : undefined);
  }

  /** The form was saved: nothing is unsaved. */
  saved(): void {
    this.#draft.change(undefined);
  }

  /** Looks for a draft of an earlier form for the same agent. */
  find(): void {
    const found = this.#draft.find();
    this.#offer = found && offerText(found, this.#form);
  }

  /** Returns this form with the offered draft; undefined if it is gone, like after a restore in another window. */
  restore(): AgentForm | undefined {
    const restored = this.#draft.restore();
    this.#offer = undefined;
    if (!restored) return undefined;
    const { draft, hadKey = false } = restored;
    return { ...this.#form, id: crypto.randomUUID(), draft, hadKey };
  }

  /** Deletes the offered draft, and offers the one before it. */
  discard(): void {
    this.#draft.discard();
    this.find();
  }

  /** The form closes: unsaved changes are stored as a draft. */
  close(title: string): void {
    this.#draft.close(title);
  }
}

function offerText(
  { savedAt, form }: { savedAt: number; form: AgentForm },
  now: AgentForm,
): string {
  const text = formatDraftOffer(savedAt);
  const isOutdated = now.before && !isDeepStrictEqual(form.before, now.before);
  return isOutdated ? `${text} ${formatTexts.changedSince()}` : text;
}
