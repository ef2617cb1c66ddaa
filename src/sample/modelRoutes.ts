// Handlers that list, get and describe models, and predict with them.
import { isExact, modelOf, projectOf } from "./lookup.ts";
import { describe, predict } from "./models.ts";
import { crash, json } from "./replies.ts";
import type { Reply } from "./replies.ts";
import type { Call } from "./call.ts";

/** `GET …/models`: all versions of all models. */
export function listModels(call: Call): Reply {
  const project = projectOf(call, "Project name");
  return json(isExact(call, project) ? project.models.map(({ row }) => row) : []);
}

/** `GET …/models/{model}`. */
export function getModel(call: Call): Reply {
  const { model } = modelOf(call);
  return json({ ...model.row, engine: model.engine, engine_name: model.engine });
}

/** `POST …/models/{model}/predict`. */
export function predictRows(call: Call): Reply {
  const { model } = modelOf(call, "Project with name");
  const body = call.json();
  if (Array.isArray(body)) {
    throw crash("TypeError", "list indices must be integers or slices, not str");
  }
  return json(predict(call.state.dialect, model, (body as Record<string, unknown>)["data"]));
}

/** `GET …/models/{model}/describe`. This GET request has a JSON body. */
export function describeModel(call: Call): Reply {
  const { project, model } = modelOf(call);
  const body = call.json();
  const isObject = typeof body === "object" && body !== null;
  const attribute = isObject ? (body as Record<string, unknown>)["attribute"] : null;
  return json(describe(call.state, project, model, attribute));
}
