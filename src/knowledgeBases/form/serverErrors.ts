// Finds the form field that a server's error is about. Statuses and titles as seen on 26.1.0 and 25.14.1.
import type { AppError } from "../../mindsdb/errors.ts";
import { readProviderMessage } from "../../shared/modelFailure.ts";
import { hideCredentials, readErrorBody } from "../../shared/serverErrorParts.ts";
import type { KnowledgeBaseDraft, ModelKind } from "./knowledgeBaseDraft.ts";
import { fieldOf, problem, type Problem } from "./validation.ts";

/** Returns the problem that caused an error; undefined for others, like a missing login. `isNew`: it was to be created. */
export function findServerProblem(
  error: AppError,
  draft: KnowledgeBaseDraft,
  isNew: boolean,
): Problem | undefined {
  const { title, detail } = readErrorBody(error);
  if (error.kind === "conflict" || /already exists/i.test(title)) {
    return problem("name", "nameTaken", draft.name);
  }
  if (error.kind === "notFound") {
    if (title.startsWith("Project")) {
      return problem(isNew ? "project" : "form", "projectGone", draft.project);
    }
    return isNew ? undefined : problem("form", "itemGone", draft.name);
  }
  if (error.kind !== "refused" && error.kind !== "serverFault") return undefined;
  return readCause(detail, draft) ?? problem("form", "serverSays", detail || error.message);
}

function readCause(detail: string, draft: KnowledgeBaseDraft): Problem | undefined {
  if (detail.includes("Problem with reranker config")) {
    return readModelProblem("reranking", detail, draft);
  }
  const [, wrong, offered] =
    /Wrong embedding provider: (.*?)\. Available providers: ([^\n]*)/.exec(detail) ?? [];
  if (wrong !== undefined) {
    return problem("embeddingProvider", "providerRefused", wrong, offered ?? "");
  }
  // 25.14.1 looks up the provider of a model that is not there.
  if (/No embedding model|'NoneType' object has no attribute 'lower'/.test(detail)) {
    return problem("embedding", "noEmbedding");
  }
  const [, ofModel, ofTable] = /Dimension of embedding model .*: (\d+) != (\d+)/.exec(detail) ?? [];
  if (ofModel !== undefined) {
    return problem("storage", "otherDimension", ofModel, ofTable ?? "");
  }
  if (/has no attribute '(?:create_table|integration_handler)'/.test(detail)) {
    return problem("storage", "storageUnfit", draft.storage);
  }
  const [, source] = /Unable to find database named (.*?), please/.exec(detail) ?? [];
  if (source !== undefined) return problem("storage", "storageGone", source);
  // 25.14.1 reports a missing key without saying which model it is about; the embedding model is first.
  if (/Problem with embedding model config|api_key client option must be set/.test(detail)) {
    return readModelProblem("embedding", detail, draft);
  }
  if (draft.storage.trim() !== "" && /table|collection|vector|storage/i.test(detail)) {
    return problem("storage", "serverSays", detail);
  }
  return undefined;
}

function readModelProblem(kind: ModelKind, detail: string, draft: KnowledgeBaseDraft): Problem {
  const model = draft[kind];
  const { choice, provider, modelName } = model;
  const [, reason = detail] = /config: (?:Error during reranking: )?([^]*)$/.exec(detail) ?? [];
  // The server's default has no fields of its own.
  if (choice === "default") return problem(kind, "modelFails", reason);
  const at = (part: Parameters<typeof fieldOf>[1]) => fieldOf(kind, part);
  const where = hideCredentials(model.baseUrl) || provider;
  if (
    /api_key|API key not found|Missing credentials/i.test(reason) &&
    !reason.includes("Error code")
  ) {
    return problem(at("apiKey"), "keyMissing", provider);
  }
  const [, status] = /Error code: (\d{3})/.exec(reason) ?? [];
  if (status === "401" || status === "403") return problem(at("apiKey"), "keyRefused", provider);
  if (status === "404" && /model/i.test(reason)) {
    return problem(at("modelName"), "modelUnknown", modelName, provider);
  }
  const isNoModel = /has no attribute|Expecting value|^<|^\s*<!doctype/i.test(reason);
  if (status === "404" || status === "405" || isNoModel) {
    return problem(at("baseUrl"), "notAModel", where);
  }
  if (
    status === undefined &&
    /Connection error|number of retries|timed? ?out|Errno/i.test(reason)
  ) {
    return problem(at("baseUrl"), "modelUnreachable", where);
  }
  if (reason.includes("is not supported")) return problem(at("provider"), "modelFails", reason);
  return problem(at("model"), "modelFails", readProviderMessage(reason));
}
