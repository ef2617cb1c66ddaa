// What is wrong with a draft, before anything is sent. Each problem stands at the field that it is about.
import { plainName, type AgentDraft, type ModelDraft } from "./agentDraft.ts";
import { isPattern, matches, ownerOf, partsOf } from "../mindsdb/dataPatterns.ts";

import {
  maxConnected,
  openAIProviders,
  partialKeyProviders,
  providers,
  unusableProviders,
} from "./providers.ts";

/** Where a problem is shown; `form` is on top of everything. */
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

/** What can be wrong before anything is sent. */
type DraftProblemKind =
  | "nameMissing"
  | "nameNotPlain" // values: a name that would do
  | "nameNotSayable"
  | "nameTaken" // values: the name
  | "noDefaultModel"
  | "providerMissing"
  | "providerUnknown" // values: the provider
  | "providerUnusable" // values: the provider
  | "modelNameMissing"
  | "keyNotUsed" // values: the provider
  | "baseUrlInvalid"
  | "baseUrlWithoutPath"
  | "entryWithoutOwner" // values: the entry
  | "entryNotFound" // values: the entry
  | "patternEmpty" // values: the entry
  | "noData"
  | "manyConnected"; // values: how many

/** What a server can find wrong; see serverErrors.ts. */
type RefusalKind =
  | "projectGone" // values: the project
  | "projectOfAgentGone" // values: the project
  | "agentGone" // values: the agent's name
  | "keySourceGone" // values: the name of the agent whose key was to be used
  | "noModelAnywhere"
  | "defaultFailed" // values: the HTTP status
  | "defaultUnreachable"
  | "defaultUnfit"
  | "modelSettings" // values: the names of the settings
  | "modelRefused" // values: the provider
  | "providerNotOffered" // values: the provider
  | "keyMissing" // values: the provider
  | "keyRefused" // values: the provider
  | "modelUnknown" // values: the model's name, the provider
  | "modelLimit" // values: the provider
  | "modelRejects" // values: what the provider says
  | "modelUnfit" // values: the model's name
  | "modelFailed" // values: the provider, the HTTP status
  | "modelUnreachable" // values: the base URL, or the provider
  | "notAModel" // values: the base URL, or the provider
  | "sourceNotFound" // values: the data source
  | "tablesNotFound" // values: the entries
  | "knowledgeBasesNotFound" // values: the entries
  | "renameLost" // values: the name it still has
  | "serverSays"; // values: what the server says

export type ProblemKind = DraftProblemKind | RefusalKind;

export interface Problem {
  field: Field;
  kind: ProblemKind;
  /** What stands for `{0}`, `{1}` in the sentence. */
  values: string[];
  /** A warning does not keep the draft from being sent. */
  isWarning: boolean;
}

/** How many tables or knowledge bases each entry stands for now; null where the server cannot tell, absent: not asked. */
export type Counts = Readonly<Record<string, number | null>>;

/** What is known of the server when a draft is checked; absent or null: not known, and so no problem. */
export interface ServerSnapshot {
  /** The names of the project's agents, other than the one that is edited. */
  agents: readonly string[] | null;
  /** False if the server has no default model. */
  hasDefaultModel: boolean | null;
  tables: Counts;
  knowledgeBases: Counts;
}

/** What a draft is checked against, from what the server has. */
export function snapshotOfServer(seen: LoadedData | undefined): ServerSnapshot {
  const { agents = null, defaultModel = null, tables = {}, knowledgeBases = {} } = seen ?? {};
  const hasDefaultModel = defaultModel === null ? null : defaultModel !== "";
  return { agents, hasDefaultModel, tables, knowledgeBases };
}

/** Everything wrong with a draft, in the order of the form. `before` is the agent as it is, when it is edited. */
export function validateDraft(
  draft: AgentDraft,
  known: ServerSnapshot,
  typed: { hasKey: boolean; before?: AgentDraft | undefined } = { hasKey: false },
): Problem[] {
  return [
    ...nameProblems(draft, known, typed.before),
    ...modelProblems(draft.model, known, typed),
    ...entryProblems("tables", draft.tables, known.tables),
    ...entryProblems("knowledgeBases", draft.knowledgeBases, known.knowledgeBases),
    ...dataProblems(draft, typed.before),
    ...crowdProblems(draft, known),
  ];
}

