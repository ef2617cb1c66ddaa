// The page of one model. The description is rebuilt with each response.
import { formatMessage } from "../../shared/formatMessage.ts";
import { element, textButton } from "../../shared/page/dom.ts";
import { LoadedItemFrame } from "../../shared/page/loadedItemFrame.ts";
import type { Host, PageView } from "../../shared/page/vscodeApi.ts";
import type { ModelDescription, PageState, ToHost, ToPage, VersionChoice } from "../messages.ts";
import type { ModelTexts } from "../modelTexts.ts";
import { AttributeForm } from "./attributeForm.ts";
import {
  createAttributePart,
  createDescriptionParts,
  type PageContext,
} from "./descriptionParts.ts";
import { createAttributeBody } from "./descriptionTables.ts";

type Begin = Extract<ToPage, { type: "begin" }>;

/** Poll intervals during training, in ms; they grow from the first to the last. */
const firstPoll = 2_000;
const lastPoll = 30_000;

export class ModelView implements PageView<ToPage> {
  readonly element: HTMLElement;
  readonly #host: Host<ToHost, PageState>;
  readonly #texts: ModelTexts;
  readonly #context: PageContext;
  readonly #frame: LoadedItemFrame;
  readonly #picker = element("select", { class: "picker" });
  readonly #versionAlone = element("span", { class: "hint" });
  readonly #predict: HTMLButtonElement;
  readonly #whatIf: HTMLButtonElement;
  readonly #body = element("div");
  readonly #attributes: AttributeForm;
  #description: ModelDescription | undefined;
  #progress = "";
  #poll: number | undefined;

  constructor({ model, connection, texts, locale }: Begin, host: Host<ToHost, PageState>) {
    this.#host = host;
    this.#texts = texts;
    this.#context = {
      texts,
      locale,
      post: (message) => host.post(message),
      isOpen: (part) => host.state.opened?.[part] ?? false,
      setOpen: (part, isOpen) => host.save({ opened: { ...host.state.opened, [part]: isOpen } }),
      asked: () => host.state.asked ?? [],
    };
    this.#attributes = new AttributeForm(texts, (name) => this.#askFor(name));
    host.save({ model });

    this.#picker.setAttribute("aria-label", texts.version);
    this.#picker.addEventListener("change", () =>
      host.post({ type: "choose", version: Number(this.#picker.value) }),
    );
    this.#predict = textButton(texts.predict, "secondary-button", () =>
      host.post({ type: "predict" }),
    );
    this.#whatIf = textButton(texts.whatIf, "secondary-button", () =>
      host.post({ type: "whatIf" }),
    );
    this.#predict.hidden = this.#whatIf.hidden = true;
    this.#picker.hidden = true;
    this.#frame = new LoadedItemFrame(host, {
      name: model.name,
      place: formatMessage(texts.place, model.project, connection),
      texts,
      tools: [this.#versionAlone, this.#picker, this.#whatIf, this.#predict],
      body: [this.#body, this.#attributes.element],
    });
    this.element = this.#frame.element;
  }

  start(): void {
    this.#frame.start();
  }

  show(message: ToPage): void {
    switch (message.type) {
      case "begin":
        break;
      case "asking":
        this.#frame.show(message);
        break;
      case "described":
        this.#host.save({ version: message.chosen });
        this.#describe(message.description);
        break;
      case "failed":
        // The user asks again, or what is shown next does.
        window.clearTimeout(this.#poll);
        this.#frame.show(message);
        if (message.isGone) this.#close();
        break;
      case "progress":
        this.#progress = message.text;
        this.#showProgress();
        break;
      case "attribute":
        if (message.version === this.#description?.version) {
          const place = this.#partOf(message.name)?.querySelector(".folded-body");
          place?.replaceChildren(createAttributeBody(message, this.#texts));
        }
        break;
    }
  }

  shown(): void {
    if (this.#description) this.#frame.restoreScroll();
  }

  dispose(): void {
    this.#frame.dispose();
    window.clearTimeout(this.#poll);
  }

  #partOf(attribute: string): HTMLDetailsElement | null {
    return this.#body.querySelector(`[data-attribute="${CSS.escape(attribute)}"]`);
  }

  /** Opens the section of an attribute, which requests it; creates the section if there is none. */
  #askFor(name: string): void {
    if (!this.#partOf(name)) {
      this.#host.save({ asked: [...this.#context.asked(), name] });
      this.#body.append(createAttributePart(name, this.#context));
    }
    const part = this.#partOf(name);
    if (part?.open) this.#host.post({ type: "attribute", name });
    else if (part) part.open = true;
    part?.scrollIntoView({ block: "nearest" });
  }

  #describe(description: ModelDescription): void {
    const isDone = description.silence !== "asking";
    this.#description = description;
    this.#frame.showRead();
    if (!isDone) this.#frame.setBusy(this.#texts.asking);
    this.#showVersions(description);
    // Only trained models predict. An unlisted model may be trained.
    this.#predict.hidden = description.status !== "complete" && description.version !== undefined;
    this.#whatIf.hidden = this.#predict.hidden;
    this.#attributes.element.hidden = !isDone;
    // Restores the focus, whose element is replaced.
    const focused = focusedPart(this.#body);
    this.#body.replaceChildren(...createDescriptionParts(description, this.#context));
    if (focused !== undefined) {
      this.#body
        .querySelector<HTMLElement>(`[data-part="${CSS.escape(focused)}"] summary`)
        ?.focus();
    }
    if (!description.isTraining) this.#progress = "";
    this.#showProgress();
    this.#pollLater(description, firstPoll);
  }

  #showProgress(): void {
    const place = this.#body.querySelector(".training-progress");
    if (place) place.textContent = this.#progress;
  }

  #showVersions({ version, versions }: ModelDescription): void {
    const label = ({ version, status, active }: VersionChoice): string => {
      const { versionChoice, versionChoiceActive } = this.#texts;
      return formatMessage(active ? versionChoiceActive : versionChoice, String(version), status);
    };
    this.#picker.hidden = versions.length < 2;
    this.#versionAlone.hidden = versions.length !== 1;
    this.#versionAlone.textContent = `${this.#texts.version} ${String(version ?? "")}`;
    this.#picker.replaceChildren(
      ...versions.map((choice) => {
        const isChosen = choice.version === version;
        return new Option(label(choice), String(choice.version), false, isChosen);
      }),
    );
  }

  /** A deleted model can only be refreshed; its description stays visible. */
  #close(): void {
    const { activeElement } = document;
    const attributes = this.#body.querySelectorAll<HTMLElement>("[data-attribute]");
    const closed = [
      this.#predict,
      this.#whatIf,
      this.#picker,
      this.#attributes.element,
      ...attributes,
    ];
    for (const part of closed) part.hidden = true;
    if (closed.some((part) => part.contains(activeElement))) this.#frame.refresh.focus();
  }

  #pollLater({ isTraining }: ModelDescription, wait: number): void {
    window.clearTimeout(this.#poll);
    if (!isTraining) return;
    this.#poll = window.setTimeout(() => {
      if (!this.#description) return;
      this.#host.post({ type: "poll" });
      this.#pollLater(this.#description, Math.min(lastPoll, wait * 1.25));
    }, wait);
  }
}

/** Returns the name of the section that has the focus. */
function focusedPart(body: HTMLElement): string | undefined {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || !body.contains(activeElement)) return undefined;
  return activeElement.closest<HTMLElement>("[data-part]")?.dataset["part"];
}
