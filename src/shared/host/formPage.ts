import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import type { PlannedChange, ServerAccess } from "../connection.ts";
import { commands } from "../../ids.ts";
import type { ErrorAction } from "../errorExplanation.ts";
import type { AnyForm, FormCalls, FormState, Problem } from "../formPage.ts";
import { HostState } from "../hostState.ts";
import { modelProblems } from "../modelProblems.ts";
import { PageReads } from "../pageReads.ts";
import type { Calls, Handlers } from "../pageProtocol.ts";
import { keyPlaceholder } from "../usingClause.ts";
import { findPlaceholder, omitFormSecrets, omitTypedSecrets } from "../typedSecrets.ts";
import { bindCommand } from "./commands.ts";
import { explainOnPage, runAction } from "./errorMessages.ts";
import { showErrorMessage, showStatus } from "./notifications.ts";
import type { Log } from "./log.ts";
import type { Page } from "./pages.ts";

export interface FormPageOptions {
  servers: ServerAccess;
  log: Log;
}

/** How a form begins. */
export interface OpenedForm<Form extends AnyForm, Content extends object> {
  form: Form;
  keptNote?: string | undefined;
  content: Content;
  /** The form has already been sent successfully. */
  isDone?: boolean;
  /** Why a request failed that ran on after the form was closed. */
  failure?: Problem | undefined;
  /** The form was stored, so it lacks secrets that the server has in its texts. */
  isRestored?: boolean;
}

/** Callbacks from a form to the forms of its kind. */
interface FormHooks<Form extends AnyForm> {
  /** The tab has another title, or mark, or key. */
  onTabChanged: () => void;
  /** Stores the unsaved changes of a form that is closed. */
  keep: (form: Form) => void;
  /** Forgets what was stored of a form. */
  forget: (form: Form) => void;
  /** Opens a closed form again. */
  reopen: (form: Form, failure: Problem) => void;
  /** Closes the form. */
  close: () => void;
}

/** A failure whose sentence and field are known. */
export class ProblemError<Field extends string> extends Error {
  readonly problem: Problem<Field>;

  constructor(problem: Problem<Field>) {
    super(problem.text);
    this.problem = problem;
  }
}

type Draft<Form extends AnyForm> = Form["draft"];

/** The host of a form's page: the draft, the one request under way, and what has failed. */
export abstract class FormPage<
  Form extends AnyForm,
  Field extends string,
  Content extends object,
  More extends Calls,
