// Finds the field that a failed test of a default model is about.
import { emptyDraft as emptyAgent } from "../agents/agentDraft.ts";
import { findServerProblem as findAgentProblem } from "../agents/serverErrors.ts";
import { emptyDraft as emptyBase } from "../knowledgeBases/form/knowledgeBaseDraft.ts";
import { findServerProblem as findBaseProblem } from "../knowledgeBases/form/serverErrors.ts";
import type { AppError } from "../mindsdb/errors.ts";
import {
  fieldOf,
  type ModelDraft,
  type SettingsDraft,
  type SettingsField,
} from "./settingsDraft.ts";
import type { SettingsProblem } from "./validation.ts";

const parts = ["model", "provider", "modelName", "apiKey", "baseUrl"] as const;

/** The problem that a failed test of the language model is about; undefined for others, like a missing login. */
export function findLanguageProblem(
  error: AppError,
  { choice, provider, modelName, baseUrl }: ModelDraft,
  hasKey: boolean,
): SettingsProblem | undefined {
  const agent = emptyAgent("");
  const own = choice === "own";
  const draft = { ...agent, model: { ...agent.model, own, provider, modelName, baseUrl } };
  const known = {
    items: null,
    projects: null,
    hasDefaultModel: own,
    tables: {},
    knowledgeBases: {},
  };
  const found = findAgentProblem(error, { draft, known, hasKey });
  if (!found) return undefined;
  const part = parts.find((one) => one === found.field);
  return { field: part ? fieldOf("language", part) : "language", text: found.text };
}

/** The same for a test of the models of knowledge bases. */
export function findSearchProblem(
  error: AppError,
  draft: SettingsDraft,
): SettingsProblem | undefined {
  const base = emptyBase("");
  const { embedding, reranking } = draft;
  const found = findBaseProblem(error, { ...base, embedding, reranking }, true);
  if (!found) return undefined;
  const { field, text } = found;
  const isShown = field.startsWith("embedding") || field.startsWith("reranking");
  return { field: isShown ? (field as SettingsField) : "form", text };
}
