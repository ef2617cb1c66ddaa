// Which columns a model takes and gives, asked of the server once for each training.
import type { CallOptions, Client } from "../mindsdb/http/client.ts";
import { describeModel, type AskModel, type DescribedModel } from "../mindsdb/describeModel.ts";
import { findVersion } from "../mindsdb/models.ts";
import type { ModelVersion } from "../mindsdb/listItems.ts";
import { modelColumns, type ModelColumns } from "../mindsdb/predict.ts";
import type { DescriptionCache } from "./descriptionCache.ts";

/** Where a model is, and what is known of those there. */
export interface DescribedServer {
  client: Client;
  connectionId: string;
  descriptions: DescriptionCache;
}

/** What a model takes and gives, and which version of it said so; undefined where the server does not say. */
export interface DescribedColumns extends ModelColumns {
  trained?: ModelVersion;
}

/** One quick request, and those of `modelColumns` if the version's description is not known yet. */
export async function readModelColumns(
  { client, connectionId, descriptions }: DescribedServer,
  model: DescribedModel,
  options: CallOptions = {},
): Promise<DescribedColumns> {
  const version = await findVersion(client, model, options);
  const meant = version ? { ...model, version: version.version } : model;
  const ask: AskModel = (attribute) => describeModel(client, meant, attribute, options);
  if (!version) return modelColumns(ask);
  const { project, name } = model;
  const remembering = descriptions.remembering({ connectionId, project, name }, version, ask);
  return { ...(await modelColumns(remembering)), trained: version };
}
