// Validation of a draft before it is sent.
import * as l10n from "@vscode/l10n";
import type { AgentDraft, ModelDraft } from "./agentDraft.ts";
import { agentProblems, defaultModelProblem, type Field, type Problem } from "./agentProblems.ts";
import type { ProjectItem } from "../mindsdb/listItems.ts";
import { isPattern, matches, findOwner, splitEntry } from "../mindsdb/dataPatterns.ts";
import { isWebAddress } from "../shared/isWebAddress.ts";
import { findNameProblem } from "../shared/itemNameProblems.ts";
import {
  maxConnected,
  openAIProviders,
  partialKeyProviders,
  providers,
  unusableProviders,
} from "./modelProviders.ts";

export type ListField = "tables" | "knowledgeBases";

/** How many tables or knowledge bases each entry matches; null if the server cannot tell, absent if it was not asked. */
export type Counts = Readonly<Record<string, number | null>>;

/** Server data that a draft is checked against. What is absent or null is unknown and causes no problem. */
export interface ServerSnapshot {
  /** The items of the project, without the edited agent. */
  items: readonly ProjectItem[] | null;
  /** False if the server has no default model. */
  hasDefaultModel: boolean | null;
  tables: Counts;
  knowledgeBases: Counts;
}

/** Data of the form other than its draft. */
interface Typed {
  hasKey?: boolean;
  /** The agent before the change, if one is edited. */
  before?: AgentDraft | undefined;
  /** The user has not changed anything yet. */
  isUntouched?: boolean;
}

/** Returns the data that a draft is checked against. */
export function createSnapshot(seen: LoadedData | undefined): ServerSnapshot {
  const { items = null, defaultModel = null, tables = {}, knowledgeBases = {} } = seen ?? {};
  const hasDefaultModel = defaultModel === null ? null : defaultModel !== "";
  return { items, hasDefaultModel, tables, knowledgeBases };
}

/** Returns all problems of a draft, in the form's order. */
export function validateDraft(
  draft: AgentDraft,
  known: ServerSnapshot,
  typed: Typed = {},
): Problem[] {
  return [
    ...checkName(draft, known, typed.before),
    ...modelProblems(draft.model, known, typed),
    ...entryProblems("tables", draft.tables, known.tables),
    ...entryProblems("knowledgeBases", draft.knowledgeBases, known.knowledgeBases),
    ...dataProblems(draft, typed),
    ...checkCount(draft, known),
  ];
}

function checkName(draft: AgentDraft, known: ServerSnapshot, before?: AgentDraft): Problem[] {
  const { name } = draft;
  // An existing agent may keep its name.
  if (name !== "" && name === before?.name && draft.project === before.project) return [];
  const problem = findNameProblem(name, "agent", known.items, {
    missing: l10n.t("Enter a name for the agent."),
    notPlain: (plainName) =>
      l10n.t(
        "SQL can't find an agent by this name. Use lowercase letters, digits, and underscores, such as {0}.",
        plainName,
      ),
  });
  return problem ? [problem] : [];
}

function modelProblems(
  model: ModelDraft,
  known: ServerSnapshot,
  { hasKey = false, before }: Typed,
): Problem[] {
  if (!model.own) {
    return known.hasDefaultModel === false
      ? [defaultModelProblem(agentProblems.noDefaultModel())]
      : [];
  }
  const { provider, modelName, baseUrl } = model;
  const problems: Problem[] = [];
  // An agent that was created without a provider or model name uses the server's guess or default.
  const had = before?.model.own ? before.model : undefined;
  if (provider === "") {
    if (had?.provider !== "") {
      problems.push({ ...problemAt("provider", agentProblems.providerMissing()), isMissing: true });
    }
  } else if (unusableProviders.includes(provider)) {
    problems.push(warning("provider", agentProblems.providerUnusable(provider)));
  } else if (!providers.includes(provider)) {
    problems.push(warning("provider", agentProblems.providerUnknown(provider)));
  }
  if (modelName.trim() === "" && had?.modelName !== "") {
    problems.push({ ...problemAt("modelName", agentProblems.modelNameMissing()), isMissing: true });
  }
  if (hasKey && partialKeyProviders.includes(provider)) {
    problems.push(warning("apiKey", agentProblems.keyNotUsed(provider)));
  }
  if (baseUrl !== "" && !isWebAddress(baseUrl)) {
    problems.push(problemAt("baseUrl", agentProblems.baseUrlInvalid()));
  } else if (openAIProviders.includes(provider) && /^https?:\/\/[^/]+\/?$/i.test(baseUrl)) {
    // Without the path `/v1`, such servers respond with errors that are hard to understand.
    problems.push(warning("baseUrl", agentProblems.baseUrlWithoutPath()));
  }
  return problems;
}

