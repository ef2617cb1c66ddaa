import type { CallOptions, Client } from "../../mindsdb/http/client.ts";
import { listModels } from "../../mindsdb/models.ts";
import { trainingFailure } from "../../mindsdb/predict.ts";
import {
  readModelColumns,
  type DescribedColumns,
  type DescribeOptions,
  type DescribedServer,
} from "../../models/modelColumns.ts";
import { closestNames } from "../../shared/closestNames.ts";
import { formatModelName, type ModelName } from "../notebook/modelName.ts";
import type { Recipe } from "../notebook/recipe.ts";
import type { KnownColumns } from "../result/columnFinder.ts";
import type { RunOrigin } from "../result/resultMetadata.ts";
import { ModelComparison, nameModel } from "./modelComparison.ts";
import type { ReadRetry } from "./readRetry.ts";
import type { InputColumn } from "./rowChecker.ts";

/** Descriptions of a run's one or two models, loaded before rows are sent. */
export interface DescribedModels {
  /** The columns that rows need; undefined if no model says. */
  inputs: readonly InputColumn[] | undefined;
  targets: (string | undefined)[];
  known: KnownColumns;
  /** Set if there are two models. */
  comparison?: ModelComparison;
  origin: Pick<RunOrigin, "model" | "training" | "comparedWith">;
  /** Models that do not say which columns they take. */
  undescribed: string[];
}

/** Describes the models of a recipe at the same time. With two of them, errors name the one they are about. */
export async function describeModels(
  server: DescribedServer,
  { model, comparedWith }: Pick<Recipe, "model" | "comparedWith">,
  options: DescribeOptions,
): Promise<DescribedModels> {
  const models = comparedWith ? [model, comparedWith] : [model];
  const described = await Promise.all(
    models.map(async (one) => {
      const columns = await readColumns(server, one, options).catch((error: unknown) => {
        throw comparedWith ? nameModel(error, formatModelName(one)) : error;
      });
      return { model: one, ...columns };
    }),
  );
  const comparison = comparedWith && new ModelComparison(described);
  const inputs = mergeInputs(described.map((one) => one.inputs));
  const target = described[0]?.target;
  const [first, second] = described.map(({ model: one, trained }) => ({
    model: one,
    training: trained && { version: trained.version, createdAt: trained.createdAt },
  }));
  return {
    inputs,
    targets: described.map((one) => one.target?.name),
    known: comparison?.known ?? { inputs: inputs?.map(({ name }) => name), target },
    comparison,
    origin: { ...first, comparedWith: second },
    undescribed: described.filter((one) => !one.inputs).map((one) => formatModelName(one.model)),
  };
}

/** As `describeModels`. Outlives a restart of the server, once the server has answered at all. */
export async function describePatiently(
  server: DescribedServer,
  recipe: Pick<Recipe, "model" | "comparedWith">,
  options: CallOptions,
  retry: ReadRetry,
): Promise<DescribedModels> {
  let isThere = false;
  for (;;) {
    try {
      const onFound = (): void => void (isThere = true);
      const described = await describeModels(server, recipe, { ...options, onFound });
      retry.succeeded();
      return described;
    } catch (error) {
      if (!isThere || !(await retry.waitAfter(error))) throw error;
    }
  }
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
  options: DescribeOptions,
): Promise<DescribedColumns> {
  const columns = await readModelColumns(server, model, options);
  if (columns.trained?.status === "error") throw trainingFailure(columns.trained);
  return columns;
}

/** The columns that any of the models takes, as far as they are known; the first model's type of each. */
export function mergeInputs(
  lists: (readonly InputColumn[] | undefined)[],
): InputColumn[] | undefined {
  const known = lists.filter((inputs) => inputs !== undefined);
  if (known.length === 0) return undefined;
  const all = known.flat();
  const seen = new Set<string>();
  return all.filter(({ name }) => seen.size < seen.add(name).size);
}
