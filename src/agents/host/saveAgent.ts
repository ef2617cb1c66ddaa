// Creates or updates an agent on the server, for the form and quick create.
import type { ServerAccess } from "../../shared/connection.ts";
import type { StoredAgent } from "../../mindsdb/agents.ts";
import * as vscode from "vscode";
import { AppError, isAppError } from "../../mindsdb/errors.ts";
import type { AgentFields } from "../../mindsdb/agentFields.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import type { JsonObject } from "../../mindsdb/json.ts";
import { findNameTaken } from "../../shared/itemNameProblems.ts";
import {
  buildUpdateFields,
  buildCreateFields,
  hasStoredKey,
  isUnchanged,
  listHiddenSettings,
} from "../agentDraft.ts";
import type { AgentDraft } from "../agentDraft.ts";
import type { AgentForm } from "../agentForm.ts";
import { agentProblems, type Problem } from "../agentProblems.ts";
import { createSnapshot } from "../validation.ts";
import { findServerProblem, isUnexplained, versionTestsModel } from "../serverErrors.ts";
import type { ServerCatalog } from "./serverCatalog.ts";

export interface SaveRequest {
  draft: AgentDraft;
  /** The typed key; empty to use the stored one. */
  apiKey: string;
  /** The agent before the change; undefined for a new one. */
  before?: AgentForm["before"];
  /** The agent whose model, key included, is sent. */
  modelOf?: AgentForm["modelOf"];
}

export type SavedAgent =
  /** `row` is the server's response, without keys; undefined if it is not an agent. */
  | { kind: "created"; row: JsonObject | undefined }
  /** `agent` is what the server stores. */
  | { kind: "updated"; agent: StoredAgent; isChanged: boolean }
  | { kind: "problem"; problem: Problem }
  | { kind: "declined" };

/** Creates or updates the agent, if the connection and the user allow it. Throws AppError, or the signal's reason. */
export async function saveAgent(
  catalog: ServerCatalog,
  order: SaveRequest,
  signal: AbortSignal,
): Promise<SavedAgent> {
  const { draft, apiKey, before } = order;
  const client = await catalog.client();
  client.secrets.add(apiKey);
  signal.throwIfAborted();
  const { createAgent, updateAgent } = await import("../../mindsdb/agents.ts");
  const stored = await readStoredModel(catalog, order, signal);
  if (draft.name !== before?.name) {
    // The form's lists can be outdated, and servers let an agent and another item have the same name.
    const items = await catalog.listItems(draft.project, signal).catch(() => null);
    const taken = findNameTaken(draft.name, items);
    if (taken !== undefined) return { kind: "problem", problem: { field: "name", text: taken } };
  }
  if (!before) {
    const fields = buildCreateFields(draft, apiKey, stored);
    const what = vscode.l10n.t("Create the agent {0} in {1}", draft.name, draft.project);
    if (!(await catalog.allowWrite({ what, button: vscode.l10n.t("Create") }))) {
      return { kind: "declined" };
    }
    signal.throwIfAborted();
    try {
      const row = await createAgent(client, draft.project, fields, { signal });
      return { kind: "created", row };
    } catch (error) {
      return await createBySql(client, draft.project, fields, { error, signal });
    }
  }
  const change = buildUpdateFields(before, draft, apiKey, stored);
  const isChanged = !isUnchanged(change);
  if (isChanged) {
    const what = vscode.l10n.t("Change the agent {0} in {1}", before.name, before.project);
    if (!(await catalog.allowWrite({ what, button: vscode.l10n.t("Save") }))) {
      return { kind: "declined" };
    }
    signal.throwIfAborted();
    await updateAgent(client, before.project, before.name, change, { signal });
  }
  // Real servers respond with the new name even if they have lost it.
  try {
    const agent = await catalog.readAgent(draft.project, draft.name, signal);
    return { kind: "updated", agent, isChanged };
  } catch (error) {
    const isLost = isAppError(error, "notFound");
    if (!isLost || draft.name === before.name) throw error;
    return {
      kind: "problem",
      problem: { field: "name", text: agentProblems.renameLost(before.name) },
    };
  }
}

/**
 * Creates the agent by SQL after a 404: over HTTP, 26.x answers every mistake with the same sentence about the model, and
 * SQL names the cause. Throws the first error if SQL does not help.
 */
async function createBySql(
  client: Client,
  project: string,
  fields: AgentFields,
  { error, signal }: { error: unknown; signal: AbortSignal },
): Promise<SavedAgent> {
  if (!isAppError(error, "notFound") || !isUnexplained(error)) throw error;
  const { createAgentStatement } = await import("./createStatement.ts");
  const statement = createAgentStatement(project, fields, { withKeys: true });
  if (statement === undefined) throw error;
  const { runSql } = await import("../../mindsdb/sql/runSql.ts");
  await runSql(client, statement, { signal, timeoutMs: 0, cost: "byAction" }).catch(
    (cause: unknown) => {
      signal.throwIfAborted();
      // A server that does not know the statement, like the sample server, says nothing about the agent.
      const isKnown =
        isAppError(cause, "sql") && !/does not run|cannot be parsed/.test(cause.message);
      throw isKnown ? cause : error;
    },
  );
  return { kind: "created", row: undefined };
}

/** Returns the stored model. A deleted agent's model is only needed for its key. */
async function readStoredModel(
  catalog: ServerCatalog,
  { draft, apiKey, before, modelOf }: SaveRequest,
  signal: AbortSignal,
): Promise<StoredAgent["model"]> {
  if (!modelOf) return undefined;
  try {
    return (await catalog.readAgent(modelOf.project, modelOf.name, signal)).model;
  } catch (error) {
    const needsKey = draft.model.own && modelOf.hasKey && apiKey === "";
    if (before !== undefined || needsKey || !isAppError(error, "notFound")) throw error;
    return undefined;
  }
}

/** True if the server tests the model when an agent is created. */
export async function testsModelOnCreate(
  servers: ServerAccess,
  connectionId: string,
): Promise<boolean> {
  const status = await servers.status(connectionId).catch(() => undefined);
  return versionTestsModel(status?.version);
}

/** Finds the field that a failure is about; undefined for failures of any request, like a missing login. */
export async function findSaveProblem(
  error: unknown,
  catalog: ServerCatalog,
  { draft, apiKey, before, modelOf }: SaveRequest,
): Promise<Problem | undefined> {
  if (!(error instanceof AppError)) return undefined;
  const { seen } = await catalog.load(draft, before?.name);
  const stored =
    modelOf && (await catalog.readAgent(modelOf.project, modelOf.name).catch(() => undefined));
  return findServerProblem(error, {
    draft,
    known: createSnapshot(seen),
    hasKey: apiKey !== "" || hasStoredKey(stored?.model),
    before,
    modelOf: modelOf?.name,
    settings: listHiddenSettings(stored?.model),
  });
}
