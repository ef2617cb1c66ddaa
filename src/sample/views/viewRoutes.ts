// Handlers of views. A view's text is kept as it was sent, and only a new view's query is run once, as on real servers.
import { json, crash, problem, type Reply } from "../server/replies.ts";
import { lookUpProject } from "../server/lookup.ts";
import { readFields } from "../server/fields.ts";
import type { Call } from "../server/call.ts";
import { createId, type View } from "../server/state.ts";
import { listEntries } from "../server/listings.ts";
import { runSql } from "../sql/database.ts";
import { parse } from "../sql/parser.ts";
import { SqlError } from "../sql/tokens.ts";

/** `GET …/views`. */
export function listViews(call: Call): Reply {
  const { name } = lookUpProject(call);
  return json(call.state.views.filter(({ project }) => project === name).map(describeView));
}

/** `GET …/views/{view}`. The name is case-insensitive. */
export function getView(call: Call): Reply {
  return json(describeView(lookUpView(call)));
}

/** `POST …/views`. */
export function createView(call: Call): Reply {
  const { name, query } = readFields(call, "view");
  if (typeof name !== "string" || name === "" || typeof query !== "string") {
    throw problem(400, "Wrong argument", "Missing field in request body");
  }
  const project = lookUpProject(call);
  const { state } = call;
  const isTaken = [...listEntries(project), ...viewsIn(call, project.name)].some(
    (one) => one.name.toLowerCase() === name.toLowerCase(),
  );
  if (isTaken) throw problem(409, "Name conflict", `View with name ${name} already exists`);
  try {
    // Other statements than SELECT are stored without being run.
    if (parse(query).kind === "select") runSql({ state, database: project.name }, query);
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    throw crash("QueryError", error.message);
  }
  const view = {
    id: createId(state.views.map(({ id }) => id)),
    project: project.name,
    name,
    query,
  };
  state.views = [...state.views, view];
  return json(describeView(view), 201);
}

/** `PUT …/views/{view}`. */
export function updateView(call: Call): Reply {
  const { query } = readFields(call, "view");
  const view = lookUpView(call);
  const changed = { ...view, query: String(query) };
  call.state.views = call.state.views.map((one) => (one === view ? changed : one));
  return json(describeView(changed));
}

/** `DELETE …/views/{view}`. */
export function deleteView(call: Call): Reply {
  const view = lookUpView(call);
  call.state.views = call.state.views.filter((one) => one !== view);
  return { status: 204, type: "application/json", body: "" };
}

function viewsIn({ state }: Call, project: string): View[] {
  return state.views.filter((view) => view.project === project);
}

function lookUpView(call: Call): View {
  const { name: project } = lookUpProject(call);
  const name = call.params["view"] ?? "";
  const view = viewsIn(call, project).find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (view) return view;
  throw problem(404, "View not found", `View with name ${name} does not exist`);
}

function describeView({ id, name, query }: View): object {
  return { id, name, query };
}
