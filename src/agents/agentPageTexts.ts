import * as l10n from "@vscode/l10n";
import { createFieldTableTexts } from "../shared/responseFields.ts";
import type { AgentFieldNote } from "./agentDetails.ts";

export type AgentPageTexts = ReturnType<typeof createAgentPageTexts>;

/** Returns the page's texts, in the user's language. `{0}` and `{1}` are filled in by the page. */
export function createAgentPageTexts() {
  return {
    place: l10n.t("Agent in {0} on {1}"),
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

    ...createFieldTableTexts(),
    fieldNotes: {
      defaultModel: l10n.t("The agent uses the server's default model."),
      noData: l10n.t("The agent reads no tables and no knowledge bases."),
      noInstruction: l10n.t("The agent has no instruction."),
      noSkills: l10n.t("Only older servers send skills."),
      noParams: l10n.t("The agent has no other settings."),
      keyMasked: l10n.t("API keys are masked."),
      missing: l10n.t("This server does not send this field."),
    } satisfies Record<AgentFieldNote, string>,
  };
}

/** Returns the message about an agent that was deleted or renamed. */
export function formatAgentGone(name: string, project: string): string {
  return l10n.t("{0} is no longer in {1}. It was deleted or renamed.", name, project);
}