/** True if nothing keeps the draft from being sent. */
export function canSend(problems: readonly Problem[]): boolean {
  return problems.every(({ isWarning }) => isWarning);
}

function nameProblems(draft: AgentDraft, known: ServerSnapshot, before?: AgentDraft): Problem[] {
  const { name } = draft;
  if (name === "") return [validationError("name", "nameMissing")];
  // A name that somebody else gave is not this form's to complain about.
  if (name === before?.name && draft.project === before.project) return [];
  const plain = plainName(name);
  if (plain === "") return [validationError("name", "nameNotSayable")];
  if (plain !== name) return [validationError("name", "nameNotPlain", plain)];
  const taken = known.agents?.find((other) => other.toLowerCase() === name);
  return taken === undefined ? [] : [validationError("name", "nameTaken", taken)];
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
  // What an agent was made without, its server guesses or takes from its default.
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
    // Without the path `/v1` such servers answer with errors that are hard to read.
    problems.push(warning("baseUrl", "baseUrlWithoutPath"));
  }
  return problems;
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#]+([/?#]\S*)?$/i.test(text) && URL.canParse(text);
}

function entryProblems(
  field: "tables" | "knowledgeBases",
  entries: readonly string[],
  counts: Counts,
): Problem[] {
  return entries.flatMap((entry) => {
    // A knowledge base without a project is one of the default project; a table without a data source is nothing.
    if (field === "tables" && ownerOf(entry) === undefined) {
      return [validationError(field, "entryWithoutOwner", entry)];
    }
    if (counts[entry] !== 0) return [];
    return isPattern(entry)
      ? [warningIf(hasOthers(entry, entries, counts), field, "patternEmpty", entry)]
      : [validationError(field, "entryNotFound", entry)];
  });
}

/** Real servers refuse a list in which nothing matches, and accept one in which something does. */
function hasOthers(entry: string, entries: readonly string[], counts: Counts): boolean {
  return entries.some((other) => other !== entry && counts[other] !== 0);
}

/** An agent without data is allowed, but seldom meant; one that has been without is no news. */
function dataProblems(draft: AgentDraft, before?: AgentDraft): Problem[] {
  const isBare = ({ tables, knowledgeBases }: AgentDraft): boolean =>
    tables.length + knowledgeBases.length === 0;
  if (!isBare(draft) || (before && isBare(before))) return [];
  return [warning("tables", "noData")];
}

function crowdProblems({ tables, knowledgeBases }: AgentDraft, known: ServerSnapshot): Problem[] {
  const ofTables = connected(tables, known.tables);
  const count = ofTables + connected(knowledgeBases, known.knowledgeBases);
  if (count <= maxConnected) return [];
  const field = ofTables > 0 ? "tables" : "knowledgeBases";
  return [warning(field, "manyConnected", String(count))];
}

/** How many tables or knowledge bases a list stands for, as far as it is known; what a pattern holds counts once. */
export function connected(entries: readonly string[], counts: Counts): number {
  const isWithin = (entry: string): boolean =>
    entries.some((other) => other !== entry && isPattern(other) && matches(other, partsOf(entry)));
  return entries
    .filter((entry) => !isWithin(entry))
    .reduce((sum, entry) => sum + (counts[entry] ?? (isPattern(entry) ? 0 : 1)), 0);
}

/** A problem that keeps the draft from being sent. */
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

/** What the server has, as far as the form needs it. Null where it could not be learned. */
export interface LoadedData {
  /** The project that `agents` is about. */
  project: string;
  agents: string[] | null;
  projects: string[] | null;
  /** Like "openai · gpt-4o"; "" where the server has none. */
  defaultModel: string | null;
  tables: Counts;
  knowledgeBases: Counts;
}
