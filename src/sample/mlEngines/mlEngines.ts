// The ML engines of the sample server. It calls no provider, so it can check no key.
import { findHandler, isInstalled } from "../dataSources/handlers.ts";
import { hasDatabase } from "../server/listings.ts";
import { maskKeys } from "../server/maskKeys.ts";
import type { MlEngine, Relation, State } from "../server/state.ts";
import type { NewMlEngine } from "../sql/statements.ts";
import { SqlError } from "../sql/tokens.ts";

export function findMlEngine({ mlEngines }: State, name: string): MlEngine | undefined {
  return mlEngines.find((engine) => engine.name === name);
}

/** `SHOW ML_ENGINES`. */
export function listMlEngines({ mlEngines }: State): Relation {
  return {
    columns: ["NAME", "HANDLER", "CONNECTION_DATA"],
    rows: mlEngines.map(({ name, handler, parameters }) => [
      name,
      handler,
      JSON.stringify(parameters),
    ]),
  };
}

/** Throws SqlError if the name is taken, or if there is no such handler or it refuses the parameters. */
export function createMlEngine(state: State, { path, handler, using }: NewMlEngine): undefined {
  const name = path.join(".");
  if (findMlEngine(state, name) || hasDatabase(state, name.toLowerCase())) {
    throw new SqlError(`Integration already exists: ${name}`);
  }
  const found = findHandler(handler);
  if (found?.type !== "ml") throw new SqlError(`There is no engine '${handler}'`);
  if (!isInstalled(state, found)) {
    const reason = `No module named '${found.driver ?? ""}'`;
    throw new SqlError(`The '${handler}' handler cannot be used. Reason is:\n    ${reason}\n`);
  }
  if (`${handler}_api_key` in using) {
    throw new SqlError(`[${name}]: APIConnectionError: Connection error.`);
  }
  const parameters = maskKeys(using) as MlEngine["parameters"];
  state.mlEngines = [...state.mlEngines, { name, handler, parameters }];
}

/** Throws SqlError if there is none, or if it is the last of its kind and there are models of this kind. */
export function dropMlEngine(state: State, path: string[]): undefined {
  const name = path.join(".");
  const engine = findMlEngine(state, name);
  if (!engine) throw new SqlError(`Integration does not exists: ${name}`);
  const { handler } = engine;
  const models = state.projects.flatMap(({ models }) =>
    models.filter((model) => model.engine === handler).map(({ row }) => row.name),
  );
  const isLast = !state.mlEngines.some((one) => one !== engine && one.handler === handler);
  if (isLast && models.length > 0) {
    const names = [...new Set(models)].map((model) => `'${model}'`).join(", ");
    throw new SqlError(`Unable to drop ml engine with active models: [${names}]`);
  }
  state.mlEngines = state.mlEngines.filter((one) => one !== engine);
}
