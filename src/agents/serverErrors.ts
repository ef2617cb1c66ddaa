// What a server's refusal of an agent means: which field it is about, in our words. The statuses and titles are those of
// real servers; they say little by themselves (seen on 26.1.0 and 25.14.1).
import type { AppError } from "../mindsdb/errors.ts";
import type { AgentDraft, ModelDraft } from "./agentDraft.ts";
import { validationError, type Counts, type ServerSnapshot, type Problem } from "./validation.ts";
import { openAIProviders, providers } from "./providers.ts";

/** What was asked for. */
export interface SentRequest {
  draft: AgentDraft;
  /** What is known of the server by now: looked up after the refusal, it finds what has gone in the meantime. */
  known: ServerSnapshot;
  /** True if a key went along: typed, or the one that the server keeps. */
  hasKey: boolean;
  /** The agent as it was, when it is changed. */
  before?: AgentDraft | undefined;
  /** The name of the agent whose model went along. */
  modelOf?: string | undefined;
  /** The names of what the server keeps of that model beside what the form shows. */
  settings?: string[];
}

/** The problem behind an error, or undefined if it is not about what was asked for (a dead server, a missing login). */
export function problemOfServerError(error: AppError, asked: SentRequest): Problem | undefined {
  const { draft, before, modelOf } = asked;
  const { title, detail } = answerOf(error);
  if (error.kind === "conflict" || title === "Resource should not exists") {
    return validationError("name", "nameTaken", draft.name);
  }
  if (error.kind === "notFound") {
    if (title === "Project not found") {
      return before
        ? validationError("form", "projectOfAgentGone", before.project)
        : validationError("project", "projectGone", draft.project);
    }
    if (before) {
      const isOther = title === "Resource not found" && !detail.startsWith("Agent with name");
      const problem =
        sourceNotFound(detail) ?? validationError("form", "serverSays", error.message);
      return isOther ? problem : validationError("form", "agentGone", before.name);
    }
    return title === "Agent not found" && modelOf !== undefined
      ? validationError("apiKey", "keySourceGone", modelOf)
      : causeOfFalse404(asked);
  }
  if (error.kind === "refused") {
    if (title === "Creation is not allowed") {
      return validationError("form", "agentGone", before?.name ?? draft.name);
    }
    if (title === "Unavailable to free users") {
      return validationError("provider", "providerNotOffered", draft.model.provider);
    }
    return refusedArguments(detail, asked) ?? validationError("form", "serverSays", error.message);
  }
  if (error.kind === "serverFault") {
    return (
      sourceNotFound(detail) ??
      modelFailure(title, detail, draft) ??
      validationError("form", "serverSays", error.message)
    );
  }
  return undefined;
}

/**
 * 26.x answers every mistake with the same 404, which repeats the model, key included, and names no cause. What can be
 * seen from here: a list in which nothing matches, a provider that is unknown, a key that is missing.
 */
function causeOfFalse404({ draft, known, hasKey, settings = [] }: SentRequest): Problem {
  const { own, provider, baseUrl } = draft.model;
  if (!own && known.hasDefaultModel !== true) return validationError("model", "noModelAnywhere");
  if (own && !providers.includes(provider)) {
    return validationError("provider", "modelRefused", provider);
  }
  if (matchesNothing(draft.tables, known.tables)) return tablesNotFound(draft);
  if (matchesNothing(draft.knowledgeBases, known.knowledgeBases)) {
    return knowledgeBasesNotFound(draft);
  }
  const needsKey = baseUrl === "" || !openAIProviders.includes(provider);
  if (own && !hasKey && needsKey) return validationError("apiKey", "keyMissing", provider);
  if (own && settings.length > 0) {
    return validationError("model", "modelSettings", settings.join(", "));
  }
  return own
    ? validationError("provider", "modelRefused", provider)
    : validationError("model", "noModelAnywhere");
}

/** A data source that is not there is told at once, whatever else the list holds. */
function sourceNotFound(detail: string): Problem | undefined {
  const [, source] = /^There is no integration with name '(.*?)'/.exec(detail) ?? [];
  return source === undefined ? undefined : validationError("tables", "sourceNotFound", source);
}

