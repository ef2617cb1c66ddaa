// Sends a draft to the server, and says what became of it. The form and quick create go this way.
import type { ServerAccess } from "../../connections/connection.ts";
import type { StoredAgent } from "../../mindsdb/agents.ts";
import { AppError, isAppError } from "../../mindsdb/errors.ts";
import type { JsonObject } from "../../mindsdb/json.ts";
import { explainError, type ErrorAction } from "../../shared/host/errorMessages.ts";
import { changeOf, creationOf, hasStoredKey, isUnchanged, settingsOf } from "../agentDraft.ts";
import type { AgentDraft } from "../agentDraft.ts";
import type { AgentForm } from "../formMessages.ts";
import { snapshotOfServer, validationError, type Field, type Problem } from "../validation.ts";
import { problemOfServerError } from "../serverErrors.ts";
import type { DataSources } from "./dataSourceItems.ts";
import { problemSentence } from "./formTexts.ts";

export interface SaveRequest {
  draft: AgentDraft;
  /** What was typed; empty for the key that the server has. */
  apiKey: string;
  /** The agent as it was, when it is changed. */
  before?: AgentForm["before"];
  /** The agent whose model, key included, goes along. */
  modelOf?: AgentForm["modelOf"];
}

/**
 * What became of an order: the agent that was made, as the server answered (without keys; undefined where the answer was
 * no agent), or the one that was changed, as the server has it now.
 */
export type SavedAgent =
  | { made: JsonObject | undefined }
  | { now: StoredAgent; isChanged: boolean }
  | { problem: Problem };

/** Makes or changes the agent. Throws AppError, or the signal's reason. */
export async function saveAgent(
  catalogue: DataSources,
  order: SaveRequest,
  signal: AbortSignal,
): Promise<SavedAgent> {
  const { draft, apiKey, before } = order;
  const client = await catalogue.client();
  client.secrets.add(apiKey);
  signal.throwIfAborted();
  const { createAgent, updateAgent } = await import("../../mindsdb/agents.ts");
  const stored = await storedModel(catalogue, order, signal);
  if (!before) {
    const fields = creationOf(draft, apiKey, stored);
    return { made: await createAgent(client, draft.project, fields, { signal }) };
  }
  const change = changeOf(before, draft, apiKey, stored);
  const isChanged = !isUnchanged(change);
  if (isChanged) {
    await updateAgent(client, before.project, before.name, change, { signal });
  }
  // The answer of real servers shows a new name even where they have lost it.
  try {
    return { now: await catalogue.agent(draft.project, draft.name, signal), isChanged };
  } catch (error) {
    const isLost = isAppError(error, "notFound");
    if (!isLost || draft.name === before.name) throw error;
    return { problem: validationError("name", "renameLost", before.name) };
  }
}

/** The model that goes along; a new agent whose key was typed can do without one that is gone. */
async function storedModel(
  catalogue: DataSources,
  { draft, apiKey, before, modelOf }: SaveRequest,
  signal: AbortSignal,
): Promise<StoredAgent["model"]> {
  if (!modelOf) return undefined;
  try {
    return (await catalogue.agent(modelOf.project, modelOf.name, signal)).model;
  } catch (error) {
    const needsKey = draft.model.own && modelOf.hasKey && apiKey === "";
    if (before !== undefined || needsKey || !isAppError(error, "notFound")) throw error;
    return undefined;
  }
}

/** Servers before 26.1 believe everything that an agent is made of, and fail at its first question. */
export async function testsModelFirst(
  servers: ServerAccess,
  connectionId: string,
): Promise<boolean> {
  const status = await servers.status(connectionId).catch(() => undefined);
  const [major = 0, minor = 0] = (status?.version ?? "26.1").split(".").map(Number);
  return major > 26 || (major === 26 && minor >= 1);
}

export interface Failure {
  field: Field;
  text: string;
  action?: ErrorAction;
}

/** Why an order failed, in our words, at the field that it concerns. */
export async function failureOf(
  error: unknown,
  catalogue: DataSources,
  order: SaveRequest,
  address: string | undefined,
): Promise<Failure> {
  const { connectionId } = catalogue;
  const problem = error instanceof AppError ? await problemOf(error, catalogue, order) : undefined;
  if (problem) return { field: problem.field, text: problemSentence(problem) };
  const { message, action } = explainError(error, { connectionId, address });
  return { field: "form", text: message, ...(action ? { action } : {}) };
}

async function problemOf(
  error: AppError,
  catalogue: DataSources,
  { draft, apiKey, before, modelOf }: SaveRequest,
): Promise<Problem | undefined> {
  const { seen } = await catalogue.look(draft, before?.name);
  const stored =
    modelOf && (await catalogue.agent(modelOf.project, modelOf.name).catch(() => undefined));
  return problemOfServerError(error, {
    draft,
    known: snapshotOfServer(seen),
    hasKey: apiKey !== "" || hasStoredKey(stored?.model),
    before,
    modelOf: modelOf?.name,
    settings: settingsOf(stored?.model),
  });
}
