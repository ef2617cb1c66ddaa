// The parameters of an ML engine without its secrets: to show, and as the statement that creates it, to copy.
import type { Handler } from "../mindsdb/handlers.ts";
import { createMlEngineStatement, type StoredMlEngine } from "../mindsdb/mlEngines.ts";
import { isParameterValue } from "../mindsdb/trainingOptions.ts";
import { holdsSecret } from "../shared/typedSecrets.ts";
import { secretParameters } from "./connectionFields.ts";
import type { Statement } from "./createDatabaseStatement.ts";
import { isMask } from "./storedDraft.ts";

/** Secrets, and values that SQL cannot express, are placeholders. Throws AppError "sql" for some names. */
export function copyableEngineStatement(handler: Handler, engine: StoredMlEngine): Statement {
  const placeholders: string[] = [];
  const parameters = listParameters(handler, engine).map(({ name, value, isHidden }) => {
    if (!isHidden && isParameterValue(value)) return [name, value];
    placeholders.push(name);
    return [name, `<${name.replaceAll(/['\\]/g, "")}>`];
  });
  const written = {
    ...engine,
    parameters: Object.fromEntries(parameters) as typeof engine.parameters,
  };
  return { sql: createMlEngineStatement(written), placeholders };
}

interface Parameter {
  name: string;
  value: unknown;
  /** The value, for people. */
  text: string;
  /** It is or may contain a secret. */
  isHidden: boolean;
}

/** The parameters of an engine that have a value. */
export function listParameters(handler: Handler, { parameters }: StoredMlEngine): Parameter[] {
  const isSecretParameter = secretParameters(handler);
  return Object.entries(parameters).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === "") return [];
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const isHidden = isSecretParameter(name) || holdsSecret(text) || isMask(text);
    return [{ name, value, text, isHidden }];
  });
}
