// The answers to a question that was asked again, with buttons to switch between them.
import { formatMessage } from "../../shared/formatMessage.ts";
import { element, iconButton } from "../../shared/page/dom.ts";
import type { RunView } from "./runView.ts";
import type { ChatTextFormatter } from "../formatTexts.ts";

export class AnswerVersions {
  readonly #formatter: ChatTextFormatter;
  readonly #switched: () => void;
  /** All answers to a view's question, the oldest first. */
  readonly #versions = new Map<RunView, RunView[]>();

  /** `switched` is called when the user switches to another answer. */
  constructor(formatter: ChatTextFormatter, switched: () => void) {
    this.#formatter = formatter;
    this.#switched = switched;
  }

  /** Shows the new view in place of the other: the question was asked again. */
  replace(replaced: RunView, view: RunView): void {
    const versions = [...(this.#versions.get(replaced) ?? [replaced]), view];
    for (const [index, version] of versions.entries()) {
      this.#versions.set(version, versions);
      version.versions.hidden = false;
      version.versions.replaceChildren(...this.#tools(versions, index));
    }
    show(versions, versions.length - 1);
  }

  #tools(versions: RunView[], index: number): HTMLElement[] {
    const { version, earlierVersion, laterVersion } = this.#formatter.texts;
    const go = (to: number, label: string): void => {
      show(versions, to);
      const buttons = versions[to]?.versions.querySelectorAll("button") ?? [];
      const same = [...buttons].find(({ title, disabled }) => title === label && !disabled);
      (same ?? [...buttons].find(({ disabled }) => !disabled))?.focus({ preventScroll: true });
      this.#switched();
    };
    const button = (name: string, label: string, to: number): HTMLButtonElement => {
      const made = iconButton(name, label, () => go(to, label));
      made.disabled = versions[to] === undefined;
      return made;
    };
    const [shown, all] = [index + 1, versions.length].map((value) => this.#formatter.count(value));
    return [
      button("chevron-left", earlierVersion, index - 1),
      element("span", { text: formatMessage(version, shown ?? "", all ?? "") }),
      button("chevron-right", laterVersion, index + 1),
    ];
  }
}

function show(versions: readonly RunView[], shown: number): void {
  for (const [index, { element: view }] of versions.entries()) view.hidden = index !== shown;
}
