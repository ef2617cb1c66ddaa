// Triggers of the sample server. Nothing changes the rows of its data sources, so none ever runs.
import { findConnectionError, findDataSource, tablesOf } from "../dataSources/dataSources.ts";
import { resolveName, type NameScope } from "../server/lookup.ts";
import { filesSource, type Relation, type State } from "../server/state.ts";
import { checkSyntax } from "../sql/checkSyntax.ts";
import type { NewTrigger } from "../sql/statements.ts";
import { SqlError } from "../sql/tokens.ts";

function findTrigger(scope: NameScope, path: string[]) {
  const { name, owner, project } = resolveName(scope, path);
  if (!project) throw new SqlError(`Project not found: ${owner}`);
  const known = scope.state.triggers.find(
    (trigger) => trigger.name === name && trigger.project === project.name,
  );
  return { name, project: project.name, known };
}

/** Throws SqlError if there is no such trigger. */
export function dropTrigger(scope: NameScope, path: string[]): undefined {
  const { name, known } = findTrigger(scope, path);
  if (!known) throw new SqlError(`Trigger doesn't exist: ${name}`);
  scope.state.triggers = scope.state.triggers.filter((trigger) => trigger !== known);
}

/** Throws SqlError if the trigger is there already or its source cannot have one. */
export function createTrigger(scope: NameScope, statement: NewTrigger): undefined {
  const { state } = scope;
  const { name, project, known } = findTrigger(scope, statement.path);
  if (known) throw new SqlError(`Trigger already exists: ${name}`);
  const [owner = "", ...rest] = statement.table;
  const table = rest.join(".");
  if (table === "") throw new SqlError(`Database or table not found: ${owner}`);
  if (owner.toLowerCase() === filesSource) {
    throw new SqlError("Handler files doest support subscription");
  }
  const source = findDataSource(state, owner);
  if (!source) throw new SqlError(`Database not found: ${owner}`);
  const failure = findConnectionError(state, source);
  if (failure !== undefined) throw new SqlError(failure);
  if (!tablesOf(source).some((one) => one.schema === "public" && one.name === table)) {
    throw new SqlError(`Table ${table} not found in ${source.name}`);
  }
  checkSyntax(statement.query);
  state.triggers.push({
    name,
    project,
    database: source.name,
    table,
    query: statement.query,
    last_error: null,
  });
}

/** `information_schema.triggers`, which does not tell the columns. */
export function listTriggers({ triggers, dataSources }: State): Relation {
  const columns = ["NAME", "PROJECT", "DATABASE", "TABLE", "QUERY", "LAST_ERROR"];
  const names = new Set(dataSources.map(({ name }) => name));
  const rows = triggers.map((trigger) => [
    trigger.name,
    trigger.project,
    names.has(trigger.database) ? trigger.database : "?",
    trigger.table,
    trigger.query,
    trigger.last_error,
  ]);
  return { columns, rows };
}
