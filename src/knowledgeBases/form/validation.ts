// Validation of a knowledge base's draft before it is sent. What servers do with mistakes was seen on 26.1.0 and 25.14.1.
import * as l10n from "@vscode/l10n";
import { isReservedColumn } from "../reservedColumns.ts";
import { toPlainName } from "../../mindsdb/sql/plainName.ts";
import type { ProjectItem } from "../../mindsdb/listItems.ts";
import { isWebAddress } from "../../shared/isWebAddress.ts";
import type { Problem as FormProblem } from "../../shared/formPage.ts";
import { findNameProblem } from "../../shared/itemNameProblems.ts";
import { modelProblems } from "../../shared/modelProblems.ts";
import { splitEntry } from "../../mindsdb/dataPatterns.ts";
import { isSameName } from "../../mindsdb/nameOrder.ts";
import type { KnowledgeBaseDraft, ModelDraft, ModelKind } from "./knowledgeBaseDraft.ts";
import { splitColumns } from "./columnList.ts";

type ModelPart = "model" | "provider" | "modelName" | "apiKey" | "baseUrl";
type ModelField = ModelKind | `${ModelKind}${"Provider" | "ModelName" | "ApiKey" | "BaseUrl"}`;

export type Field = Exclude<keyof KnowledgeBaseDraft, ModelKind> | ModelField;

export type Problem = FormProblem<Field>;

/** The server data that the form needs. Null if it could not be read. */
export interface LoadedData {
  projects: string[] | null;
  /** The items of all projects. */
  items: (ProjectItem & { project: string })[] | null;
  /** Like "openai · gpt-4o"; "" if the server has none. */
  defaults: Record<ModelKind, string | null>;
  /** The data sources that may hold a table. */
  sources: string[] | null;
}

/** Providers that both generations of servers have and that need nothing but a key and an address. */
export const modelProviders: readonly string[] = ["openai", "google", "ollama"];

/** These need settings that the form does not have, unless the server's environment has them. */
const otherProviders = ["azure_openai", "bedrock", "gemini", "snowflake"];

/** These speak OpenAI's API at the base URL. */
const openAIProviders = ["openai", "ollama"];

/** Without a base URL, servers send the texts to OpenAI. */
const providersWithAddress = ["ollama"];

export function fieldOf(kind: ModelKind, part: ModelPart): ModelField {
  switch (part) {
    case "model":
      return kind;
    case "provider":
      return `${kind}Provider`;
    case "modelName":
      return `${kind}ModelName`;
    case "apiKey":
      return `${kind}ApiKey`;
    case "baseUrl":
      return `${kind}BaseUrl`;
  }
}

/** Converts a name to one that SQL finds without quotes. */
export function toPlainBaseName(name: string): string {
  return toPlainName(name, "base");
}

/**
 * Returns all problems of a draft, in the form's order. `before` is the knowledge base before the change, if one is
 * edited.
 */
export function validateDraft(
  draft: KnowledgeBaseDraft,
  known: LoadedData | undefined,
  before?: KnowledgeBaseDraft,
): Problem[] {
  return [
    ...(before ? [] : checkName(draft, known)),
    ...(before
      ? checkAddress("embedding", draft.embedding)
      : checkModel("embedding", draft.embedding, known)),
    ...checkModel("reranking", draft.reranking, known),
    ...(before ? [] : checkStorage(draft.storage, known)),
    ...checkColumns(draft),
  ];
}

function checkName(draft: KnowledgeBaseDraft, known: LoadedData | undefined): Problem[] {
  const { name, project, storage } = draft;
  const items = known?.items ?? [];
  const inProject = items.filter((item) => item.project === project);
  const wrong = findNameProblem(name, "base", inProject, {
    missing: l10n.t("Enter a name for the knowledge base."),
    notPlain: (plainName) =>
      l10n.t("SQL can't find a knowledge base by this name. Try {0}.", plainName),
  });
  if (wrong) return [wrong];
  // The default storage is called like the knowledge base, and a new one empties it.
  const other = items.find((item) => item.type === "knowledge_base" && isSameName(item.name, name));
  if (!other || storage.trim() !== "") return [];
  const text = l10n.t(
    "The project {1} has a knowledge base named {0}, and the server would delete its content, because both would use the same storage. Choose another name.",
    name,
    other.project,
  );
  return [{ field: "name", text }];
}

