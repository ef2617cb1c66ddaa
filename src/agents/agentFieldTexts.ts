// Texts that the agent form and quick create share.
import * as l10n from "@vscode/l10n";
import type { Field } from "./agentProblems.ts";
import type { ListField } from "./validation.ts";

interface FieldTexts {
  label: string;
  description: string;
}

export function createFieldTexts(): Record<
  Exclude<Field, "project" | "tables" | "knowledgeBases">,
  FieldTexts
> {
  return {
    name: {
      label: l10n.t("Name"),
      description: l10n.t(
        "Use lowercase letters, digits, and underscores so you can reference it in SQL.",
      ),
    },
    model: {
      label: l10n.t("Model"),
      description: l10n.t("The language model the agent uses."),
    },
    provider: {
      label: l10n.t("Provider"),
      description: l10n.t("The model's provider. For OpenAI-compatible servers, select openai."),
    },
    modelName: {
      label: l10n.t("Model Name"),
      description: l10n.t(
        "The provider's name for the model, like gpt-4o. The model must support tool calls.",
      ),
    },
    apiKey: {
      label: l10n.t("API Key"),
      description: l10n.t(
        "Sent to the MindsDB server and stored there. Leave empty to use the server's key, if it has one.",
      ),
    },
    baseUrl: {
      label: l10n.t("Base URL"),
      description: l10n.t(
        "The URL MindsDB uses to reach the model. Leave empty for the provider's default.",
      ),
    },
    instruction: {
      label: l10n.t("Instruction"),
      description: l10n.t("Tell the model what the data is about and how to answer."),
    },
  };
}

/** Returns how many tables or knowledge bases match: "7 tables". */
export function formatMatchCount(field: ListField, count: number | null): string {
  if (count === null) return l10n.t("not counted");
  if (field === "tables") return count === 1 ? l10n.t("1 table") : l10n.t("{0} tables", count);
  return count === 1 ? l10n.t("1 knowledge base") : l10n.t("{0} knowledge bases", count);
}

/** Says that the server will first try the model when the agent is asked. */
export function describeUntestedModel(): string {
  return l10n.t("This server does not test the model until the first question.");
}
