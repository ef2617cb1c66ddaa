// Finds what real servers reject in agents.
import { findScope } from "../../src/sample/agents/agent.ts";
import { isObject } from "../../src/sample/server/fields.ts";
import type { Fields } from "../../src/sample/server/fields.ts";
import { formatNames } from "../../src/sample/server/replies.ts";
import type { Agent, State } from "../../src/sample/server/state.ts";

const providers = "openai vllm anthropic google ollama nvidia_nim litellm sample".split(" ");

/** The reasons to reject an agent, which are those of 26.x. */
export function findProblems(state: State, given: Fields, model: Fields | undefined): string[] {
  const used = model ?? state.defaultModel;
  const found: string[] = [];
  if (!used || !providers.includes(String(used["provider"]))) {
    found.push(`Unknown provider: ${String(used?.["provider"])}`);
  }
  for (const key of ["temperature", "max_tokens", "top_p", "top_k"]) {
    if (used && key in used) found.push(`Unexpected keyword argument: ${key}`);
  }
  for (const key of Object.keys(isObject(given["params"]) ? given["params"] : {})) {
    const isKnown = ["mode", "timeout", "prompt_template"].includes(key);
    if (!isKnown) found.push(`Unknown parameter: ${key}`);
  }
  const data: NonNullable<Agent["data"]> = isObject(given["data"]) ? given["data"] : {};
  const scope = findScope(state, data);
  if (data.tables?.length && scope.tables.length === 0) {
    found.push(`No tables found: ${formatNames([data.tables].flat())}`);
  }
  if (data.knowledge_bases?.length && scope.knowledgeBases.length === 0) {
    found.push(`No knowledge bases found: ${formatNames([data.knowledge_bases].flat())}`);
  }
  return found;
}
