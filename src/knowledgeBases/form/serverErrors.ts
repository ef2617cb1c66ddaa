// Finds the form field that a server's error is about. Statuses and titles as seen on 26.1.0 and 25.14.1.
import * as l10n from "@vscode/l10n";
import type { AppError } from "../../mindsdb/errors.ts";
import { modelProblems } from "../../shared/modelProblems.ts";
import { readProviderMessage } from "../../shared/modelFailure.ts";
import { hideCredentials, readErrorBody } from "../../shared/serverErrorParts.ts";
import type { KnowledgeBaseDraft, ModelKind } from "./knowledgeBaseDraft.ts";
import { fieldOf, noDefaultModel, sourceNotFound, type Problem } from "./validation.ts";

/** Returns the problem that caused an error; undefined for others, like a missing login. `isNew`: it was to be created. */
export function findServerProblem(
  error: AppError,
  draft: KnowledgeBaseDraft,
  isNew: boolean,
): Problem | undefined {
  const { title, detail } = readErrorBody(error);
  if (error.kind === "conflict" || /already exists/i.test(title)) {
    return { field: "name", text: modelProblems.nameTaken(draft.name) };
  }
  if (error.kind === "notFound") {
    if (title.startsWith("Project")) {
      return { field: isNew ? "project" : "form", text: modelProblems.projectGone(draft.project) };
    }
    if (isNew) return undefined;
    const text = l10n.t("The knowledge base {0} no longer exists. It was deleted.", draft.name);
    return { field: "form", text };
  }
  if (error.kind !== "refused" && error.kind !== "serverFault") return undefined;
  const text = modelProblems.serverSays(detail || error.message);
  return readCause(detail, draft) ?? { field: "form", text };
}

function readCause(detail: string, draft: KnowledgeBaseDraft): Problem | undefined {
  if (detail.includes("Problem with reranker config")) {
    return readModelProblem("reranking", detail, draft);
  }
  const [, wrong, offered] =
    /Wrong embedding provider: (.{0,300}?)\. Available providers: ([^\n]*)/.exec(detail) ?? [];
  if (wrong !== undefined) {
    const text = l10n.t(
      "This server does not support embeddings from {0}. It supports: {1}.",
      wrong,
      offered ?? "",
    );
    return { field: "embeddingProvider", text };
  }
  // 25.14.1 looks up the provider of a model that is not there.
  if (/No embedding model|'NoneType' object has no attribute 'lower'/.test(detail)) {
    return noDefaultModel("embedding");
  }
  const [, ofModel, ofTable] =
    /Dimension of embedding model .{0,300}: (\d+) != (\d+)/.exec(detail) ?? [];
  if (ofModel !== undefined) {
    const text = l10n.t(
      "The table has vectors of {1} dimensions, but the model produces {0}. Select another table or model.",
      ofModel,
      ofTable ?? "",
    );
    return { field: "storage", text };
  }
  if (/has no attribute '(?:create_table|integration_handler)'/.test(detail)) {
    const text = l10n.t("{0} can't store vectors. Select a vector store.", draft.storage);
    return { field: "storage", text };
  }
  const [, source] = /Unable to find database named (.{0,300}?), please/.exec(detail) ?? [];
  if (source !== undefined) return { field: "storage", text: sourceNotFound(source) };
  // 25.14.1 reports a missing key without saying which model it is about; the embedding model is first.
  if (/Problem with embedding model config|api_key client option must be set/.test(detail)) {
    return readModelProblem("embedding", detail, draft);
  }
  if (draft.storage.trim() !== "" && /table|collection|vector|storage/i.test(detail)) {
    return { field: "storage", text: modelProblems.serverSays(detail) };
  }
  return undefined;
}

function readModelProblem(kind: ModelKind, detail: string, draft: KnowledgeBaseDraft): Problem {
  const model = draft[kind];
  const { choice, provider, modelName } = model;
  const [, reason = detail] = /config: (?:Error during reranking: )?([^]*)$/.exec(detail) ?? [];
  // The server's default has no fields of its own.
  if (choice === "default") {
    return { field: kind, text: modelFails(reason), action: modelProblems.serverSettings() };
  }
  const at = (part: Parameters<typeof fieldOf>[1], text: string): Problem => {
    return { field: fieldOf(kind, part), text };
  };
  const where = hideCredentials(model.baseUrl) || provider;
  if (
    /api_key|API key not found|Missing credentials/i.test(reason) &&
    !reason.includes("Error code")
  ) {
    return at("apiKey", modelProblems.keyMissing(provider));
  }
  const [, status] = /Error code: (\d{3})/.exec(reason) ?? [];
  if (status === "401" || status === "403") {
    return at("apiKey", modelProblems.keyRefused(provider));
  }
  if (status === "404" && /model/i.test(reason)) {
    return at("modelName", modelProblems.modelUnknown(modelName, provider));
  }
  const isNoModel = /has no attribute|Expecting value|^<|^\s*<!doctype/i.test(reason);
  if (status === "404" || status === "405" || isNoModel) {
    const text = l10n.t("There is no model of this kind at {0}. Check the base URL.", where);
    return at("baseUrl", text);
  }
  if (
    status === undefined &&
    /Connection error|number of retries|timed? ?out|Errno/i.test(reason)
  ) {
    return at("baseUrl", modelProblems.modelUnreachable(where));
  }
  if (reason.includes("is not supported")) return at("provider", modelFails(reason));
  return at("model", modelFails(readProviderMessage(reason)));
}

function modelFails(reason: string): string {
  return l10n.t("The server tested the model, and it failed: {0}", reason);
}