> implements Page<FormCalls<Draft<Form>> & More> {
  readonly state: HostState<FormState<Form, Field> & Content>;
  abstract readonly title: string;
  abstract readonly handlers: Handlers<FormCalls<Draft<Form>> & More>;
  protected readonly formHandlers: Handlers<FormCalls<Draft<Form>>> = {
    change: (draft, hadKeys) => this.#change(draft, hadKeys),
    send: (draft, keys) => this.submit(draft, keys, (signal) => this.send(draft, keys, signal)),
    cancel: () => this.#sending?.abort(),
    startOver: () => this.replace({ ...this.form, ...this.#startOver() }),
    runProblemAction: async (title) => {
      const action = this.#actions.get(title);
      if (!action) return;
      await runAction(action);
      this.retry();
    },
  };
  /** Reads of the page, cancelled when it is closed. */
  protected readonly reads = new PageReads();
  readonly #contentRead = this.reads.create();
  hooks: FormHooks<Form> | undefined;
  readonly #options: FormPageOptions;
  readonly #actions = new Map<string, ErrorAction>();
  #isDone: boolean;
  readonly #isRestored: boolean;
  #wasDirty: boolean;
  #sending: AbortController | undefined;
  /** As it was when the page was closed. */
  #closed: Form | undefined;

  constructor(opened: OpenedForm<Form, Content>, options: FormPageOptions) {
    const { form, keptNote, content, isDone = false, isRestored = false } = opened;
    const failure = opened.failure as Problem<Field> | undefined;
    this.#options = options;
    this.#isDone = isDone;
    this.#isRestored = isRestored;
    const connection = options.servers.find(form.connectionId)?.name ?? form.connectionId;
    const state: FormState<Form, Field> = { form, keptNote, connection, failure };
    this.state = new HostState({ ...state, ...content });
    this.#wasDirty = this.isDirty;
  }

  /** With the draft as the page has it. */
  get form(): Form {
    return this.state.current.form;
  }

  get connectionId(): string {
    return this.form.connectionId;
  }

  /** True once the form was sent successfully. */
  get isDone(): boolean {
    return this.#isDone;
  }

  get isDirty(): boolean {
    const { draft, initial, before } = this.form;
    return !this.#isDone && !isDeepStrictEqual(draft, initial ?? before ?? draft);
  }

  /** Keeps unsaved changes. A request under way goes on: the server would not notice its end. */
  onClosed(): void {
    this.reads.close();
    this.#closed = this.form;
    if (this.isDirty) this.hooks?.keep(omitFormSecrets(this.form, (draft) => this.omitKeys(draft)));
  }

  /** Sends the draft; returns a status for the page. Throws ProblemError and AppError. */
  protected abstract send(
    draft: Draft<Form>,
    keys: Record<string, string>,
    signal: AbortSignal,
  ): Promise<string | undefined>;

  /** Finds the problem that the server's error is about; undefined for errors of any request, like a missing login. */
  protected abstract findProblem(
    error: unknown,
    draft: Draft<Form>,
    keys: Record<string, string>,
  ): Problem<Field> | undefined | Promise<Problem<Field> | undefined>;

  /** Reads the server's data for the form; absent if nothing is read after the form was opened. */
  protected load?(): Promise<void>;

  /** The button of a problem may have fixed its cause. */
  protected retry(): void {
    if (this.state.current.loadError) void this.load?.();
  }

  /** The draft without keys that were typed into its texts: what is kept, here and in storage. */
  protected omitKeys(draft: Draft<Form>, unchanged?: object): Draft<Form> {
    return omitTypedSecrets(draft, unchanged);
  }

  /** True if the form shows placeholders for secrets of the server, and sends the secrets in their places. */
  protected readonly showsPlaceholders: boolean = false;

  /** The user has changed the draft. */
  protected onDraftChanged(): void {
    // Nothing depends on it.
  }

  /** The user comes back from another editor. */
  onActivated(): void {
    // Only some forms depend on what is done elsewhere.
  }

  /** Shows another form. */
  protected replace(form: Form, content: Partial<Content> = {}): void {
    this.#isDone = false;
    const replaced = { ...form, id: crypto.randomUUID() };
    this.#set({ form: replaced, keptNote: undefined, failure: undefined }, content);
    this.#updateTab();
    this.onDraftChanged();
  }

  /** Called after success: nothing is unsaved. */
  protected finish(content: Partial<Content> = {}): void {
    this.#isDone = true;
    this.#set({ keptNote: undefined }, content);
    this.#updateTab();
  }

  /** Called after an item was created or changed: tells so, and closes the form. */
  protected closeSaved(
    name: string,
    status = this.form.before
      ? vscode.l10n.t("Saved {0}", name)
      : vscode.l10n.t("Created {0}", name),
  ): void {
    this.finish();
    showStatus(status);
    this.hooks?.close();
  }

  protected update(content: Partial<Content>): void {
    this.#set({}, content);
  }

  /** Reads content from the server and shows it, or why that failed; again cancels the reading under way. */
  protected async loadContent(
    read: (signal: AbortSignal) => Promise<Partial<Content>>,
  ): Promise<void> {
    await this.#contentRead.run(read, {
      show: (content) => {
        this.update(content);
        this.showLoadError(undefined);
        this.#updateTab();
      },
      fail: (error) => this.showLoadError(error),
    });
  }

  /** Asks for a change of the server. Throws ProblemError with `refusal` unless it is allowed, and if canceled meanwhile. */
  protected async allowWrite(
    change: PlannedChange,
    signal: AbortSignal,
    refusal?: string,
  ): Promise<void> {
    const isAllowed = await this.#options.servers.allowWrite(this.connectionId, change);
    if (!isAllowed) throw this.refusedError(refusal);
    signal.throwIfAborted();
  }

  /**
   * The error of a change that was not allowed. It repeats that the connection is read-only, because the notification
   * about that disappears.
   */
  protected refusedError(refusal = vscode.l10n.t("Not saved.")): ProblemError<"form"> {
    const { protection, name = "" } = this.#options.servers.find(this.connectionId) ?? {};
    const reason = vscode.l10n.t("The connection {0} is read-only.", name);
    const text = protection === "readOnly" ? `${refusal} ${reason}` : refusal;
    return new ProblemError({ field: "form", text });
  }

  /** Shows why the server's data could not be read; undefined once it could. */
  protected showLoadError(error: unknown): void {
    const { loadError } = this.state.current;
    if (error === undefined) {
      if (loadError) this.#set({ loadError: undefined });
      return;
    }
    const { text, action } = this.explain(error, "form", "The server's data could not be read");
    const sentence = vscode.l10n.t("The server's data could not be read. {0}", text);
    this.#set({ loadError: { field: "form", text: sentence, action } });
  }

  /** Offers an action as the button of a problem; returns its title. */
  protected offer(action: ErrorAction): string {
    this.#actions.set(action.title, action);
    return action.title;
  }

  /** Offers the form of the server's default models, to which problems without one lead. */
  protected offerServerSettings(): void {
    const { connectionId } = this;
    const title = modelProblems.serverSettings();
    this.offer(bindCommand(commands.serverSettings, title, { connectionId }));
  }

  /** Logs an error and returns what to tell the user at this field. */
  protected explain(error: unknown, field: Field | "form", what: string): Problem<Field> {
    const { servers, log } = this.#options;
    const { connectionId } = this.form;
    log.error(what, error);
    const address = servers.find(connectionId)?.address;
    const { message, action } = explainOnPage(error, { connectionId, address });
    return { field, text: message, action: action && this.offer(action) };
  }

  #set(change: Partial<FormState<Form, Field>>, content: Partial<Content> = {}): void {
    this.state.update({ ...change, ...content } as Partial<FormState<Form, Field> & Content>);
  }

  #startOver(): Partial<AnyForm> {
    const { draft, initial, before } = this.form;
    return { draft: initial ?? before ?? draft, hadKeys: undefined };
  }

  #withoutKeys(form: Form): Form {
    return { ...form, draft: this.omitKeys(form.draft, form.initial ?? form.before) };
  }

  #change(changed: Draft<Form>, hadKeys: Record<string, boolean>): void {
    if (this.#isDone) return;
    const form = this.#withoutKeys({ ...this.form, draft: changed, hadKeys });
    this.state.note({ form } as Partial<FormState<Form, Field> & Content>);
    if (this.isDirty !== this.#wasDirty) this.#updateTab();
    this.onDraftChanged();
  }

  /** Runs a request with the draft: one at a time, with its seconds shown. Returns a status for the page. */
  protected async submit(
    draft: Draft<Form>,
    keys: Record<string, string>,
    work: (signal: AbortSignal) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    if (this.#sending || this.#isDone) return undefined;
    const sending = new AbortController();
    this.#sending = sending;
    this.#change(draft, this.form.hadKeys ?? {});
    this.#set({ sending: 0, failure: undefined });
    const since = Date.now();
    const clock = setInterval(
      () => this.#set({ sending: Math.floor((Date.now() - since) / 1_000) }),
      1_000,
    );
    try {
      this.#throwIfIncomplete(draft);
      const status = await work(sending.signal);
      this.#set({ sending: undefined });
      // Not after a test of what was typed.
      if (this.#closed && !this.isDirty) this.hooks?.forget(this.#closed);
      return status;
    } catch (error) {
      const failure = await this.#explainFailure(error, { draft, keys }, sending.signal);
      this.#set({ failure, sending: undefined });
      if (this.#closed) void this.#tellFailure(this.#closed, failure);
      return undefined;
    } finally {
      clearInterval(clock);
      this.#sending = undefined;
    }
  }

  /** A placeholder must not take the place of a secret on the server. */
  #throwIfIncomplete(draft: Draft<Form>): void {
    const { before } = this.form;
    const field = findPlaceholder(draft, this.#isRestored && !this.showsPlaceholders ? {} : before);
    if (field !== undefined) throw this.placeholderError(field as Field);
  }

  protected placeholderError(field: Field): ProblemError<Field> {
    const text = vscode.l10n.t(
      "“{0}” stands for a secret that is not stored. Enter the secret again, or close this form and open it again.",
      keyPlaceholder,
    );
    return new ProblemError({ field, text });
  }

  /** Nobody sees the form. */
  async #tellFailure(form: Form, failure: Problem): Promise<void> {
    const open = vscode.l10n.t("Open Form");
    const pressed = await showErrorMessage(`${this.title}: ${failure.text}`, open);
    // Its button belongs to the closed page.
    if (pressed === open) this.hooks?.reopen(form, { ...failure, action: undefined });
  }

  async #explainFailure(
    error: unknown,
    { draft, keys }: { draft: Draft<Form>; keys: Record<string, string> },
    { aborted }: AbortSignal,
  ): Promise<Problem<Field>> {
    if (error instanceof ProblemError) return (error as ProblemError<Field>).problem;
    if (aborted) {
      const text = vscode.l10n.t(
        "Canceled. The server may still be processing this. Refresh the tree to check.",
      );
      return { field: "form", text };
    }
    const problem = await this.findProblem(error, draft, keys);
    const explained = this.explain(error, "form", `${this.title} failed`);
    return problem ?? explained;
  }

  #updateTab(): void {
    this.#wasDirty = this.isDirty;
    this.hooks?.onTabChanged();
  }
}
