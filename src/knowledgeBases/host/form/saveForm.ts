// Reads what a knowledge base's form needs to know, and saves it.
import * as vscode from "vscode";
import type { ServerAccess } from "../../../shared/connection.ts";
import { AppError } from "../../../mindsdb/errors.ts";
import type { CallOptions } from "../../../mindsdb/http/client.ts";
import { inParallel } from "../../../mindsdb/http/inParallel.ts";
import {
  getDefaultModels,
  listDatabases,
  type DefaultModel,
} from "../../../mindsdb/dataSources.ts";
import { createKnowledgeBase, updateKnowledgeBase } from "../../../mindsdb/knowledgeBaseChanges.ts";
import { listProjectItems } from "../../../mindsdb/projectItems.ts";
import { filesSource } from "../../../mindsdb/filesSource.ts";
import { nullIfAbsent } from "../../../mindsdb/isListAbsent.ts";
import { listProjects } from "../../../mindsdb/projects.ts";
import {
  buildCreateFields,
  buildUpdateFields,
  type KnowledgeBaseDraft,
  type ModelKeys,
} from "../../form/knowledgeBaseDraft.ts";
import { findServerProblem } from "../../form/serverErrors.ts";
import { validateDraft, type LoadedData, type Problem } from "../../form/validation.ts";

/** A database behind the server may be slow. */
const timeoutMs = 10_000;

/** Reads the server data of the form. Throws AppError if the server cannot be asked at all. */
export async function loadFormData(
  servers: ServerAccess,
  connectionId: string,
  signal?: AbortSignal,
): Promise<LoadedData> {
  const client = await servers.client(connectionId);
  const requestOptions: CallOptions = { timeoutMs, signal };
  const [projects, databases, models] = await Promise.all([
    listProjects(client, requestOptions).catch(nullIfAbsent),
    listDatabases(client, requestOptions).catch(nullIfAbsent),
    // Reading the configuration may be forbidden.
    getDefaultModels(client, requestOptions).catch(() => null),
  ]);
  const lists = await inParallel(projects ?? [], async ({ name: project }) => {
    const items = await listProjectItems(client, project, requestOptions).catch(() => []);
    return items.map((item) => ({ ...item, project }));
  });
  return {
    projects: projects?.map(({ name }) => name) ?? null,
    items: projects ? lists.flat() : null,
    defaults: {
      embedding: models && formatModel(models.embedding),
      reranking: models && formatModel(models.reranking),
    },
    sources:
      databases
        ?.filter(
          ({ kind, name }) => kind === "vectors" || (kind === "data" && name !== filesSource),
        )
        .map(({ name }) => name) ?? null,
  };
}

function formatModel(model: DefaultModel | undefined): string {
  return [model?.provider, model?.modelName].filter(Boolean).join(" · ");
}

interface SaveOrder {
  draft: KnowledgeBaseDraft;
  keys: ModelKeys;
  /** The knowledge base before the change; undefined for a new one. */
  before: KnowledgeBaseDraft | undefined;
  signal: AbortSignal;
}

/**
 * Creates or changes a knowledge base, if the connection and the user allow it. Throws AppError, or the signal's
 * reason.
 */
export async function saveKnowledgeBase(
  servers: ServerAccess,
  connectionId: string,
  { draft, keys, before, signal }: SaveOrder,
): Promise<"saved" | "unchanged" | "declined" | Problem> {
  const client = await servers.client(connectionId);
  // Servers repeat a key that a model does not accept.
  for (const key of [keys.embedding, keys.reranking]) client.secrets.add(key);
  signal.throwIfAborted();
  const { project, name } = draft;
  const fields = before ? buildUpdateFields(before, draft, keys) : buildCreateFields(draft, keys);
  if (before && Object.keys(fields).length === 0) return "unchanged";
  const taken = before ? undefined : await findNameProblem(servers, connectionId, draft);
  if (taken) return taken;
  const isAllowed = await servers.allowWrite(
    connectionId,
    before
      ? {
          what: vscode.l10n.t("Change the knowledge base {0} in {1}", name, project),
          button: vscode.l10n.t("Save"),
        }
      : {
          what: vscode.l10n.t("Create the knowledge base {0} in {1}", name, project),
          button: vscode.l10n.t("Create"),
        },
  );
  if (!isAllowed) return "declined";
  signal.throwIfAborted();
  const place = { project, name };
  if (before) {
    const hadReranking = before.reranking.choice === "own";
    await updateKnowledgeBase(client, place, fields, { signal, hadReranking });
  } else await createKnowledgeBase(client, place, fields, { signal });
  return "saved";
}

/**
 * Checks the name again: what the form knows may be old, servers give one name to a knowledge base and to an agent, and a
 * storage that is shared would be emptied.
 */
async function findNameProblem(
  servers: ServerAccess,
  connectionId: string,
  draft: KnowledgeBaseDraft,
): Promise<Problem | undefined> {
  const problems = validateDraft(draft, await loadFormData(servers, connectionId));
  return problems.find(({ field }) => field === "name");
}

/** Returns the problem that made saving fail; undefined if the draft is not the cause. */
export function explainSaveError(
  error: unknown,
  draft: KnowledgeBaseDraft,
  isNew: boolean,
): Problem | undefined {
  return error instanceof AppError ? findServerProblem(error, draft, isNew) : undefined;
}

/** Copies a CREATE statement, if SQL can express it. Returns a status. */
export async function copyStatement(statement: string | undefined): Promise<string> {
  if (statement === undefined) {
    return vscode.l10n.t("Nothing was copied: SQL can't express one of the values.");
  }
  await vscode.env.clipboard.writeText(statement);
  return vscode.l10n.t("Copied without API keys.");
}
