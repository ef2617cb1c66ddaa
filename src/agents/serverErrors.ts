// Finds the form field that a server's error is about. Statuses and titles as seen on 26.1.0 and 25.14.1.
import type { AppError } from "../mindsdb/errors.ts";
import { readProviderMessage } from "../shared/modelFailure.ts";
import { hideCredentials, readErrorBody } from "../shared/serverErrorParts.ts";
import { formatEverythingIn, splitEntry } from "../mindsdb/dataPatterns.ts";
import type { AgentDraft } from "./agentDraft.ts";
import { agentProblems, defaultModelProblem, type Field, type Problem } from "./agentProblems.ts";
import type { Counts, ServerSnapshot } from "./validation.ts";
import { openAIProviders, providers } from "./modelProviders.ts";

/** The request that failed. */
export interface SentRequest {
  draft: AgentDraft;
  /** Read after the failure, so that it lacks what was deleted in the meantime. */
  known: ServerSnapshot;
  /** True if a key was sent: a typed one, or the one stored on the server. */
  hasKey: boolean;
  /** The agent before the change; undefined for a new one. */
  before?: AgentDraft | undefined;
  /** The name of the agent whose model was sent. */
  modelOf?: string | undefined;
  /** The names of that model's settings that the form does not show. */
  settings?: string[];
}

/** True for the 404 of 26.x that blames the model for every mistake. */
export function isUnexplained(error: AppError): boolean {
  const { title, detail } = readErrorBody(error);
  return title === "Resource not found" && detail.startsWith('The model "');
}

/** Returns the problem that caused an error; undefined for others, like a missing login. */
export function findServerProblem(error: AppError, asked: SentRequest): Problem | undefined {
  const { draft, before, modelOf } = asked;
  const { title, detail } = readErrorBody(error);
  if (error.kind === "conflict" || title === "Resource should not exists") {
    return problemAt("name", agentProblems.nameTaken(draft.name));
  }
  if (error.kind === "notFound") {
    if (title === "Project not found") {
      return before
        ? problemAt("form", agentProblems.projectOfAgentGone(before.project))
        : problemAt("project", agentProblems.projectGone(draft.project));
    }
    if (before) {
      const isOther = title === "Resource not found" && !detail.startsWith("Agent with name");
      const problem =
        readMissingSource(detail) ?? problemAt("form", agentProblems.serverSays(error.message));
      return isOther ? problem : problemAt("form", agentProblems.agentGone(before.name));
    }
    return title === "Agent not found" && modelOf !== undefined
      ? problemAt("apiKey", agentProblems.keySourceGone(modelOf))
      : guessCauseOf404(asked);
  }
  if (error.kind === "sql") {
    const { message } = error;
    return (
      readMissingSource(message) ??
      readRefusedArguments(message, asked) ??
      readModelProblem("", message, draft) ??
      problemAt("form", agentProblems.serverSays(message))
    );
  }
  if (error.kind === "refused") {
    if (title === "Creation is not allowed") {
      return problemAt("form", agentProblems.agentGone(before?.name ?? draft.name));
    }
    if (title === "Unavailable to free users") {
      return problemAt("provider", agentProblems.providerNotOffered(draft.model.provider));
    }
    return (
      readRefusedArguments(detail, asked) ??
      problemAt("form", agentProblems.serverSays(error.message))
    );
  }
  if (error.kind === "serverFault") {
    return (
      readMissingSource(detail) ??
      readModelProblem(title, detail, draft) ??
      problemAt("form", agentProblems.serverSays(error.message))
    );
  }
  return undefined;
}

/**
 * Guesses why 26.x answers 404 where SQL could not be asked: that 404 repeats the model, key included, and gives no cause.
 * Checks for lists without a match, an unknown provider and a missing key.
 */
function guessCauseOf404({ draft, known, hasKey, settings = [] }: SentRequest): Problem {
  const { own, provider, baseUrl } = draft.model;
  if (!own && known.hasDefaultModel !== true) {
    return defaultModelProblem(agentProblems.noModelAnywhere());
  }
  if (own && !providers.includes(provider)) {
    return problemAt("provider", agentProblems.modelRefused(provider));
  }
  if (matchesNothing(draft.tables, known.tables)) return tablesNotFound(draft, known);
  if (matchesNothing(draft.knowledgeBases, known.knowledgeBases)) {
    return knowledgeBasesNotFound(draft);
  }
  const needsKey = baseUrl === "" || !openAIProviders.includes(provider);
  if (own && !hasKey && needsKey) return problemAt("apiKey", agentProblems.keyMissing(provider));
  if (own && settings.length > 0) {
    return problemAt("model", agentProblems.modelSettings(settings.join(", ")));
  }
  if (draft.tables.length > 0) return problemAt("form", agentProblems.agentRefused());
  return own
    ? problemAt("provider", agentProblems.modelRefused(provider))
    : defaultModelProblem(agentProblems.noModelAnywhere());
}

