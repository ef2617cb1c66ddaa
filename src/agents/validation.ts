// Validation of a draft before it is sent.
import type { AgentDraft, ModelDraft } from "./agentDraft.ts";
import type { ProjectItem } from "../mindsdb/listItems.ts";
import { isPattern, matches, findOwner, splitEntry } from "../mindsdb/dataPatterns.ts";
import type { ProblemKind } from "./problemTexts.ts";
import type { FieldProblem } from "../shared/formFields.ts";
import { isWebAddress } from "../shared/isWebAddress.ts";
import { checkItemName } from "../shared/itemName.ts";
import {
  maxConnected,
  openAIProviders,
  partialKeyProviders,
  providers,
  unusableProviders,
} from "./modelProviders.ts";

/** The field that shows a problem; `form` is the top of the form. */
export type Field =
  | "form"
  | "project"
  | "name"
  | "model"
  | "provider"
  | "modelName"
  | "apiKey"
  | "baseUrl"
  | "tables"
  | "knowledgeBases"
  | "instruction";

export type ListField = "tables" | "knowledgeBases";

export type Problem = FieldProblem<Field, ProblemKind>;

/** How many tables or knowledge bases each entry matches; null if the server cannot tell, absent if it was not asked. */
export type Counts = Readonly<Record<string, number | null>>;

/** Server data that a draft is checked against. What is absent or null is unknown and causes no problem. */
export interface ServerSnapshot {
  /** What the project holds, without the edited agent. */
  items: readonly ProjectItem[] | null;
  /** False if the server has no default model. */
  hasDefaultModel: boolean | null;
  tables: Counts;
  knowledgeBases: Counts;
}

/** Returns the data that a draft is checked against. */
export function createSnapshot(seen: LoadedData | undefined): ServerSnapshot {
  const { items = null, defaultModel = null, tables = {}, knowledgeBases = {} } = seen ?? {};
  const hasDefaultModel = defaultModel === null ? null : defaultModel !== "";
  return { items, hasDefaultModel, tables, knowledgeBases };
}

/** Returns all problems of a draft, in the form's order. `before` is the agent before the change, if one is edited. */
export function validateDraft(
  draft: AgentDraft,
  known: ServerSnapshot,
  typed: { hasKey: boolean; before?: AgentDraft | undefined } = { hasKey: false },
): Problem[] {
  return [
    ...checkName(draft, known, typed.before),
    ...modelProblems(draft.model, known, typed),
    ...entryProblems("tables", draft.tables, known.tables),
    ...entryProblems("knowledgeBases", draft.knowledgeBases, known.knowledgeBases),
    ...dataProblems(draft, typed.before),
    ...checkCount(draft, known),
  ];
}

function checkName(draft: AgentDraft, known: ServerSnapshot, before?: AgentDraft): Problem[] {
  const { name } = draft;
  // An existing agent may keep its name.
  if (name !== "" && name === before?.name && draft.project === before.project) return [];
  const problem = checkItemName(name, "agent", known.items);
  return problem ? [validationError("name", problem.kind, ...problem.values)] : [];
}

function modelProblems(
  model: ModelDraft,
  known: ServerSnapshot,
  { hasKey, before }: { hasKey: boolean; before?: AgentDraft | undefined },
): Problem[] {
  if (!model.own) {
    return known.hasDefaultModel === false ? [validationError("model", "noDefaultModel")] : [];
  }
  const { provider, modelName, baseUrl } = model;
  const problems: Problem[] = [];
  // An agent that was created without a provider or model name uses the server's guess or default.
  const had = before?.model.own ? before.model : undefined;
  if (provider === "") {
    if (had?.provider !== "") problems.push(validationError("provider", "providerMissing"));
  } else if (unusableProviders.includes(provider)) {
    problems.push(warning("provider", "providerUnusable", provider));
  } else if (!providers.includes(provider)) {
    problems.push(warning("provider", "providerUnknown", provider));
  }
  if (modelName.trim() === "" && had?.modelName !== "") {
    problems.push(validationError("modelName", "modelNameMissing"));
  }
  if (hasKey && partialKeyProviders.includes(provider)) {
    problems.push(warning("apiKey", "keyNotUsed", provider));
  }
  if (baseUrl !== "" && !isWebAddress(baseUrl)) {
    problems.push(validationError("baseUrl", "baseUrlInvalid"));
  } else if (openAIProviders.includes(provider) && /^https?:\/\/[^/]+\/?$/i.test(baseUrl)) {
    // Without the path `/v1`, such servers respond with errors that are hard to understand.
    problems.push(warning("baseUrl", "baseUrlWithoutPath"));
  }
  return problems;
}

function entryProblems(
  field: "tables" | "knowledgeBases",
  entries: readonly string[],
  counts: Counts,
): Problem[] {
  return entries.flatMap((entry) => {
    // Without an owner, a knowledge base is in the default project, but a table cannot be found.
    if (field === "tables" && findOwner(entry) === undefined) {
      return [validationError(field, "entryWithoutOwner", entry)];
    }
    if (counts[entry] !== 0) return [];
    return isPattern(entry)
      ? [warningIf(hasOthers(entry, entries, counts), field, "patternEmpty", entry)]
      : [validationError(field, "entryNotFound", entry)];
  });
}

/** True if another entry matches something: real servers refuse only lists without any match. */
function hasOthers(entry: string, entries: readonly string[], counts: Counts): boolean {
  return entries.some((other) => other !== entry && counts[other] !== 0);
}

/** An agent without data is allowed but rarely intended. No warning if the agent had none before. */
function dataProblems(draft: AgentDraft, before?: AgentDraft): Problem[] {
  const isBare = ({ tables, knowledgeBases }: AgentDraft): boolean =>
    tables.length + knowledgeBases.length === 0;
  if (!isBare(draft) || (before && isBare(before))) return [];
  return [warning("tables", "noData")];
}

function checkCount({ tables, knowledgeBases }: AgentDraft, known: ServerSnapshot): Problem[] {
  const ofTables = countConnected(tables, known.tables);
  const count = ofTables + countConnected(knowledgeBases, known.knowledgeBases);
  if (count <= maxConnected) return [];
  const field = ofTables > 0 ? "tables" : "knowledgeBases";
  return [warning(field, "manyConnected", String(count))];
}

/** Returns how many tables or knowledge bases a list matches, as far as known. Overlapping entries count once. */
export function countConnected(entries: readonly string[], counts: Counts): number {
  const isWithin = (entry: string): boolean =>
    entries.some(
      (other) => other !== entry && isPattern(other) && matches(other, splitEntry(entry)),
    );
  return entries
    .filter((entry) => !isWithin(entry))
    .reduce((sum, entry) => sum + (counts[entry] ?? (isPattern(entry) ? 0 : 1)), 0);
}

/** Returns a problem that prevents sending the draft. */
export function validationError(field: Field, kind: ProblemKind, ...values: string[]): Problem {
  return { field, kind, values, isWarning: false };
}

function warning(field: Field, kind: ProblemKind, ...values: string[]): Problem {
  return { field, kind, values, isWarning: true };
}

function warningIf(
  isWarning: boolean,
  field: Field,
  kind: ProblemKind,
  ...values: string[]
): Problem {
  return { field, kind, values, isWarning };
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