function entryProblems(
  field: "tables" | "knowledgeBases",
  entries: readonly string[],
  counts: Counts,
): Problem[] {
  // Real servers refuse only lists without any match.
  const hasMatch = entries.some((entry) => counts[entry] !== 0);
  return entries.flatMap((entry) => {
    // Without an owner, a knowledge base is in the default project, but a table cannot be found.
    if (field === "tables" && findOwner(entry) === undefined) {
      return [{ ...problemAt(field, agentProblems.entryWithoutOwner(entry)), entry }];
    }
    if (counts[entry] !== 0) return [];
    return isPattern(entry)
      ? [
          {
            ...problemAt(field, agentProblems.patternEmpty(entry)),
            entry,
            isWarning: hasMatch,
          },
        ]
      : [{ ...problemAt(field, agentProblems.entryNotFound(entry)), entry }];
  });
}

/** An agent without data is allowed but rarely intended. No warning if the agent had none before. */
function dataProblems(draft: AgentDraft, { before, isUntouched = false }: Typed): Problem[] {
  const isBare = ({ tables, knowledgeBases }: AgentDraft): boolean =>
    tables.length + knowledgeBases.length === 0;
  if (!isBare(draft) || (before && isBare(before))) return [];
  // An empty form is not yet an agent without data.
  return [{ ...warning("tables", agentProblems.noData()), isMissing: isUntouched }];
}

function checkCount({ tables, knowledgeBases }: AgentDraft, known: ServerSnapshot): Problem[] {
  const ofTables = countConnected(tables, known.tables);
  const count = ofTables + countConnected(knowledgeBases, known.knowledgeBases);
  if (count <= maxConnected) return [];
  const field = ofTables > 0 ? "tables" : "knowledgeBases";
  return [warning(field, agentProblems.manyConnected(count))];
}

/** A tenth of a second. Entries in patterns beyond these are counted again. */
const maxComparisons = 20_000;

/** Returns how many tables or knowledge bases a list matches, as far as known. Overlapping entries count once. */
export function countConnected(entries: readonly string[], counts: Counts): number {
  const patterns = entries.filter(isPattern).slice(0, maxComparisons / entries.length);
  const isWithin = (entry: string): boolean => {
    const parts = splitEntry(entry);
    return patterns.some((other) => other !== entry && matches(other, parts));
  };
  return entries
    .filter((entry) => !isWithin(entry))
    .reduce((sum, entry) => sum + (counts[entry] ?? (isPattern(entry) ? 0 : 1)), 0);
}

function problemAt(field: Field, text: string): Problem {
  return { field, text };
}

function warning(field: Field, text: string): Problem {
  return { field, text, isWarning: true };
}

/** The server data that the form needs. Null if it could not be read. */
export interface LoadedData {
  /** The project that `items` are in. */
  project: string;
  items: ProjectItem[] | null;
  projects: string[] | null;
  /** Like "openai · gpt-4o"; "" if the server has none. */
  defaultModel: string | null;
  tables: Counts;
  knowledgeBases: Counts;
}
