// The commands of predict notebooks. What they do is imported with the first use.
import type * as vscode from "vscode";
import type { EmptyList } from "../../explorer/sqlTemplates.ts";
import { commands } from "../../ids.ts";
import type { ModelRef, TableRef } from "../../mindsdb/references.ts";
import { registerCommands, type TableOf } from "../../shared/host/commands.ts";
import type { CellAction } from "./cellCommands.ts";
import type { CellController } from "./cellController.ts";
import type { PredictOptions } from "./predictOptions.ts";
import type { WhatIfPages } from "./whatIfPages.ts";

declare module "../../shared/host/commands.ts" {
  interface CommandTable extends TableOf<ReturnType<typeof registerPredictCommands>> {}
}

interface PredictParts {
  loadController: () => Promise<CellController>;
  loadWhatIf: () => Promise<WhatIfPages>;
  /** The connection of a notebook, if it has one. */
  connectionOf: (notebook: vscode.NotebookDocument) => string | undefined;
  /** Shows a new notebook with the connection of its model. */
  show: (notebook: vscode.NotebookDocument, connectionId: string) => Promise<void>;
}

/** Registers the commands until the result is disposed. */
export function registerPredictCommands(
  options: PredictOptions,
  { loadController, loadWhatIf, connectionOf, show }: PredictParts,
) {
  const { pickModel } = options;
  const create = () => import("./newNotebook.ts");
  const addSql = () => import("./addSqlCell.ts");
  const onCell = (action: CellAction) => async (cell?: vscode.NotebookCell, model?: string) =>
    (await import("./cellCommands.ts")).runCellCommand(action, cell, model, {
      pickModel: (title, { notebook }) => pickModel(title, connectionOf(notebook)),
      compareRuns: async (cell) => (await loadController()).compareRuns(cell),
    });
  return registerCommands({
    [commands.predictNew]: async () => (await create()).newNotebook(options, show),
    [commands.predictNewSql]: async () => (await addSql()).newSqlNotebook(),
    [commands.predictAddSqlCell]: async () => (await addSql()).addSqlCell(),
    [commands.predictFromFile]: async (rows?: vscode.Uri | TableRef) =>
      (await create()).fromRows(rows, pickModel, show),
    [commands.explorerShowStatement]: async (list: EmptyList) =>
      (await create()).fromSqlTemplate(list, show),
    [commands.modelPredict]: async (given?: ModelRef) =>
      (await create()).fromModel(given, options, show),
    [commands.predictWhatIf]: async (given?: ModelRef) => (await loadWhatIf()).openModel(given),
    [commands.predictCompareRuns]: onCell("compareRuns"),
    [commands.predictChangeModel]: onCell("changeModel"),
    [commands.predictChooseRows]: onCell("chooseRows"),
    [commands.predictOpenRows]: onCell("openRows"),
  });
}