function checkModel(kind: ModelKind, model: ModelDraft, known: LoadedData | undefined): Problem[] {
  const { choice, provider, modelName } = model;
  if (choice !== "own") {
    const isNeeded = kind === "embedding" && known?.defaults.embedding === "";
    return isNeeded ? [noDefaultModel(kind)] : [];
  }
  return [
    ...checkProvider(fieldOf(kind, "provider"), provider),
    ...(modelName.trim() === ""
      ? [missing(fieldOf(kind, "modelName"), modelProblems.modelNameMissing())]
      : []),
    ...checkAddress(kind, model),
  ];
}

export function noDefaultModel(field: Field): Problem {
  return {
    field,
    text: modelProblems.noDefaultModel(),
    action: modelProblems.serverSettings(),
  };
}

function checkProvider(field: Field, provider: string): Problem[] {
  if (provider === "") return [missing(field, modelProblems.providerMissing())];
  if ([...modelProviders, ...otherProviders].includes(provider)) return [];
  return [{ field, text: modelProblems.providerUnknown(provider), isWarning: true }];
}

function checkAddress(kind: ModelKind, { provider, baseUrl }: ModelDraft): Problem[] {
  const field = fieldOf(kind, "baseUrl");
  if (baseUrl === "") {
    return providersWithAddress.includes(provider)
      ? [missing(field, l10n.t("{0} needs the address of its server.", provider))]
      : [];
  }
  if (!isWebAddress(baseUrl)) return [{ field, text: modelProblems.baseUrlInvalid() }];
  const isBare = /^https?:\/\/[^/]+\/?$/i.test(baseUrl);
  return openAIProviders.includes(provider) && isBare
    ? [{ field, text: modelProblems.baseUrlWithoutPath(), isWarning: true }]
    : [];
}

function checkStorage(storage: string, known: LoadedData | undefined): Problem[] {
  if (storage.trim() === "") return [];
  const parts = splitEntry(storage);
  const [source = ""] = parts;
  if (parts.length !== 2 || parts.includes("")) {
    const text = l10n.t("Enter a data source and a table, like vectors.docs.");
    return [{ field: "storage", text }];
  }
  const isKnown = known?.sources?.some((name) => isSameName(name, source)) ?? true;
  return isKnown ? [] : [{ field: "storage", text: sourceNotFound(source) }];
}

/**
 * Servers check none of this. An id column that is content cannot be filled, and one that is metadata has no values there;
 * content may be metadata too.
 */
function checkColumns({
  contentColumns,
  metadataColumns,
  idColumn,
}: KnowledgeBaseDraft): Problem[] {
  const content = splitColumns(contentColumns);
  const metadata = splitColumns(metadataColumns);
  const id = idColumn.trim();
  const reserved = metadata.find(isReservedColumn);
  return [
    ...findRepeated("contentColumns", content),
    ...findRepeated("metadataColumns", metadata),
    ...(reserved === undefined ? [] : [reservedColumn(reserved)]),
    ...([...content, ...metadata].includes(id) ? [repeatedColumn("idColumn", id)] : []),
  ];
}

function findRepeated(field: Field, names: string[]): Problem[] {
  const seen = new Set<string>();
  const repeated = names.find((name) => seen.size === seen.add(name).size);
  return repeated === undefined ? [] : [repeatedColumn(field, repeated)];
}

function repeatedColumn(field: Field, name: string): Problem {
  const text = l10n.t("{0} is already used in another field. Use each column only once.", name);
  return { field, text };
}

function reservedColumn(name: string): Problem {
  const text = l10n.t("{0} is a reserved column of search results. Rename it.", name);
  return { field: "metadataColumns", text };
}

export function sourceNotFound(source: string): string {
  return l10n.t("{0} is not a data source of this server.", source);
}

function missing(field: Field, text: string): Problem {
  return { field, text, isMissing: true };
}
