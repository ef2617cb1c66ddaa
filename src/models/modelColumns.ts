// Reads a model's input and output columns, once for each training.
import type { CallOptions, Client } from "../mindsdb/http/client.ts";
import { describeModel, type AskModel, type DescribedModel } from "../mindsdb/describeModel.ts";
import { findVersion } from "../mindsdb/models.ts";
import type { ModelVersion } from "../mindsdb/listItems.ts";
import { modelColumns, type ModelColumns } from "../mindsdb/predict.ts";
import type { DescriptionCache } from "./descriptionCache.ts";

/** A server and the cache of its descriptions. */
export interface DescribedServer {
  client: Client;
  connectionId: string;
  descriptions: DescriptionCache;
}

/** A model's columns, and the version that they are from; undefined if the server does not return it. */
export interface DescribedColumns extends ModelColumns {
  trained?: ModelVersion;
}

export interface DescribeOptions extends CallOptions {
  /** Called when the server has answered whether there is such a model, before it is described. */
  onFound?: () => void;
}

/**
 * Sends one quick request, and those of `modelColumns` if the description is not cached. A version whose training failed is
 * not asked: it has no columns.
 */
export async function readModelColumns(
  { client, connectionId, descriptions }: DescribedServer,
  model: DescribedModel,
  { onFound, ...options }: DescribeOptions = {},
): Promise<DescribedColumns> {
  const version = await findVersion(client, model, options);
  onFound?.();
  const described = version ? { ...model, version: version.version } : model;
  const ask: AskModel = (attribute) => describeModel(client, described, attribute, options);
  if (!version) return modelColumns(ask);
  if (version.status === "error") return { trained: version };
  const { project, name } = model;
  const remembering = descriptions.cached({ connectionId, project, name }, version, ask);
  return { ...(await modelColumns(remembering)), trained: version };
}
