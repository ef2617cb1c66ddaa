// The input for questions: Enter sends, also during a run, Shift+Enter breaks the line, Up recalls earlier questions.
import * as l10n from "@vscode/l10n";
import { Component, createRef } from "preact";
import { redactPatterns } from "../../mindsdb/redact/secretPatterns.ts";
import { oneLine } from "../../shared/oneLine.ts";
import { IconButton } from "../../shared/page/parts.tsx";
import { save, savedState } from "../../shared/page/webview.ts";
import type { ChatHost, SavedPage } from "../chatPage.ts";
import type { Transcript } from "../transcript.ts";
import { QuestionHistory } from "./questionHistory.ts";

/** For the agent's name in the placeholder. */
const maxNameLength = 32;

interface ComposerProps {
  /** Gets this component, at once: Preact 11 gives a component its `ref` as a prop. */
  handle: { current: Composer | null };
  agent: string;
  host: ChatHost;
  isRunning: boolean;
  getTranscript: () => Transcript;
}

export class Composer extends Component<ComposerProps> {
  readonly #draft = (savedState() as Partial<SavedPage>).draft ?? "";
  override state = { isEmpty: this.#draft.trim() === "", isStopping: false };
  readonly #form = createRef<HTMLFormElement>();
  readonly #input = createRef<HTMLTextAreaElement>();
  /** A question sent to the host; its text is removed when the host has it. */
  #sentQuestion: string | undefined;
  readonly #history = new QuestionHistory(() =>
    this.props.getTranscript().runs.map(({ question }) => question),
  );

  constructor(props: ComposerProps) {
    super(props);
    props.handle.current = this;
  }

  override componentDidUpdate({ isRunning }: ComposerProps): void {
    if (isRunning === this.props.isRunning) return;
    if (!this.props.isRunning && this.state.isStopping) this.setState({ isStopping: false });
    // The focused button is hidden now.
    const { activeElement } = document;
    if (activeElement !== this.#input.current && this.#form.current?.contains(activeElement)) {
      this.focus();
    }
  }

  focus(): void {
    this.#input.current?.focus({ preventScroll: true });
  }

  /** Adds a question below the present text. */
  propose(question: string): void {
    const before = this.#text.trim();
    this.#setText(before === "" ? question : `${before}\n${question}`);
    this.focus();
  }

  /** The host has the question. */
  taken(asked = this.#sentQuestion): void {
    this.#sentQuestion = undefined;
    save({ sent: undefined });
    // The user may have started the next question.
    if (asked !== undefined && this.#text.trim() === asked) this.#setText("");
  }

  /** Clears a draft that was sent when the page was hidden, and that the host has as a question by now. */
  settleSent(): void {
    const { sent } = savedState() as Partial<SavedPage>;
    if (!sent) return;
    const { runs, waiting } = this.props.getTranscript();
    const isAsked = waiting.includes(sent.question) || (runs.at(-1)?.id ?? 0) > sent.after;
    if (isAsked) this.taken(sent.question);
  }

  /** Disables the button at once; the host reports when the run has ended. */
  stop(): void {
    if (!this.props.isRunning || this.state.isStopping) return;
    this.setState({ isStopping: true });
    void this.props.host.stop();
  }

  get #text(): string {
    return this.#input.current?.value ?? "";
  }

  #setText(text: string): void {
    if (this.#input.current) this.#input.current.value = text;
    this.#saveDraft();
  }

  #saveDraft(): void {
    const draft = this.#text;
    // The page's state is stored, and conversations are stored without secrets.
    save({ draft: redactPatterns(draft) });
    this.setState({ isEmpty: draft.trim() === "" });
  }

  #handleKey(event: KeyboardEvent): void {
    const input = this.#input.current;
    // While an input method composes, Enter chooses a candidate; some browsers report it as 229.
    const composing = event.isComposing || event.keyCode === 229;
    if (composing || !input) return;
    const recalled = this.#history.recall(event, input);
    if (recalled !== undefined) {
      event.preventDefault();
      this.#setText(recalled);
    }
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    this.#ask();
  }

  #ask(): void {
    const question = this.#text.trim();
    if (question === "" || question === this.#sentQuestion) return;
    const { host, getTranscript } = this.props;
    this.#sentQuestion = question;
    const after = getTranscript().runs.at(-1)?.id ?? 0;
    save({ sent: { question: redactPatterns(question), after } });
    void host.ask(question);
  }

  override render() {
    const { agent, isRunning } = this.props;
    const { isEmpty, isStopping } = this.state;
    return (
      <form class="composer" ref={this.#form} onSubmit={(event) => event.preventDefault()}>
        <textarea
          ref={this.#input}
          rows={1}
          data-first
          placeholder={l10n.t("Ask {0}", oneLine(agent, maxNameLength))}
          aria-label={l10n.t("Question for {0}", agent)}
          defaultValue={this.#draft}
          onInput={() => this.#saveDraft()}
          onKeyDown={(event) => this.#handleKey(event)}
        />
        <IconButton
          icon="send"
          label={isRunning ? l10n.t("Send After This Answer (Enter)") : l10n.t("Send (Enter)")}
          isHidden={isRunning && isEmpty}
          isDisabled={isEmpty}
          press={() => this.#ask()}
        />
        <IconButton
          icon="stop-circle"
          label={l10n.t("Stop (Escape)")}
          isHidden={!isRunning}
          isDisabled={isStopping}
          press={() => this.stop()}
        />
      </form>
    );
  }
}
