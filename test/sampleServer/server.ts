// The sample server for tests: with logins, in the dialects of two MindsDB versions, and with their exact errors.
import type { Extension } from "../../src/sample/server/call.ts";
import { createVersion } from "../../src/sample/models/training.ts";
import { routes as ownRoutes } from "../../src/sample/server/routes.ts";
import { startSampleServer } from "../../src/sample/server/server.ts";
import type { SampleServer, SampleServerOptions } from "../../src/sample/server/server.ts";
import type { State } from "../../src/sample/server/state.ts";
import { Auth, type Login } from "./auth.ts";
import { checkRoute, formatErrors, readJson } from "./exactReplies.ts";
import { describeExactly, predict25, predict26 } from "./exactModels.ts";
import { pythonJson } from "./pythonFormats.ts";
import { createRoutes, useChroma } from "./routes.ts";
import type { Dialect } from "./routes.ts";

/** Options of a sample server for tests. */
export interface TestServerOptions extends SampleServerOptions {
  extension?: never;
  /** If missing, users do not have to sign in. */
  login?: Login;
  /** The token that every login returns. It is also valid before a login. */
  token?: string;
  /** The server generation to imitate. Default: "26". */
  dialect?: Dialect;
  /** Whether the server has a model for agents without one. Default: true. */
  defaultModel?: boolean;
  /**
   * Accept any host name and requests from any web page, and return agents' keys unmasked, as real servers do. For tests
   * with proxies and keys. Default: false.
   */
  unguarded?: boolean;
}

/** Starts a sample server for tests. Rejects if the port is in use. */
export function startTestServer(options: TestServerOptions = {}): Promise<SampleServer> {
  const { login, token, dialect = "26", defaultModel, unguarded = false, ...rest } = options;
  const auth = new Auth(login, token);
  const routes = createRoutes(dialect, auth);
  const extension: Extension = {
    prepare(state) {
      if (defaultModel === false) state.defaultModel = undefined;
      addUnfinishedModels(state);
      state.unguarded = unguarded;
      state.describe = (...given) => describeExactly(dialect, ...given);
      state.predict = dialect === "26" ? predict26 : predict25;
      if (dialect === "25") imitate25(state);
    },
    routes,
    formatEvent: pythonJson,
    // Like a real server, it checks credentials before it looks for a route.
    handle: ({ method, ...rest }, next) =>
      formatErrors(() => {
        const request = { ...rest, method: method === "HEAD" ? "GET" : method };
        auth.check(request.message, request.path);
        const answer = checkRoute([...routes, ...ownRoutes], request);
        return answer ?? next({ ...request, json: () => readJson(request) });
      }),
  };
  return startSampleServer({ ...rest, extension });
}

/** Adds a model that failed and one whose training never ends. */
function addUnfinishedModels(state: State): void {
  const [project] = state.projects;
  const columns = state.tables[0]?.columns.join("', '") ?? "";
  const wanted = { version: 1, select: "SELECT * FROM home_rentals" };
  const failed = createVersion({ ...wanted, id: 4, name: "season_model", target: "season" });
  const target = "days_on_market";
  const running = createVersion({ ...wanted, id: 5, name: "days_on_market_model", target });
  const error = `Exception: Prediction target "season" not found in training dataframe: ['${columns}'], raised at: /opt/sample/lib/python3.11/site-packages/mindsdb/integrations/libs/ml_handler_process/learn_process.py#112`;
  Object.assign(failed.row, { status: "error", error, training_time: 0 });
  running.row.status = "training";
  project?.models.push(failed, running);
}

/** Changes the initial state to that of a 25.x server. */
function imitate25(state: State): void {
  state.version = "25.14.1";
  state.searchColumns = "*";
  for (const { knowledgeBases, models } of state.projects) {
    for (const { row } of knowledgeBases) useChroma(row);
    for (const model of models) {
      const { row, predictor } = model;
      model.engine = "lightwood";
      row.problem_definition = { __mdb_sql_task: null, target: row.predict };
      row["mindsdb_version"] = state.version;
      row.accuracy = Object.values(predictor?.accuracies ?? {})[0] ?? null;
    }
  }
}
