// The part of the saved changes that is about models: versions that differ from the seed, with the rows that they were
// trained on, and those of the seed that were deleted.
import * as v from "valibot";
import type { Model, Predictor, Project, Relation } from "../server/state.ts";
import { fitModel } from "./training.ts";

const relation: v.GenericSchema<Relation> = v.object({
  columns: v.array(v.string()),
  rows: v.array(v.array(v.unknown())),
});

export const storedModel = v.object({
  project: v.string(),
  engine: v.string(),
  row: v.looseObject({
    id: v.pipe(v.number(), v.integer(), v.minValue(1)),
    name: v.pipe(v.string(), v.nonEmpty()),
    version: v.pipe(v.number(), v.integer(), v.minValue(1)),
    predict: v.string(),
    status: v.picklist(["generating", "training", "complete", "error"]),
    active: v.boolean(),
    error: v.nullable(v.string()),
    accuracy: v.nullable(v.number()),
    fetch_data_query: v.string(),
    problem_definition: v.record(v.string(), v.unknown()),
  }),
  training: v.optional(
    v.object({
      endsAt: v.number(),
      activates: v.boolean(),
      rows: v.optional(relation),
      failure: v.optional(v.string()),
    }),
  ),
  trainedOn: v.optional(relation),
});
type Stored = v.InferOutput<typeof storedModel>;

export interface ModelChanges {
  models: Stored[];
  deletedModels: number[];
}

/** Predictors by training, so that reading a file again fits nothing twice. */
const fitted = new Map<string, Predictor>();

/** Changes the projects' models. Those in projects that no longer exist are left out. */
export function applyModels(
  projects: readonly Project[],
  { models, deletedModels }: ModelChanges,
): void {
  const ids = new Set([...deletedModels, ...models.map(({ row }) => row.id)]);
  const ofSeed = new Map(projects.flatMap((project) => project.models.map((m) => [m.row.id, m])));
  for (const project of projects) {
    const changed = models.filter((stored) => stored.project === project.name);
    project.models = [
      ...project.models.filter(({ row }) => !ids.has(row.id)),
      ...changed.map((stored) => restoreModel(stored, ofSeed.get(stored.row.id))),
    ].sort((a, b) => a.row.id - b.row.id);
  }
}

function restoreModel({ engine, row, training, trainedOn }: Stored, seed?: Model): Model {
  const predictor = seed ? seed.predictor : trainedOn && fitOnce(row, trainedOn);
  return {
    engine,
    row,
    ...(training ? { training } : {}),
    ...(trainedOn ? { trainedOn } : {}),
    ...(predictor ? { predictor } : {}),
  };
}

function fitOnce({ id, predict, created_at }: Stored["row"], rows: Relation): Predictor {
  const key = JSON.stringify([id, predict, created_at, rows.rows.length]);
  const predictor = fitted.get(key) ?? fitModel(rows, predict);
  fitted.set(key, predictor);
  return predictor;
}

export function computeModelChanges(
  seed: readonly Project[],
  projects: readonly Project[],
): ModelChanges {
  const before = seed.flatMap(({ models }) => models);
  const present = projects.flatMap(({ name, models }) =>
    models.map((model) => ({ project: name, model })),
  );
  const ids = new Set(present.map(({ model }) => model.row.id));
  return {
    models: present
      .filter(({ model }) => !before.includes(model))
      .map(({ project, model: { engine, row, training, trainedOn } }) => {
        return {
          project,
          engine,
          row,
          ...(training ? { training } : {}),
          ...(trainedOn ? { trainedOn } : {}),
        };
      }),
    deletedModels: before.map(({ row }) => row.id).filter((id) => !ids.has(id)),
  };
}
