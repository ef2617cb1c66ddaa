// The page of a form around its own fields: head, offer of a draft, problems and notices, footer, and the request's
// progress.
import type {
  FieldNotice,
  FieldProblem,
  FormFrameTexts,
  FormMessage,
  FormRequest,
} from "../../formFields.ts";
import { formatMessage } from "../../formatMessage.ts";
import { element } from "../dom.ts";
import { DraftOffer } from "../draftOffer.ts";
import { rememberFocus } from "../focus.ts";
import type { Host } from "../vscodeApi.ts";
import { createDoneView, type DoneViewOptions } from "./doneView.ts";
import type { ShownProblem } from "./fieldRow.ts";
import { Actions, type ActionOptions } from "./formActions.ts";
import { FormRows } from "./formRows.ts";

interface FormFrameOptions<Field extends string, Kind extends string> {
  host: Host<FormRequest, object>;
  begin: {
    form: { draft: { project: string } };
    connection: string;
    texts: FormFrameTexts<Field, Kind>;
    locale: string;
  };
  copies: ActionOptions["copies"];
  /** Where the focus goes when the offered draft is discarded; by default it stays. */
  focusAfterDiscard?: Field;
  /** Saves the page's state, with `scroll`. */
  save: () => void;
  /** Tells the host the draft, which it stores when the form is closed. */
  postChange: () => void;
  /** What is wrong with the draft, or may be. */
  findProblems: () => FieldProblem<Field, Kind>[];
  /** Whether a problem is shown before the user has tried to send the draft; undefined: as in any form. */
  isShownEarly?: (problem: FieldProblem<Field, Kind>) => boolean | undefined;
  /** Further notices and problems at a field. */
  notices?: () => readonly (FieldNotice<Field | "form"> | undefined)[];
  problemsAt?: (field: Field | "form") => ShownProblem[];
  /** Shows what else depends on the draft. */
  refresh: (shown: readonly FieldProblem<Field, Kind>[]) => void;
  /** Completes the draft before it is sent. */
  prepare: () => void;
  send: () => void;
}

/** `form` is the top of the form. */
export class FormFrame<Field extends string, Kind extends string> {
  readonly element = element("main", { class: "form" });
  readonly rows: FormRows<Field>;
  /** Fields that the user has left. Problems of the others are not shown yet. */
  readonly visited = new Set<Field>();
  readonly #options: FormFrameOptions<Field, Kind>;
  readonly #numbers: Intl.NumberFormat;
  readonly #disposal = new AbortController();
  readonly #scroller = element("div", { class: "scroller" });
  readonly #fields = element("div", { class: "fields" });
  readonly #offer: DraftOffer;
  readonly #actions: Actions;
  #loadError: FieldNotice<Field | "form"> | undefined;
  #refusal: FieldNotice<Field | "form"> | undefined;
  #isTried = false;