/** A change is refused with its cause, in Python's words. */
function refusedArguments(detail: string, { draft }: SentRequest): Problem | undefined {
  const { provider } = draft.model;
  if (detail.startsWith("No tables found")) return tablesNotFound(draft);
  if (detail.startsWith("No knowledge bases found")) return knowledgeBasesNotFound(draft);
  // What Python's reader of JSON says of a model's answer.
  if (/^(Expecting|Extra data|Unterminated|Invalid control)\b.*: line \d/.test(detail)) {
    return draft.model.own
      ? validationError("baseUrl", "notAModel", shownAddress(draft.model) || provider)
      : validationError("model", "defaultUnfit");
  }
  const [, setting] = /unexpected keyword argument '(\w+)'/.exec(detail) ?? [];
  if (setting !== undefined) return validationError("model", "modelSettings", setting);
  if (/api[_ ]key/i.test(detail)) return validationError("apiKey", "keyMissing", provider);
  if (/provider/i.test(detail)) return validationError("provider", "modelRefused", provider);
  return undefined;
}

/** What an agent library's HTTP clients call it when they cannot get through. */
const connectionErrors =
  /^(ModelAPIError|APIConnectionError|(Connect|Read|Write|RemoteProtocol)(Error|Timeout))$/;

/** 26.x tries the model: what became of that is an exception of its agent library. */
function modelFailure(title: string, detail: string, { model }: AgentDraft): Problem | undefined {
  const { provider, modelName } = model;
  const [, status] = /status_code: (\d{3})/.exec(detail) ?? [];
  const isOther = /^Invalid response from|^Error code: 3\d\d/.test(detail);
  const isUnfit = title === "UnexpectedModelBehavior";
  const isUnreachable = connectionErrors.test(title) || detail.startsWith("Connection error");
  if (!model.own) {
    if (status !== undefined) return validationError("model", "defaultFailed", status);
    if (isOther || isUnfit) return validationError("model", "defaultUnfit");
    return isUnreachable ? validationError("model", "defaultUnreachable") : undefined;
  }
  // The others are asked at their own address, whatever was written.
  const where = (openAIProviders.includes(provider) && shownAddress(model)) || provider;
  if (status === undefined) {
    if (isOther) return validationError("baseUrl", "notAModel", where);
    if (isUnfit) return validationError("modelName", "modelUnfit", modelName);
    return isUnreachable ? validationError("baseUrl", "modelUnreachable", where) : undefined;
  }
  switch (Number(status)) {
    case 401:
    case 403:
      return validationError("apiKey", "keyRefused", provider);
    case 404:
      return validationError("modelName", "modelUnknown", modelName, provider);
    case 429:
      return validationError("provider", "modelLimit", provider);
  }
  return Number(status) < 500
    ? validationError("modelName", "modelRejects", messageIn(detail))
    : validationError("baseUrl", "modelFailed", provider, status);
}

/** The base URL without a username and password in it. */
function shownAddress({ baseUrl }: ModelDraft): string {
  return baseUrl.replace(/(?<=:\/\/)[^/?#]*@/, "");
}

function tablesNotFound({ tables }: AgentDraft): Problem {
  return validationError("tables", "tablesNotFound", tables.join(", "));
}

function knowledgeBasesNotFound({ knowledgeBases }: AgentDraft): Problem {
  return validationError("knowledgeBases", "knowledgeBasesNotFound", knowledgeBases.join(", "));
}

function matchesNothing(entries: readonly string[], counts: Counts): boolean {
  return entries.length > 0 && entries.every((entry) => counts[entry] === 0);
}

/** Title and detail of the answer, as far as it has them. */
function answerOf(error: AppError): { title: string; detail: string } {
  try {
    const body = JSON.parse(error.detail ?? "") as Record<string, unknown> | null;
    const text = (name: string) => (typeof body?.[name] === "string" ? body[name] : "");
    return { title: text("title"), detail: text("detail") };
  } catch {
    return { title: "", detail: "" };
  }
}

/** What a provider says, out of the Python repr of its answer. */
function messageIn(detail: string): string {
  const [, single, double] =
    /'message': (?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/.exec(detail) ?? [];
  return single ?? double ?? detail;
}
