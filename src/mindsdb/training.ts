// Statements that train models: create, retrain, finetune. Seen on 26.1.0 and 25.14.1.
import * as l10n from "@vscode/l10n";
import { readNumber, readText } from "./decode.ts";
import { isAppError, AppError } from "./errors.ts";
import type { CallOptions, Client } from "./http/client.ts";
import { isObject } from "./json.ts";
import { pathOfModel } from "./modelPaths.ts";
import type { MlEngine } from "./listItems.ts";
import { listMlEngines } from "./mlEngines.ts";
import { listModels } from "./models.ts";
import type { ItemPlace } from "./references.ts";
import { quoteName, runSql } from "./sql/runSql.ts";
import { singleSelect } from "./sql/singleSelect.ts";
import { isOptionName, optionLiteral, type TrainingOption } from "./trainingOptions.ts";

interface TrainingOptions {
  /** By name; names may have dots. */
  options?: ReadonlyMap<string, TrainingOption>;
}

/** Training data and options of a new model. */
export interface NewModel extends ItemPlace, TrainingOptions {
  /** A SELECT in which tables are named with their data sources. */
  select: string;
  target: string;
  engine: string;
}

/** Training data and options of a new version. Absent values are those of the active version. */
export interface NewVersion extends ItemPlace, TrainingOptions {
  select?: string | undefined;
  target?: string | undefined;
  /** False: the new version is not used when it is trained. */
  activates?: boolean;
}

/** Training data and options for finetuning an existing version. */
export interface MoreTraining extends ItemPlace, TrainingOptions {
  /** Absent: the active one. */
  version?: number | undefined;
  select: string;
}

/** Servers answer only when a worker process takes the training: up to 25 s later. */
const startMs = 180_000;

/**
 * The engines of a server: those that somebody has set up, then those that the server sets up itself when a model names
 * them. Two requests, of which the second takes some seconds on a server that was just started.
 */
export async function listEngines(client: Client, signal?: AbortSignal): Promise<MlEngine[]> {
  const engines = await listMlEngines(client, { signal });
  const known = new Set(engines.map(({ name }) => name));
  const handlers = await runSql(
    client,
    "SELECT NAME FROM information_schema.handlers WHERE TYPE = :type AND IMPORT_SUCCESS = true",
    { params: { type: "ml" }, signal },
  ).catch((error: unknown) => {
    if (isAppError(error, "sql")) return { columns: [], rows: [] };
    throw error;
  });
  const names = handlers.rows.flatMap(([name]) => readText(name) ?? []);
  const others = names.filter((name) => name !== "" && !known.has(name));
  return [...engines, ...others.map((name) => ({ name, handler: name }))];
}

export function createModelStatement(model: NewModel): string {
  const { project, select, target, engine } = model;
  const options = new Map<string, TrainingOption>([["engine", engine], ...(model.options ?? [])]);
  return [
    `CREATE MODEL ${modelPath(model)}`,
    `FROM ${quoteName(project)} (${readySelect(select)})`,
    `PREDICT ${quoteName(target)}`,
    usingClause(options),
  ].join("\n");
}

export function retrainStatement(model: NewVersion): string {
  const { project, select, target, activates = true } = model;
  const options = new Map(model.options ?? []);
  // The only value that keeps the active version; without it the new one takes over.
  if (!activates) options.set("active", 0);
  return [
    `RETRAIN ${modelPath(model)}`,
    ...(select === undefined ? [] : [`FROM ${quoteName(project)} (${readySelect(select)})`]),
    ...(target === undefined ? [] : [`PREDICT ${quoteName(target)}`]),
    ...(options.size === 0 ? [] : [usingClause(options)]),
  ].join("\n");
}

export function finetuneStatement(model: MoreTraining): string {
  const { project, select, version, options = new Map<string, TrainingOption>() } = model;
  return [
    `FINETUNE ${modelPath(model, version)}`,
    `FROM ${quoteName(project)} (${readySelect(select)})`,
    ...(options.size === 0 ? [] : [usingClause(options)]),
  ].join("\n");
}

/** Starts a training with one of the statements above. Returns the new version. Throws AppError "sql". */
export async function sendTraining(
  client: Client,
  statement: string,
  options: CallOptions = {},
): Promise<number> {
  const { columns, rows } = await runSql(client, statement, {
    timeoutMs: startMs,
    ...options,
    cost: "byAction",
  });
  const version = rows[0]?.[columns.findIndex((name) => name.toUpperCase() === "VERSION")];
  return typeof version === "number" ? version : 1;
}

/**
 * The options that the active version was trained with, besides its engine. Those that hold secrets are left out and
 * make `hasHidden` true. One request.
 */