/** Returns the problem if the server names a data source that it does not have. */
function readMissingSource(detail: string): Problem | undefined {
  const [, source] = /^There is no integration with name '(.*?)'/.exec(detail) ?? [];
  return source === undefined
    ? undefined
    : problemAt("tables", agentProblems.sourceNotFound(source));
}

/** Returns the problem that a refused update names, as the message of a Python exception. */
function readRefusedArguments(detail: string, asked: SentRequest): Problem | undefined {
  const { draft, known } = asked;
  const { provider } = draft.model;
  if (detail.startsWith("No tables found")) return tablesNotFound(draft, known);
  if (detail.startsWith("No knowledge bases found")) return knowledgeBasesNotFound(draft);
  // Messages of Python's JSON decoder about the model's response.
  if (/^(Expecting|Extra data|Unterminated|Invalid control)\b.*: line \d/.test(detail)) {
    return draft.model.own
      ? problemAt(
          "baseUrl",
          agentProblems.notAModel(hideCredentials(draft.model.baseUrl) || provider),
        )
      : defaultModelProblem(agentProblems.defaultUnfit());
  }
  const [, setting] = /unexpected keyword argument '(\w+)'/.exec(detail) ?? [];
  if (setting !== undefined) return problemAt("model", agentProblems.modelSettings(setting));
  if (!draft.model.own && /api[_ ]key|provider|model/i.test(detail)) {
    return defaultModelProblem(agentProblems.noModelAnywhere());
  }
  if (/api[_ ]key/i.test(detail)) return problemAt("apiKey", agentProblems.keyMissing(provider));
  if (/provider/i.test(detail)) return problemAt("provider", agentProblems.modelRefused(provider));
  return undefined;
}

/** Connection errors of the agent library's HTTP clients. */
const connectionErrors =
  /^(ModelAPIError|APIConnectionError|(Connect|Read|Write|RemoteProtocol)(Error|Timeout))$/;

/** 26.x tests the model; a failure is an exception of its agent library. */
function readModelProblem(
  title: string,
  detail: string,
  { model }: AgentDraft,
): Problem | undefined {
  const { provider, modelName } = model;
  const [, status] = /status_code: (\d{3})/.exec(detail) ?? [];
  const isOther = /^Invalid response from|^Error code: 3\d\d/.test(detail);
  const isUnfit = title === "UnexpectedModelBehavior";
  const isUnreachable = connectionErrors.test(title) || detail.startsWith("Connection error");
  if (!model.own) {
    if (status !== undefined) return defaultModelProblem(agentProblems.defaultFailed(status));
    if (isOther || isUnfit) return defaultModelProblem(agentProblems.defaultUnfit());
    return isUnreachable ? defaultModelProblem(agentProblems.defaultUnreachable()) : undefined;
  }
  // Other providers ignore the base URL.
  const where = (openAIProviders.includes(provider) && hideCredentials(model.baseUrl)) || provider;
  if (status === undefined) {
    if (isOther) return problemAt("baseUrl", agentProblems.notAModel(where));
    if (isUnfit) return problemAt("modelName", agentProblems.modelUnfit(modelName));
    return isUnreachable ? problemAt("baseUrl", agentProblems.modelUnreachable(where)) : undefined;
  }
  switch (Number(status)) {
    case 401:
    case 403:
      return problemAt("apiKey", agentProblems.keyRefused(provider));
    case 404:
      return problemAt("modelName", agentProblems.modelUnknown(modelName, provider));
    case 429:
      return problemAt("provider", agentProblems.modelLimit(provider));
  }
  return Number(status) < 500
    ? problemAt("modelName", agentProblems.modelRejects(readProviderMessage(detail)))
    : problemAt("baseUrl", agentProblems.modelFailed(provider, status));
}

/**
 * 26.x reads the tables of a data source when it first checks an agent for it, and never again, restarts included. Tables
 * that came later are refused alone. A pattern for all tables is not, nor a list with an older table.
 */
function tablesNotFound({ tables }: AgentDraft, known: ServerSnapshot): Problem {
  const newer = tables.filter((entry) => (known.tables[entry] ?? 0) > 0);
  if (newer.length > 0) {
    const all = new Set(newer.map((entry) => formatEverythingIn(splitEntry(entry)[0] ?? "")));
    return problemAt("tables", agentProblems.tablesTooNew(newer.join(", "), [...all].join(", ")));
  }
  return problemAt("tables", agentProblems.tablesNotFound(tables.join(", ")));
}

function knowledgeBasesNotFound({ knowledgeBases }: AgentDraft): Problem {
  return problemAt(
    "knowledgeBases",
    agentProblems.knowledgeBasesNotFound(knowledgeBases.join(", ")),
  );
}

function matchesNothing(entries: readonly string[], counts: Counts): boolean {
  return entries.length > 0 && entries.every((entry) => counts[entry] === 0);
}

function problemAt(field: Field | "form", text: string): Problem {
  return { field, text };
}

/** True for the versions that test the model when an agent is created: 26.1 and newer, and one that is not known. */
export function versionTestsModel(version = "26.1"): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 26 || (major === 26 && minor >= 1);
}
