import { l10n } from "vscode";
import type { AgentPageTexts } from "../agentPageMessages.ts";

/** Returns the page's texts, in the user's language. */
export function createAgentPageTexts(): AgentPageTexts {
  return {
    place: l10n.t("Agent in {0} on {1}", "{0}", "{1}"),
    ask: l10n.t("Ask"),
    edit: l10n.t("Edit"),
    refresh: l10n.t("Refresh"),
    asking: l10n.t("Loading the agent"),

    model: l10n.t("Model"),
    defaultModel: l10n.t("Server default"),
    created: l10n.t("Created"),
    updated: l10n.t("Updated"),
    unknown: l10n.t("unknown"),

    data: l10n.t("Connected data"),
    tables: l10n.t("Tables"),
    knowledgeBases: l10n.t("Knowledge bases"),
    none: l10n.t("none"),
    instruction: l10n.t("Instruction"),
    copyInstruction: l10n.t("Copy Instruction"),
    noInstruction: l10n.t("This agent has no instruction."),

    fields: l10n.t("Fields"),
    field: l10n.t("Field"),
    value: l10n.t("Value"),
    type: l10n.t("Type"),
    absent: l10n.t("not sent"),
    fieldNotes: {
      defaultModel: l10n.t("The agent uses the server's default model."),
      noData: l10n.t("The agent reads no tables and no knowledge bases."),
      noInstruction: l10n.t("The agent has no instruction."),
      noSkills: l10n.t("Only older servers send skills."),
      noParams: l10n.t("The agent has no other settings."),
      keyMasked: l10n.t("API keys are masked."),
      missing: l10n.t("This server does not send this field."),
    },
  };
}

/** Returns the message about an agent that was deleted or renamed. */
export function formatAgentGone(name: string, project: string): string {
  return l10n.t("{0} is no longer in {1}. It was deleted or renamed.", name, project);
}
