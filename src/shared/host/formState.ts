import type { ServerAccess } from "../../connections/connection.ts";
import type { FieldNotice, FormMessage, FormRequest } from "../formFields.ts";
import { explainError } from "./errorMessages.ts";
import type { ErrorAction } from "../errorExplanation.ts";
import { FormDraft, type AnyForm, type FormDraftOptions } from "./formDraft.ts";
import { NoticeButton } from "./noticeButton.ts";

/** What went wrong, at the field that caused it. */
export interface FormFailure<Field> {
  field: Field;
  text: string;
  action?: ErrorAction | undefined;
}

interface ConnectedForm extends AnyForm {
  connectionId: string;
}

interface FormStateOptions<
  Form extends ConnectedForm,
  Changed extends keyof Form,
  Field,
> extends FormDraftOptions<Form, Changed> {
  servers: ServerAccess;
  post: (message: FormMessage<Field>) => void;
  title: () => string;
  /** The form was replaced by the offered draft. */
  onRestored: () => void;
  /** The action of a notice's button has run: it may have fixed the cause. */
  onNoticeAccepted: () => void;
}

interface FormRequestSteps<Outcome, Field> {
  request: (signal: AbortSignal) => Promise<Outcome>;
  /** Shows the outcome, or returns why the request counts as failed. */
  show: (
    outcome: Outcome,
  ) => Promise<FormFailure<Field> | undefined> | FormFailure<Field> | undefined;
  explain: (
    error: unknown,
    isCancelled: boolean,
  ) => Promise<FormFailure<Field>> | FormFailure<Field>;
}

/** What the host keeps of any form beside its data: unsaved changes, the one request under way, and what has failed. */
export class FormState<Form extends ConnectedForm, Changed extends keyof Form, Field> {
  readonly draft: FormDraft<Form, Changed>;
  readonly #options: FormStateOptions<Form, Changed, Field>;
  readonly #button = new NoticeButton();
  #loadError: FieldNotice<Field> | undefined;
  #refusal: FieldNotice<Field> | undefined;
  #sending: { since: number; abort: AbortController } | undefined;

  constructor(form: Form, options: FormStateOptions<Form, Changed, Field>) {
    this.#options = options;
    this.draft = new FormDraft(form, options);
  }

  get isSending(): boolean {
    return this.#sending !== undefined;
  }

  get hasLoadError(): boolean {
    return this.#loadError !== undefined;
  }

  get connectionName(): string {
    const { connectionId } = this.draft.form;
    return this.#options.servers.find(connectionId)?.name ?? connectionId;
  }

  /** What a snapshot has of it. */
  get messages(): FormMessage<Field>[] {
    return [
      ...(this.#loadError ? [{ type: "loadError", notice: this.#loadError } as const] : []),
      ...this.draft.offers,
      ...(this.#refusal ? [{ type: "refused", notice: this.#refusal } as const] : []),
      ...(this.#sending ? [this.#createProgress(this.#sending.since)] : []),
    ];
  }

  receive(message: FormRequest): void {
    const { post, title, onRestored } = this.#options;
    switch (message.type) {
      case "restoreDraft":
        if (this.draft.restore(title())) onRestored();
        post(this.draft.offer);
        break;
      case "discardDraft":
        this.draft.discard();
        post(this.draft.offer);
        break;
      case "cancel":
        this.cancel();
        break;
      case "accept":
        void this.#accept();
        break;
    }
  }

  cancel(): void {
    this.#sending?.abort.abort();
  }

  /** Stores unsaved changes as a draft. */
  close(): void {
    this.draft.close(this.#options.title());
  }

  /** Forgets why the last request failed. */
  clearRefusal(): void {
    this.#refusal = undefined;
  }

  /** Explains an error on the form's connection. */
  explain<Where extends Field>(error: unknown, field: Where): FormFailure<Where> {
    const { connectionId } = this.draft.form;
    const { address } = this.#options.servers.find(connectionId) ?? {};
    const { message, action } = explainError(error, { connectionId, address });
    return { field, text: message, action };
  }

  createNotice<Where extends Field>({
    field,
    text,
    action,
  }: FormFailure<Where>): FieldNotice<Where> {
    return { field, ...this.#button.createNotice({ message: text, action }) };
  }

  /** Shows why the server's data could not be read; undefined once it could. */
  showLoadError(failure: FormFailure<Field> | undefined): void {
    if (!failure && !this.#loadError) return;
    this.#loadError = failure && this.createNotice(failure);
    this.#options.post({ type: "loadError", notice: this.#loadError });
  }

  /** Sends a request, unless one is under way. */
  async send<Outcome>({ request, show, explain }: FormRequestSteps<Outcome, Field>): Promise<void> {
    if (this.#sending) return;
    const sending = { since: Date.now(), abort: new AbortController() };
    const { signal } = sending.abort;
    this.#sending = sending;
    this.#refusal = undefined;
    this.#options.post(this.#createProgress(sending.since));
    let failure: FormFailure<Field> | undefined;
    try {
      const outcome = await request(signal);
      this.#sending = undefined;
      failure = await show(outcome);
    } catch (error) {
      failure = await explain(error, signal.aborted);
    }
    this.#sending = undefined;
    if (!failure) return;
    this.#refusal = this.createNotice(failure);
    this.#options.post({ type: "refused", notice: this.#refusal });
  }

  async #accept(): Promise<void> {
    if (await this.#button.press()) this.#options.onNoticeAccepted();
  }

  #createProgress(since: number): FormMessage<Field> {
    return { type: "sending", elapsed: Date.now() - since };
  }
}
