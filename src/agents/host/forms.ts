// A form as it begins: for a new agent, or for one that is there.
import type { AgentDraft } from "../draft.ts";
import type { AgentForm } from "../messages.ts";

export function newForm(
  connectionId: string,
  draft: AgentDraft,
  keyOf?: AgentForm["keyOf"],
): AgentForm {
  return { id: crypto.randomUUID(), connectionId, draft, ...(keyOf ? { keyOf } : {}) };
}

/** The key of an agent that is edited stays the one that the server has, unless another one is typed. */
export function editForm(connectionId: string, agent: AgentDraft): AgentForm {
  const { project, name } = agent;
  return { ...newForm(connectionId, agent, { project, name }), before: agent };
}

/** The same for the same agent, so that its form opens once; every form for a new agent has its own. */
export function panelKey({ id, connectionId, before }: AgentForm): string {
  if (!before) return `create/${id}`;
  return ["edit", connectionId, before.project, before.name].map(encodeURIComponent).join("/");
}
