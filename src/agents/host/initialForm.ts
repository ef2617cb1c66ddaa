// A form as it begins: for a new agent, or for one that is there.
import type { StoredAgent } from "../../mindsdb/agents.ts";
import { draftOf, hasStoredKey, type AgentDraft } from "../agentDraft.ts";
import type { AgentForm } from "../formMessages.ts";

/** `like` is the agent that it is duplicated from. */
export function newForm(connectionId: string, draft: AgentDraft, like?: StoredAgent): AgentForm {
  const { project } = draft;
  const modelOf = like && { project, name: like.name, hasKey: hasStoredKey(like.model) };
  const id = crypto.randomUUID();
  return { id, connectionId, draft, initial: draft, ...(modelOf ? { modelOf } : {}) };
}

/** `agent` is as the server has it now. */
export function editForm(connectionId: string, agent: StoredAgent, project: string): AgentForm {
  const draft = draftOf(agent, project);
  return { ...newForm(connectionId, draft, agent), before: draft };
}

/** What the form is for: unsaved changes are offered to the next form for the same. */
export function draftTarget(form: AgentForm): string {
  const { connectionId, before, modelOf } = form;
  if (before) return panelKey(form);
  const parts = modelOf
    ? ["duplicate", connectionId, modelOf.project, modelOf.name]
    : ["create", connectionId];
  return parts.map(encodeURIComponent).join("/");
}

/** The same for the same agent, so that its form opens once; every form for a new agent has its own. */
export function panelKey({ id, connectionId, before }: AgentForm): string {
  if (!before) return `create/${id}`;
  return ["edit", connectionId, before.project, before.name].map(encodeURIComponent).join("/");
}
