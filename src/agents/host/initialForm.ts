import type { StoredAgent } from "../../mindsdb/agents.ts";
import { joinTarget, newItemForm } from "../../shared/host/formPages.ts";
import { createDraft, hasStoredKey, type AgentDraft } from "../agentDraft.ts";
import type { AgentForm } from "../agentForm.ts";

/** Returns the form for a new agent; `like` is the duplicated agent. */
export function newForm(connectionId: string, draft: AgentDraft, like?: StoredAgent): AgentForm {
  const { project } = draft;
  const modelOf = like && { project, name: like.name, hasKey: hasStoredKey(like.model) };
  return { ...newItemForm(connectionId, draft), modelOf };
}

/** Returns the form for an existing agent, as the server stores it now. */
export function editForm(connectionId: string, agent: StoredAgent, project: string): AgentForm {
  const draft = createDraft(agent, project);
  return { ...newForm(connectionId, draft, agent), before: draft };
}

/** Returns what the form is for: the next form with the same target begins with its unsaved changes. */
export function draftTarget(form: AgentForm): string {
  const { connectionId, before, modelOf } = form;
  if (before) return panelKey(form);
  if (modelOf) return joinTarget("duplicate", connectionId, modelOf.project, modelOf.name);
  return joinTarget("create", connectionId);
}

/** Returns one key per edited agent, so that its form opens once; forms for new agents have unique keys. */
export function panelKey({ id, connectionId, before }: AgentForm): string {
  if (!before) return `create/${id}`;
  return joinTarget("edit", connectionId, before.project, before.name);
}
