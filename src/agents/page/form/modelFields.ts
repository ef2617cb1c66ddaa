// The fields of the model: the server's default, or a custom one with provider, name, key and address.
import { formatMessage } from "../../../shared/formatMessage.ts";
import { element } from "../../../shared/page/dom.ts";
import type { ModelDraft } from "../../agentDraft.ts";
import type { FormTexts } from "../../formMessages.ts";
import type { Field, LoadedData } from "../../validation.ts";
import { providers } from "../../modelProviders.ts";
import {
  choiceControl,
  secretControl,
  textControl,
  type Choice,
  type Control,
} from "../../../shared/page/form/controls.ts";

const ownModel = "own";
const defaultModel = "default";

type ModelField = "model" | "provider" | "modelName" | "apiKey" | "baseUrl";

export interface ModelFieldsOptions {
  texts: FormTexts;
  /** The server has stored a key for this agent. */
  hasStoredKey: boolean;
  /** Creates a row of the form. */
  row: (field: ModelField, control: Control, body?: HTMLElement) => HTMLElement;
  changed: (change: Partial<ModelDraft>, field: ModelField) => void;
  keyChanged: () => void;
  left: (field: Field) => void;
}

export class ModelFields {
  readonly elements: HTMLElement[];
  readonly #texts: FormTexts;
  readonly #own: HTMLElement;
  readonly #model;
  readonly #provider;
  readonly #otherProvider;
  readonly #modelName;
  readonly #apiKey;
  readonly #baseUrl;

  constructor({ texts, hasStoredKey, row, changed, keyChanged, left }: ModelFieldsOptions) {
    const { fields } = texts;
    this.#texts = texts;
    this.#model = choiceControl(fields.model.label, this.#modelChoices(undefined), (value) => {
      changed({ own: value === ownModel }, "model");
    });
    this.#provider = choiceControl(fields.provider.label, this.#providerChoices(), (provider) => {
      this.#otherProvider.value = provider;
      changed({ provider }, "provider");
      if (provider === "") void this.#otherProvider.focusable().then((input) => input?.focus());
    });
    this.#otherProvider = textControl({
      label: texts.providerName,
      placeholder: texts.providerName,
      onChange: (provider) => changed({ provider: provider.trim() }, "provider"),
      onLeave: () => left("provider"),
    });
    this.#modelName = textControl({
      label: fields.modelName.label,
      onChange: (modelName) => changed({ modelName }, "modelName"),
      onLeave: () => left("modelName"),
    });
    this.#apiKey = secretControl(
      {
        label: fields.apiKey.label,
        placeholder: hasStoredKey ? texts.keyKept : "",
        onChange: keyChanged,
      },
      { show: texts.showKey, hide: texts.hideKey },
    );
    this.#baseUrl = textControl({
      label: fields.baseUrl.label,
      placeholder: "https://host/v1",
      onChange: (baseUrl) => changed({ baseUrl: baseUrl.trim() }, "baseUrl"),
      onLeave: () => left("baseUrl"),
    });
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

  fill({ own, provider, modelName, baseUrl }: ModelDraft): void {
    this.#model.value = own ? ownModel : defaultModel;
    this.#provider.value = providers.includes(provider) ? provider : "";
    this.#otherProvider.value = provider;
    this.#modelName.value = modelName;
    this.#baseUrl.value = baseUrl;
  }

  /** Shows the server's default model. */
  setServerData(seen: LoadedData): void {
    this.#model.choices = this.#modelChoices(seen.defaultModel);
  }

  /** Shows the fields of a custom model, or hides them. */
  show({ own }: ModelDraft): void {
    this.#own.hidden = !own;
    this.#otherProvider.element.hidden = this.#provider.value !== "";
  }

  #modelChoices(name: string | null | undefined): Choice[] {
    const texts = this.#texts;
    let label = texts.defaultModelUnknown;
    if (name === "") label = texts.noDefaultModel;
    else if (name) label = formatMessage(texts.defaultModel, name);
    return [
      { value: defaultModel, label },
      { value: ownModel, label: texts.ownModel },
    ];
  }

  #providerChoices(): Choice[] {
    const { providerNotes, otherProvider } = this.#texts;
    return [
      ...providers.map((value) => {
        return { value, label: value, description: providerNotes[value] ?? "" };
      }),
      { value: "", label: otherProvider },
    ];
  }
}
