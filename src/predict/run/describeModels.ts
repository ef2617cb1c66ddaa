import type { CallOptions, Client } from "../../mindsdb/http/client.ts";
import { listModels } from "../../mindsdb/models.ts";
import { trainingFailure } from "../../mindsdb/predict.ts";
import {
  readModelColumns,
  type DescribedColumns,
  type DescribedServer,
} from "../../models/modelColumns.ts";
import { closestNames } from "../../shared/closestNames.ts";
import { formatModelName, type ModelName } from "../notebook/modelName.ts";
import type { Recipe } from "../notebook/recipe.ts";
import type { KnownColumns } from "../result/columnFinder.ts";
import type { ResultOrigin } from "../result/resultMetadata.ts";
import { ModelComparison, nameModel } from "./modelComparison.ts";
import type { InputColumn } from "./rowChecker.ts";

/** What a run knows of its one or two models before it sends rows. */
export interface DescribedModels {
  /** The columns that rows need; undefined if no model says. */
  inputs: readonly InputColumn[] | undefined;
  targets: (string | undefined)[];
  known: KnownColumns;
  /** Set if there are two models. */
  comparison?: ModelComparison;
  origin: Pick<ResultOrigin, "model" | "training" | "comparedWith">;
  /** Models that do not say which columns they take. */
  undescribed: string[];
}

/** Describes the models of a recipe at the same time. With two of them, errors name the one they are about. */
export async function describeModels(
  server: DescribedServer,
  { model, comparedWith }: Pick<Recipe, "model" | "comparedWith">,
  options: CallOptions,
): Promise<DescribedModels> {
  if (!comparedWith) {
    const columns = await readColumns(server, model, options);
    const { inputs, target } = columns;
    return {
      inputs,
      targets: [target?.name],
      known: { inputs: inputs?.map(({ name }) => name) ?? [], target },
      origin: { model, ...trainingOf(columns) },
      undescribed: inputs ? [] : [formatModelName(model)],
    };
  }
  const models = [model, comparedWith];
  const [first, second] = await Promise.all([
    describe(server, model, options),
    describe(server, comparedWith, options),
  ]);
  const comparison = new ModelComparison([
    { model, target: first.target },
    { model: comparedWith, target: second.target },
  ]);
  return {
    inputs: mergeInputs(first.inputs, second.inputs),
    targets: [first.target?.name, second.target?.name],
    known: comparison.known,
    comparison,
    origin: {
      model,
      ...trainingOf(first),
      comparedWith: { model: comparedWith, ...trainingOf(second) },
    },
    undescribed: models
      .filter((_, at) => [first, second][at]?.inputs === undefined)
      .map(formatModelName),
  };
}

/** The model of the same project whose name is the most similar to one that does not exist. */
export async function findClosestModel(
  client: Client,
  { project, name }: ModelName,
  options: CallOptions,
): Promise<string | undefined> {
  const models = await listModels(client, project, options).catch(() => []);
  const [closest] = closestNames(name, models, (model) => model.name, 1);
  return closest && formatModelName({ project, name: closest.name });
}

/** Throws AppError "refused" for a model whose training failed. */
async function readColumns(
  server: DescribedServer,
  model: ModelName,
  options: CallOptions,
): Promise<DescribedColumns> {
  const columns = await readModelColumns(server, model, options);
  if (columns.trained?.status === "error") throw trainingFailure(columns.trained);
  return columns;
}

async function describe(
  server: DescribedServer,
  model: ModelName,
  options: CallOptions,
): Promise<DescribedColumns> {
  try {
    return await readColumns(server, model, options);
  } catch (error) {
    throw nameModel(error, formatModelName(model));
  }
}

function trainingOf({ trained }: DescribedColumns): Pick<ResultOrigin, "training"> {
  return trained ? { training: { version: trained.version, createdAt: trained.createdAt } } : {};
}

/** The columns that either of two models takes, as far as they are known. */
function mergeInputs(
  one: readonly InputColumn[] | undefined,
  other: readonly InputColumn[] | undefined,
): readonly InputColumn[] | undefined {
  if (!one || !other) return one ?? other;
  return [...one, ...other.filter(({ name }) => !one.some((input) => input.name === name))];
}