export async function readTrainingOptions(
  client: Client,
  { project, name }: ItemPlace,
): Promise<{ options: Map<string, TrainingOption>; hasHidden: boolean }> {
  const answer = await client.get(pathOfModel({ project, name }));
  const definition = isObject(answer) ? answer["problem_definition"] : undefined;
  client.secrets.learn(definition);
  const using = isObject(definition) ? definition["using"] : undefined;
  const found = new Map<string, TrainingOption>();
  let hasHidden = false;
  for (const [option, value] of Object.entries(isObject(using) ? using : {})) {
    const isSecret = JSON.stringify(client.secrets.redactWholeValue({ [option]: value }));
    if (isSecret !== JSON.stringify({ [option]: value })) hasHidden = true;
    else if (value !== null && value !== undefined) found.set(option, value as TrainingOption);
  }
  return { options: found, hasHidden };
}

/** How far a training is. Only lightwood tells its stages (seen on 25.14.1). */
export interface TrainingProgress {
  version: number;
  seconds: number;
  stage?: { number: number; of: number; name: string };
}

/** The trainings of a model that are under way. One request. */
export async function readTrainingProgress(
  client: Client,
  { project, name }: ItemPlace,
  signal?: AbortSignal,
): Promise<TrainingProgress[]> {
  const { rows } = await runSql(
    client,
    "SELECT VERSION, TRAINING_TIME, CURRENT_TRAINING_PHASE, TOTAL_TRAINING_PHASES, " +
      `TRAINING_PHASE_NAME FROM ${quoteName(project)}.models ` +
      "WHERE NAME = :name AND (STATUS = :first OR STATUS = :second)",
    { params: { name, first: "generating", second: "training" }, cost: "free", signal },
  );
  return rows.flatMap(([version, seconds, number, of, stage]): TrainingProgress[] => {
    if (typeof version !== "number") return [];
    const hasStage = typeof number === "number" && typeof of === "number";
    return [
      {
        version,
        seconds: Math.floor(readNumber(seconds) ?? 0),
        stage: hasStage ? { number, of, name: readText(stage) ?? "" } : undefined,
      },
    ];
  });
}

/**
 * Makes requests without a version use this one. Not checked by the server: the version must be complete. Throws AppError
 * "serverFault" if the server says ok and uses another one, as it does for statements much like this.
 */
export async function activateVersion(
  client: Client,
  model: ItemPlace & { version: number },
): Promise<void> {
  const { project, name, version } = model;
  // `SET model_version` and `SET active = 1` are answered with "ok" and do nothing.
  await runSql(client, `SET ACTIVE ${modelPath(model, version)}`);
  const found = (await listModels(client, project)).find((one) => one.name === name);
  if (found?.versions.find(({ active }) => active)?.version === version) return;
  throw new AppError(
    "serverFault",
    l10n.t("The server did not switch {0} to version {1}.", name, version),
  );
}

/**
 * Deletes one version. Throws AppError "sql" for the active one. By SQL, because the HTTP endpoint deletes the whole model
 * if the version is the active one.
 */
export async function deleteVersion(
  client: Client,
  model: ItemPlace & { version: number },
): Promise<void> {
  await runSql(client, `DROP MODEL ${modelPath(model, model.version)}`);
}

/** Deletes a model with all its versions. A training under way goes on in the server's worker process. */
export async function deleteModel(client: Client, model: ItemPlace): Promise<void> {
  await runSql(client, `DROP MODEL ${modelPath(model)}`);
}

/** The name of a model, or of one of its versions. */
function modelPath({ project, name }: ItemPlace, version?: number): string {
  // `p.5` is version 5 of a model called p, however it is quoted.
  if (/^\d+$/.test(name)) {
    throw new AppError(
      "sql",
      l10n.t("SQL can't reference the model {0} because it reads a number as a version.", name),
    );
  }
  const parts = [project, name, ...(version === undefined ? [] : [String(version)])];
  return parts.map(quoteName).join(".");
}

function readySelect(select: string): string {
  const single = singleSelect(select);
  if (single === undefined) {
    throw new AppError("sql", l10n.t("Enter exactly one SELECT statement."));
  }
  return single;
}

function usingClause(options: ReadonlyMap<string, TrainingOption>): string {
  const lines = [...options].map(([name, value]) => {
    const literal = optionLiteral(value);
    if (!isOptionName(name) || literal === undefined) {
      throw new AppError("sql", l10n.t("SQL can't express the option {0}.", name));
    }
    return `${name} = ${literal}`;
  });
  return `USING ${lines.join(",\n  ")}`;
}
