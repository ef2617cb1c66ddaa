// Describes one version of a model, for what needs it apart from the model's page.
import { describeFirst, describeModel } from "../mindsdb/describeModel.ts";
import { isAppError } from "../mindsdb/errors.ts";
import type { Client } from "../mindsdb/http/client.ts";
import type { Model, ModelVersion } from "../mindsdb/listItems.ts";
import { isTraining } from "../mindsdb/modelStatus.ts";
import type { ItemRef } from "../mindsdb/references.ts";
import type { DescriptionCache } from "./descriptionCache.ts";
import type { ModelDescription } from "./modelPage.ts";
import { buildDescription, type ServerAnswers } from "./modelDescription.ts";

/** A version of a model that a connection's server lists. */
interface ListedVersion {
  ref: ItemRef;
  model: Model;
  version: ModelVersion;
}

/** The description of a version; what the engine does not tell is missing in it. Throws AppError without a server. */
export async function describeVersion(
  client: Client,
  descriptions: DescriptionCache,
  { ref, model, version }: ListedVersion,
): Promise<ModelDescription> {
  const answers: ServerAnswers = {};
  if (isTraining(version) || version.status === "error") return buildDescription(model, version);
  const ask = descriptions.cached(ref, version, (attribute) =>
    describeModel(client, { ...ref, version: version.version }, attribute),
  );
  try {
    const { attributes, ...first } = await describeFirst(ask);
    Object.assign(answers, first);
    if (attributes.includes("features")) answers.features = await ask("features");
  } catch (error) {
    if (isAppError(error, "unreachable", "signInNeeded", "notFound")) throw error;
    if (error instanceof Error) answers.failure = error.message;
  }
  return buildDescription(model, version, answers);
}
