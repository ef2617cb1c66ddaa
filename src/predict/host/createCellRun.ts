import path from "node:path";
import * as vscode from "vscode";
import { readOnlyError } from "../../mindsdb/http/client.ts";
import { CostConsent } from "../../mindsdb/http/costConsent.ts";
import type { RowSource } from "../../mindsdb/rowPages.ts";
import { explainError } from "../../shared/host/errorMessages.ts";
import { readUtf8Chunks } from "../../shared/host/readUtf8Chunks.ts";
import {
  predictBatchRows,
  predictConcurrency,
  predictTimeLimitMs,
  sqlTimeLimitMs,
} from "../../shared/host/settings.ts";
import { formatModelName } from "../notebook/modelName.ts";
import { parseRecipe } from "../notebook/recipe.ts";
import { describeProblems } from "../notebook/recipeProblems.ts";
import { DiskTable } from "../result/diskTable.ts";
import { CellRun, type CellRunOptions, type RecipeRunOptions } from "../run/cellRun.ts";
import { IntoTableRun, type IntoTableRunOptions } from "../run/intoTableRun.ts";
import { PredictionRun, type PredictionRunOptions, type SourceFile } from "../run/predictionRun.ts";
import { StatementRun } from "../run/statementRun.ts";
import { defaultProjectOf } from "./defaultProjects.ts";
import { findRowsFile, type AllowFile } from "./findRowsFile.ts";
import type { PredictOptions } from "./predictOptions.ts";
import { createRunTexts } from "../run/runTexts.ts";

/** A cell's language and text when it was run: the user may edit the cell meanwhile. */
export interface CellSource {
  notebook: vscode.Uri;
  isSql: boolean;
  text: string;
  /** The project or data source of a statement's names without one. */
  database: string | undefined;
  /** True to send rows that lack columns. */
  sendIncomplete: boolean;
  /** True for a statement that a read-only connection does not send. */
  isRefused: boolean;
  /** Whether other cells run after it. */
  isFollowed: boolean;
}

interface CreateRunOptions
  extends
    Pick<PredictOptions, "servers" | "descriptions" | "log">,
    Pick<PredictionRunOptions, "offerModel">,
    Pick<IntoTableRunOptions, "allowTable"> {
  connectionId: string;
  /** The thread that sorts, searches and exports results. */
  worker: URL;
  allowFile: AllowFile;
  /** Whether options may go to the engines of these models. */
  allowParams: (options: { models: string; params: string }) => Promise<boolean>;
  /** Whether the rows of a recipe may be read although that may cost money. */
  allowRows: (source: RowSource) => Promise<boolean>;
  createFolder: (runId: string) => Promise<string>;
  onProgress: () => void;
}

/** The run of a cell, and a function that executes it to its end. */
export function createCellRun(
  { notebook, isSql, text, database, sendIncomplete, isRefused, isFollowed }: CellSource,
  options: CreateRunOptions,
): { run: CellRun; execute: () => Promise<void> } {
  const { servers, descriptions, connectionId, worker, allowFile, createFolder } = options;
  if (isSql || isRefused) {
    const defaultProject = { name: database };
    const source = { text, isRefused, isFollowed, defaultProject, kind: "notebook" } as const;
    const { run, execute } = createStatementRun(source, options);
    return {
      run,
      execute: async () => {
        await execute();
        if (defaultProject.name === database) return;
        defaultProjectOf(notebook, connectionId).name = defaultProject.name;
      },
    };
  }
  const common = createRunOptions(options);
  const { recipe, problems } = parseRecipe(text);
  if (!recipe) {
    const run = new CellRun(common);
    return { run, execute: () => run.fail(describeProblems(text, problems)) };
  }
  const { rows, into } = recipe;
  const ofRecipe: RecipeRunOptions = {
    ...common,
    cost: new CostConsent(async () => "source" in rows && options.allowRows(rows.source)),
    described: { connectionId, descriptions },
    timeLimitMs: predictTimeLimitMs(),
    sqlTimeLimitMs: sqlTimeLimitMs(),
  };
  const isReadOnly = servers.find(connectionId)?.protection === "readOnly";
  if (into && "source" in rows) {
    const run = new IntoTableRun({ ...ofRecipe, allowTable: options.allowTable });
    if (isReadOnly) return { run, execute: () => run.refuse(readOnlyError()) };
    return { run, execute: () => run.predictInto({ ...recipe, rows, into }, sendIncomplete) };
  }
  const run = new PredictionRun({
    ...ofRecipe,
    openFile: (name) => openFile(notebook, name, allowFile),
    batchRows: predictBatchRows(),
    concurrency: predictConcurrency(),
    createFolder,
    offerModel: options.offerModel,
    createTable: (folder, known) => DiskTable.create({ folder, worker, known }),
  });
  const { params } = recipe;
  if (params === undefined) return { run, execute: () => run.predict(recipe, sendIncomplete) };
  if (isReadOnly) return { run, execute: () => run.refuse(readOnlyError()) };
  const models = [recipe.model, ...(recipe.comparedWith ? [recipe.comparedWith] : [])];
  const asked = { models: models.map(formatModelName).join(", "), params };
  return {
    run,
    execute: async () => {
      if (await options.allowParams(asked)) return run.predict(recipe, sendIncomplete);
      return run.refuse(new DOMException("The options are not to be sent.", "AbortError"));
    },
  };
}

interface SourceStatement extends Pick<CellSource, "text" | "isRefused" | "isFollowed"> {
  kind: "notebook" | "file";
  defaultProject: { name: string | undefined };
}

type RunOptions = Pick<CreateRunOptions, "servers" | "log" | "connectionId" | "onProgress">;
type StatementOptions = RunOptions & Pick<CreateRunOptions, "worker" | "createFolder">;

/** The run of a statement that may run, or that a read-only connection does not send. */
export function createStatementRun(
  { text, isRefused, isFollowed, defaultProject, kind }: SourceStatement,
  options: StatementOptions,
): { run: CellRun; execute: () => Promise<void> } {
  const common = createRunOptions(options);
  if (isRefused) {
    const run = new CellRun(common);
    return { run, execute: () => run.refuse(readOnlyError()) };
  }
  const { worker, createFolder } = options;
  const run = new StatementRun({
    ...common,
    defaultProject,
    isFollowed,
    kind,
    createTable: async (runId, columns) =>
      DiskTable.create({ folder: await createFolder(runId), worker, columns }),
  });
  return { run, execute: () => run.runStatement(text, sqlTimeLimitMs()) };
}

function createRunOptions({ servers, log, connectionId, onProgress }: RunOptions): CellRunOptions {
  return {
    client: () => servers.client(connectionId),
    explain: (error) =>
      explainError(error, { connectionId, address: servers.find(connectionId)?.address }),
    logError: (what, error) => log.error(what, error),
    texts: createRunTexts(vscode.env.language),
    onProgress,
  };
}

async function openFile(
  notebook: vscode.Uri,
  name: string,
  allowFile: AllowFile,
): Promise<SourceFile> {
  const { uri, bytes, modified } = await findRowsFile(notebook, name, allowFile);
  return {
    address: uri.toString(),
    name: path.posix.basename(uri.path),
    bytes,
    modified,
    read: (signal) => readUtf8Chunks(uri, signal),
  };
}