  constructor(options: FormFrameOptions<Field, Kind>) {
    const { host, begin, copies, focusAfterDiscard } = options;
    const { form, connection, texts, locale } = begin;
    this.#options = options;
    this.#numbers = new Intl.NumberFormat(locale);
    this.rows = new FormRows<Field>(texts);
    this.#offer = new DraftOffer(texts, {
      restore: () => host.post({ type: "restoreDraft" }),
      discard: () => {
        host.post({ type: "discardDraft" });
        if (focusAfterDiscard) this.rows.focus(focusAfterDiscard);
      },
    });
    this.#actions = new Actions({
      texts,
      formatSending: (seconds) => formatMessage(texts.sending, this.#numbers.format(seconds)),
      send: () => this.#send(),
      cancel: () => host.post({ type: "cancel" }),
      copies,
    });
    const head = element(
      "header",
      {},
      element("h1", { text: texts.title }),
      element("p", {
        class: "place",
        text: formatMessage(texts.place, connection, form.draft.project),
      }),
      element("p", { class: "intro", text: texts.intro }),
    );
    this.#scroller.append(
      element("div", { class: "page" }, head, this.#offer.element, this.rows.top, this.#fields),
    );
    this.element.append(this.#scroller, this.#actions.element);
    const { signal } = this.#disposal;
    this.element.addEventListener("keydown", (event) => this.#shortcut(event), { signal });
    this.#scroller.addEventListener("scroll", () => options.save(), { signal });
  }

  get scroll(): number {
    return this.#scroller.scrollTop;
  }

  get sendButton(): HTMLButtonElement {
    return this.#actions.sendButton;
  }

  /** Adds rows of fields, and what stands between them. */
  append(...elements: HTMLElement[]): void {
    this.#fields.append(...elements);
  }

  /** Begins the form when all its fields are there: `first` gets the focus. */
  async start(
    first: HTMLElement | Promise<HTMLElement | null>,
    scroll: number | undefined,
  ): Promise<void> {
    this.#saveChange();
    // Controls are focusable only when they are in the document.
    const target = await first;
    if (!target || this.#disposal.signal.aborted) return;
    rememberFocus(target, this.#disposal.signal);
    this.#scroller.scrollTop = scroll ?? 0;
  }

  /** Replaces the form when what it was for is done. */
  finish(done: DoneViewOptions): void {
    this.dispose();
    const view = createDoneView(done);
    this.element.replaceWith(view.element);
    view.focus();
  }

  dispose(): void {
    this.#disposal.abort();
    this.#actions.dispose();
  }

  show(message: FormMessage<Field | "form">): void {
    switch (message.type) {
      case "loadError":
        this.#loadError = message.notice;
        this.check();
        break;
      case "sending":
        this.#refusal = undefined;
        this.#fields.inert = true;
        this.#actions.showSending(message.elapsed);
        this.check();
        break;
      case "refused":
        this.#fields.inert = false;
        this.#actions.stopSending();
        this.#refusal = message.notice;
        this.check();
        this.rows.focus(message.notice.field);
        break;
      case "draftOffered":
        this.#offer.show(message.text);
        break;
      case "status":
        this.#actions.setStatus(message.text);
        break;
    }
  }

  /** The user has changed a field, which removes the server's error about it. */
  change(field: Field): void {
    const { field: refused } = this.#refusal ?? {};
    if (refused === field || refused === "form") this.#refusal = undefined;
    this.#actions.setStatus("");
    this.#saveChange();
  }

  leave(field: Field): void {
    this.visited.add(field);
    this.check();
  }

  /** Shows the problems that the user should see by now, and all notices. */
  check(): void {
    const { begin, findProblems, refresh, notices, problemsAt } = this.#options;
    const problems = findProblems().filter((problem) => this.#isShownNow(problem));
    refresh(problems);
    const all = [this.#loadError, ...(notices?.() ?? []), this.#refusal].filter(
      (notice) => notice !== undefined,
    );
    this.rows.show((field) => [
      ...problems
        .filter((problem) => problem.field === field)
        .map(({ kind, values, isWarning }) => {
          return { text: formatMessage(begin.texts.problems[kind], ...values), isWarning };
        }),
      ...all
        .filter((notice) => this.rows.findShownField(notice.field) === field)
        .map((notice) => this.#toProblem(notice)),
      ...(problemsAt?.(field) ?? []),
    ]);
  }

  #saveChange(): void {
    this.#options.save();
    this.#options.postChange();
    this.check();
  }

  /** Missing values are reported when the form is sent, invalid ones when their field is left. */
  #isShownNow(problem: FieldProblem<Field, Kind>): boolean {
    if (this.#isTried) return true;
    const { field, kind, isWarning } = problem;
    const isDue = isWarning || (this.visited.has(field) && !kind.endsWith("Missing"));
    return this.#options.isShownEarly?.(problem) ?? isDue;
  }

  #toProblem({ text, action }: FieldNotice<Field | "form">): ShownProblem {
    const shown = { text, isWarning: false };
    if (action === undefined) return shown;
    const run = (): void => this.#options.host.post({ type: "accept" });
    return { ...shown, action: { title: action, run } };
  }

  #send(): void {
    if (this.#actions.isSending) return;
    const { begin, prepare, findProblems, send } = this.#options;
    this.#isTried = true;
    prepare();
    this.check();
    const wrong = findProblems().filter(({ isWarning }) => !isWarning);
    const [first] = wrong;
    if (!first) {
      send();
      return;
    }
    const { oneProblem, severalProblems } = begin.texts;
    const count = new Set(wrong.map(({ field }) => field)).size;
    const several = formatMessage(severalProblems, this.#numbers.format(count));
    this.#actions.setStatus(count === 1 ? oneProblem : several);
    this.rows.focus(first.field);
  }

  #shortcut(event: KeyboardEvent): void {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.#send();
    }
    if (event.key === "Escape" && this.#actions.isSending) {
      this.#options.host.post({ type: "cancel" });
    }
  }
}
