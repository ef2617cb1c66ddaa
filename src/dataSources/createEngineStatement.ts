// The statement that creates an ML engine, to copy.
import type { Handler } from "../mindsdb/handlers.ts";
import { createMlEngineStatement, type StoredMlEngine } from "../mindsdb/mlEngines.ts";
import { isParameterValue } from "../mindsdb/trainingOptions.ts";
import { holdsSecret } from "../shared/typedSecrets.ts";
import { secretParameters } from "./connectionFields.ts";
import type { Statement } from "./createDatabaseStatement.ts";
import { isMask } from "./storedDraft.ts";

/** Secrets, and values that SQL cannot express, are placeholders. Throws AppError "sql" for some names. */
export function copyableEngineStatement(handler: Handler, engine: StoredMlEngine): Statement {
  const isSecretParameter = secretParameters(handler);
  const placeholders: string[] = [];
  const parameters = Object.entries(engine.parameters).flatMap(([name, value]) => {
    if (value === null || value === "") return [];
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const isHidden = isSecretParameter(name) || holdsSecret(text) || isMask(text);
    if (!isHidden && isParameterValue(value)) return [[name, value]];
    placeholders.push(name);
    return [[name, `<${name.replaceAll(/['\\]/g, "")}>`]];
  });
  const written = {
    ...engine,
    parameters: Object.fromEntries(parameters) as typeof engine.parameters,
  };
  return { sql: createMlEngineStatement(written), placeholders };
}
