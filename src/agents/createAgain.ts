// The action for an agent that was deleted while it was open: the form for a new agent, filled with what is known of it.
import * as l10n from "@vscode/l10n";
import { commands } from "../ids.ts";
import type { AgentRef } from "../mindsdb/references.ts";
import type { ErrorAction } from "../shared/errorExplanation.ts";
import type { AgentDraft } from "./agentDraft.ts";
import type { AgentDetails } from "./agentDetails.ts";

export function createAgainTitle(): string {
  return l10n.t("Create Agent Again");
}

export function createAgain(
  { connectionId, project, name }: AgentRef,
  known: Partial<AgentDraft> = {},
): ErrorAction {
  const place = { connectionId, project, deleted: { ...known, name } };
  return { title: createAgainTitle(), command: commands.agentCreate, arguments: [place] };
}

/** Returns what the form can be filled with. The key was masked, so it must be typed again. */
export function readDraft({
  model,
  tables,
  knowledgeBases,
  instruction,
}: AgentDetails): Partial<AgentDraft> {
  const [provider = "", ...rest] = model.split(" · ");
  const modelName = rest.join(" · ");
  return {
    tables,
    knowledgeBases,
    instruction,
    ...(modelName === "" ? {} : { model: { own: true, provider, modelName, baseUrl: "" } }),
  };
}
