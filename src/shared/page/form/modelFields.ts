// The fields of a model: one of the given choices, or a custom model with provider, name, key and address.
import type { ModelFieldsTexts } from "../../formFields.ts";
import { formatMessage } from "../../formatMessage.ts";
import { element } from "../dom.ts";
import {
  choiceControl,
  focusControl,
  secretControl,
  textControl,
  type Choice,
  type Control,
} from "./controls.ts";

/** The choice that shows the fields of a custom model. */
export const ownModel = "own";

interface ModelValues {
  /** The value of a choice. */
  choice: string;
  provider: string;
  modelName: string;
  /** Empty for the provider's own address. */
  baseUrl: string;
}

type ModelPart = "model" | "provider" | "modelName" | "apiKey" | "baseUrl";

export interface ModelFieldsOptions {
  texts: ModelFieldsTexts;
  label: (part: ModelPart) => string;
  choices: Choice[];
  /** Provider and name cannot be changed: only the key and the address are fields. */
  isFixed?: boolean;
  providers: readonly string[];
  /** Shown in the empty field of the key. */
  keyPlaceholder: string;
  row: (part: ModelPart, control: Control, body?: HTMLElement) => HTMLElement;
  changed: (change: Partial<ModelValues>, part: ModelPart) => void;
  keyChanged: () => void;
  left: (part: ModelPart) => void;
}

export class ModelFields {
  readonly elements: HTMLElement[];
  readonly #providers: readonly string[];
  readonly #own: HTMLElement;
  readonly #model;
  readonly #provider;
  readonly #otherProvider;
  readonly #modelName;
  readonly #apiKey;
  readonly #baseUrl;

  constructor(options: ModelFieldsOptions) {
    const { texts, label, choices, providers, row, changed, left } = options;
    this.#providers = providers;
    this.#model = choiceControl(label("model"), choices, (choice) => changed({ choice }, "model"));
    this.#provider = choiceControl(
      label("provider"),
      listProviderChoices(providers, texts),
      (provider) => {
        this.#otherProvider.value = provider;
        changed({ provider }, "provider");
        if (provider === "") focusControl(this.#otherProvider);
      },
    );
    this.#otherProvider = textControl({
      label: texts.providerName,
      placeholder: texts.providerName,
      onChange: (provider) => changed({ provider: provider.trim() }, "provider"),
      onLeave: () => left("provider"),
    });
    this.#modelName = textControl({
      label: label("modelName"),
      onChange: (modelName) => changed({ modelName }, "modelName"),
      onLeave: () => left("modelName"),
    });
    this.#apiKey = secretControl(
      {
        label: label("apiKey"),
        placeholder: options.keyPlaceholder,
        onChange: options.keyChanged,
      },
      { show: texts.showKey, hide: texts.hideKey },
    );
    this.#baseUrl = textControl({
      label: label("baseUrl"),
      placeholder: "https://host/v1",
      onChange: (baseUrl) => changed({ baseUrl: baseUrl.trim() }, "baseUrl"),
      onLeave: () => left("baseUrl"),
    });
    if (options.isFixed) {
      this.#own = element("div");
      this.elements = [row("apiKey", this.#apiKey), row("baseUrl", this.#baseUrl)];
      return;
    }
    const provider = element("div", { class: "stack" });
    provider.append(this.#provider.element, this.#otherProvider.element);
    this.#own = element("div", { class: "own-model" });
    this.#own.append(
      row("provider", this.#provider, provider),
      row("modelName", this.#modelName),
      row("apiKey", this.#apiKey),
      row("baseUrl", this.#baseUrl),
    );
    this.elements = [row("model", this.#model), this.#own];
  }

  /** The typed key, trimmed. It is stored nowhere else. */
  get apiKey(): string {
    return this.#apiKey.value.trim();
  }

  set choices(choices: Choice[]) {
    this.#model.choices = choices;
  }

  fill({ choice, provider, modelName, baseUrl }: ModelValues): void {
    this.#model.value = choice;
    this.#provider.value = this.#providers.includes(provider) ? provider : "";
    this.#otherProvider.value = provider;
    this.#modelName.value = modelName;
    this.#baseUrl.value = baseUrl;
  }

  /** Shows the fields of a custom model, or hides them. */
  show(choice: string): void {
    this.#own.hidden = choice !== ownModel;
    this.#otherProvider.element.hidden = this.#provider.value !== "";
  }
}

/** Returns the server's default model as a choice: null or undefined if it is not known, "" if the server has none. */
export function defaultModelChoice(
  name: string | null | undefined,
  { defaultModel, defaultModelUnknown, noDefaultModel }: ModelFieldsTexts,
): Choice {
  let label = defaultModelUnknown;
  if (name === "") label = noDefaultModel;
  else if (name) label = formatMessage(defaultModel, name);
  return { value: "default", label };
}

function listProviderChoices(
  providers: readonly string[],
  { providerNotes, otherProvider }: ModelFieldsTexts,
): Choice[] {
  return [
    ...providers.map((value) => {
      return { value, label: value, description: providerNotes[value] ?? "" };
    }),
    { value: "", label: otherProvider },
  ];
}
