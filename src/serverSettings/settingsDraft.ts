// The draft of a server's default models, and the request that changes them. API keys are never part of a draft, because
// drafts are stored.
import * as v from "valibot";
import { omitUndefined, type JsonObject } from "../mindsdb/json.ts";
import { isSecretKey } from "../mindsdb/redact/secretNames.ts";
import { findPlaceholder, restoreSecrets } from "../shared/typedSecrets.ts";
import {
  modelKinds,
  type DefaultModelKind,
  type ServerSettings,
} from "../mindsdb/defaultModels.ts";

const modelDraft = v.object({
  choice: v.picklist(["none", "own"]),
  provider: v.string(),
  modelName: v.string(),
  /** Empty for the provider's own address. */
  baseUrl: v.string(),
});
export type ModelDraft = v.InferOutput<typeof modelDraft>;

export const settingsDraft = v.object({
  language: modelDraft,
  embedding: modelDraft,
  reranking: modelDraft,
});
export type SettingsDraft = v.InferOutput<typeof settingsDraft>;

type ModelPart = "model" | "provider" | "modelName" | "apiKey" | "baseUrl";
export type SettingsField =
  DefaultModelKind | `${DefaultModelKind}${"Provider" | "ModelName" | "ApiKey" | "BaseUrl"}`;

export type Keys = Readonly<Record<string, string>>;

export function fieldOf(kind: DefaultModelKind, part: ModelPart): SettingsField {
  if (part === "model") return kind;
  const names = {
    provider: `${kind}Provider`,
    modelName: `${kind}ModelName`,
    apiKey: `${kind}ApiKey`,
    baseUrl: `${kind}BaseUrl`,
  } as const;
  return names[part];
}

/** The draft for the settings as the server sends them, without keys. */
export function createDraft(settings: ServerSettings): SettingsDraft {
  return {
    language: readModel(settings.language),
    embedding: readModel(settings.embedding),
    reranking: readModel(settings.reranking),
  };
}

/** The draft of one model; without one, the fields of the form begin empty. */
export function readModel(stored: JsonObject): ModelDraft {
  const text = (name: string): string => {
    const value = stored[name];
    return typeof value === "string" ? value : "";
  };
  const isSet = text("provider") !== "" || text("model_name") !== "";
  return {
    choice: isSet ? "own" : "none",
    provider: text("provider") || "openai",
    modelName: text("model_name"),
    baseUrl: text("base_url"),
  };
}

/** Which of the stored models have secrets. */
export function listStoredKeys(settings: ServerSettings): Record<string, boolean> {
  return Object.fromEntries(
    modelKinds.map((kind) => [kind, listSecretFields(settings[kind]).length > 0]),
  );
}

/** True if a model is to be sent: it is another one, or has another key. */
export function isChanged(
  kind: DefaultModelKind,
  before: SettingsDraft,
  draft: SettingsDraft,
  keys: Keys,
): boolean {
  const [a, b] = [before[kind], draft[kind]];
  if (b.choice === "none") return a.choice === "own";
  return (
    a.choice === "none" ||
    a.provider !== b.provider ||
    a.modelName !== b.modelName.trim() ||
    a.baseUrl !== b.baseUrl ||
    (keys[kind] ?? "") !== ""
  );
}

/**
 * The stored secret that a change would lose: servers replace a model as a whole, and a secret that is not typed is not
 * sent. Not for another provider, which needs another key.
 */
export function losesKey(
  kind: DefaultModelKind,
  { before, storedKeys }: { before: SettingsDraft; storedKeys: Readonly<Record<string, boolean>> },
  draft: SettingsDraft,
  keys: Keys,
): boolean {
  return (
    storedKeys[kind] === true &&
    draft[kind].choice === "own" &&
    before[kind].provider === draft[kind].provider &&
    (keys[kind] ?? "") === "" &&
    isChanged(kind, before, draft, keys)
  );
}

interface SettingsChanges {
  models: Partial<ServerSettings>;
  /** The fields of stored models that these lack: secrets that the form has no field for. */
  lost: string[];
  /** A field with a placeholder for a secret that the server does not have there: these must not be sent. */
  placeholder: SettingsField | undefined;
}

/** The models to send. Where the form shows a placeholder, they have what the server has. */
export function buildChanges(
  stored: ServerSettings,
  before: SettingsDraft,
  draft: SettingsDraft,
  keys: Keys,
): SettingsChanges {
  const models: Partial<ServerSettings> = {};
  const lost: string[] = [];
  let placeholder: SettingsField | undefined;
  for (const kind of modelKinds) {
    if (!isChanged(kind, before, draft, keys)) continue;
    const known = readModel(stored[kind]);
    const restored = restoreSecrets(draft[kind], known);
    models[kind] = buildModel(stored[kind], restored, keys[kind] ?? "");
    const part = draft[kind].choice === "own" ? findPlaceholder(restored, known) : undefined;
    if (part !== undefined) placeholder ??= fieldOf(kind, part as ModelPart);
    if (draft[kind].choice === "own" && stored[kind]["provider"] === draft[kind].provider) {
      lost.push(...listSecretFields(stored[kind]).filter((name) => name !== "api_key"));
    }
  }
  return { models, lost, placeholder };
}

/** With the fields that the form does not show, as long as the provider is the same. */
function buildModel(stored: JsonObject, draft: ModelDraft, key: string): JsonObject {
  const { choice, provider, modelName, baseUrl } = draft;
  if (choice === "none") return {};
  const shown = ["provider", "model_name", "api_key", "base_url"];
  const others = stored["provider"] === provider ? Object.entries(stored) : [];
  return omitUndefined({
    ...Object.fromEntries(others.filter(([name]) => !shown.includes(name) && !isSecretKey(name))),
    provider,
    model_name: modelName.trim(),
    api_key: key || undefined,
    base_url: baseUrl || undefined,
  });
}

function listSecretFields(stored: JsonObject): string[] {
  return Object.entries(stored)
    .filter(([name, value]) => isSecretKey(name) && value !== null && value !== "")
    .map(([name]) => name);
}
