// The target of a test file, named by its provider.

/** `mindsdb:<project>/<agent>`, the provider of tests for agents. */
export const providerPrefix = "mindsdb:";

/** `mindsdb-search:<project>/<knowledge base>`, the provider of tests for searches. */
export const searchPrefix = "mindsdb-search:";

export interface TestTarget {
  kind: "agent" | "knowledgeBase";
  project: string;
  name: string;
}

/** In characters. Thousands of questions can be for one target, and each names it. No server has longer names. */
const maxPathLength = 2_049;

/** Whether a provider is one of MindsDB, written correctly or not. */
export function isTargetText(text: string): boolean {
  return text.startsWith(providerPrefix) || text.startsWith(searchPrefix);
}

/** Undefined for a text that is not `mindsdb:PROJECT/AGENT` or `mindsdb-search:PROJECT/KNOWLEDGE_BASE`. */
export function parseTarget(text: string): TestTarget | undefined {
  if (!isTargetText(text)) return undefined;
  const kind = text.startsWith(searchPrefix) ? "knowledgeBase" : "agent";
  const path = text.slice(text.indexOf(":") + 1);
  if (path.length > maxPathLength) return undefined;
  const slash = path.indexOf("/");
  if (slash <= 0 || slash === path.length - 1 || /[\n{]/.test(path)) return undefined;
  const [project, name] = [path.slice(0, slash), path.slice(slash + 1)];
  // In an address, these would be steps to another path.
  return [project, name].some((part) => /^\.\.?$/.test(part)) ? undefined : { kind, project, name };
}
