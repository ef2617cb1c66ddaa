// Checks default models before they are sent: servers store any model without trying it (26.1.0 and 25.14.1).
import * as l10n from "@vscode/l10n";
import { openAIProviders, providers } from "../agents/modelProviders.ts";
import { modelProviders } from "../knowledgeBases/form/validation.ts";
import { modelKinds, type DefaultModelKind } from "../mindsdb/defaultModels.ts";
import type { Problem } from "../shared/formPage.ts";
import { isWebAddress } from "../shared/isWebAddress.ts";
import { modelProblems } from "../shared/modelProblems.ts";
import {
  fieldOf,
  losesKey,
  type Keys,
  type ModelDraft,
  type SettingsDraft,
  type SettingsField,
} from "./settingsDraft.ts";
import type { SettingsForm } from "./settingsForm.ts";

export type SettingsProblem = Problem<SettingsField>;

export function providersOf(kind: DefaultModelKind): readonly string[] {
  return kind === "language" ? providers : modelProviders;
}

/** All problems of a draft, in the form's order. */
export function validateSettings(
  draft: SettingsDraft,
  form: Pick<SettingsForm, "before" | "storedKeys">,
  keys: Keys,
): SettingsProblem[] {
  return modelKinds.flatMap((kind) => [
    ...(draft[kind].choice === "own" ? checkModel(kind, draft[kind], form.before[kind]) : []),
    ...(losesKey(kind, form, draft, keys) ? [keyNeeded(kind)] : []),
  ]);
}

function checkModel(
  kind: DefaultModelKind,
  { provider, modelName, baseUrl }: ModelDraft,
  before: ModelDraft,
): SettingsProblem[] {
  const problems: SettingsProblem[] = [];
  if (provider === "") {
    const text = modelProblems.providerMissing();
    problems.push({ field: fieldOf(kind, "provider"), text, isMissing: true });
  } else if (provider !== before.provider && !providersOf(kind).includes(provider)) {
    const text = modelProblems.providerUnknown(provider);
    problems.push({ field: fieldOf(kind, "provider"), text, isWarning: true });
  }
  if (modelName.trim() === "") {
    const text = modelProblems.modelNameMissing();
    problems.push({ field: fieldOf(kind, "modelName"), text, isMissing: true });
  }
  if (baseUrl !== "" && !isWebAddress(baseUrl)) {
    problems.push({ field: fieldOf(kind, "baseUrl"), text: modelProblems.baseUrlInvalid() });
  } else if (openAIProviders.includes(provider) && /^https?:\/\/[^/]+\/?$/i.test(baseUrl)) {
    const text = modelProblems.baseUrlWithoutPath();
    problems.push({ field: fieldOf(kind, "baseUrl"), text, isWarning: true });
  }
  return problems;
}

export function keyNeeded(kind: DefaultModelKind): SettingsProblem {
  const text = l10n.t(
    "Enter the key again. The server replaces the whole model, and the stored key would be lost.",
  );
  return { field: fieldOf(kind, "apiKey"), text, isMissing: true };
}
