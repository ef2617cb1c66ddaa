// The fields of an agent's model: the server's default, or a custom one.
import type { Choice } from "../../../shared/page/form/controls.ts";
import {
  defaultModelChoice,
  ModelFields,
  ownModel,
  type ModelFieldsOptions,
} from "../../../shared/page/form/modelFields.ts";
import type { ModelDraft } from "../../agentDraft.ts";
import type { FormTexts } from "../../formTexts.ts";
import { providers } from "../../modelProviders.ts";
import type { LoadedData } from "../../validation.ts";

interface AgentModelOptions extends Pick<ModelFieldsOptions, "row" | "keyChanged" | "left"> {
  texts: FormTexts;
  /** The server has stored a key for this agent. */
  hasStoredKey: boolean;
  changed: (
    change: Partial<ModelDraft>,
    field: Parameters<ModelFieldsOptions["changed"]>[1],
  ) => void;
}

export class AgentModelFields {
  readonly elements: HTMLElement[];
  readonly #texts: FormTexts;
  readonly #fields: ModelFields;

  constructor({ texts, hasStoredKey, changed, ...options }: AgentModelOptions) {
    this.#texts = texts;
    this.#fields = new ModelFields({
      ...options,
      texts,
      label: (part) => texts.fields[part].label,
      choices: this.#choices(undefined),
      providers,
      keyPlaceholder: hasStoredKey ? texts.keyKept : "",
      changed: ({ choice, ...change }, part) => {
        changed({ ...change, ...(choice === undefined ? {} : { own: choice === ownModel }) }, part);
      },
    });
    this.elements = this.#fields.elements;
  }

  /** The typed key, trimmed. */
  get apiKey(): string {
    return this.#fields.apiKey;
  }

  fill(model: ModelDraft): void {
    this.#fields.fill({ ...model, choice: choiceOf(model) });
  }

  /** Shows the server's default model. */
  setServerData(seen: LoadedData): void {
    this.#fields.choices = this.#choices(seen.defaultModel);
  }

  /** Shows the fields of a custom model, or hides them. */
  show(model: ModelDraft): void {
    this.#fields.show(choiceOf(model));
  }

  #choices(name: string | null | undefined): Choice[] {
    const texts = this.#texts;
    return [defaultModelChoice(name, texts), { value: ownModel, label: texts.ownModel }];
  }
}

function choiceOf({ own }: ModelDraft): string {
  return own ? ownModel : "default";
}
