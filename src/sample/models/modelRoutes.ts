// Handlers that list, get and describe models, and predict with them.
import { lookUpModel, lookUpProject } from "../server/lookup.ts";
import { json } from "../server/replies.ts";
import type { Reply } from "../server/replies.ts";
import type { Call } from "../server/call.ts";
import type { Row } from "../server/state.ts";

/** `GET …/models`: all versions of all models. */
export function listModels(call: Call): Reply {
  return json(lookUpProject(call).models.map(({ row }) => row));
}

/** `GET …/models/{model}`. */
export function getModel(call: Call): Reply {
  const { model } = lookUpModel(call);
  return json({ ...model.row, engine: model.engine, engine_name: model.engine });
}

/** `POST …/models/{model}/predict`. */
export function predictRows(call: Call): Reply {
  const { model } = lookUpModel(call);
  return json(call.state.predict(model, (call.json() as Row | null)?.["data"]));
}

/** `GET …/models/{model}/describe`. This GET request has a JSON body. */
export function describeModel(call: Call): Reply {
  const { project, model } = lookUpModel(call);
  const attribute = (call.json() as Row | null)?.["attribute"];
  return json(call.state.describe(call.state, project, model, attribute));
}
