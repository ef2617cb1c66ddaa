// All pages that predict one row with other values. Imported with the first one.
import { randomUUID } from "node:crypto";
import * as v from "valibot";
import * as vscode from "vscode";
import { panels } from "../../ids.ts";
import { AppError } from "../../mindsdb/errors.ts";
import type { ModelRef } from "../../mindsdb/references.ts";
import { readModelColumns } from "../../models/modelColumns.ts";
import { attempt } from "../../shared/host/attempt.ts";
import { showInformation } from "../../shared/host/notifications.ts";
import { Pages } from "../../shared/host/pages.ts";
import type { PanelRestorer } from "../../shared/host/restorePanels.ts";
import { findPlaceholder } from "../../shared/typedSecrets.ts";
import { readExample } from "../readExample.ts";
import type { ModelName } from "../notebook/modelName.ts";
import type { RunOrigin } from "../result/resultMetadata.ts";
import type { RowOrder } from "../result/rowTable.ts";
import type { ResultTable } from "../result/resultTable.ts";
import { isNumberType, type InputColumn } from "../run/rowChecker.ts";
import { findRange } from "../whatIf/inputValue.ts";
import {
  isTooLongToVary,
  limitChoices,
  maxInputs,
  pageState,
  whatIfCalls,
  type WhatIfRow,
} from "../whatIf/whatIfPage.ts";
import type { PredictOptions } from "./predictOptions.ts";
import { WhatIfPage } from "./whatIfPage.ts";

/** Rows of a result in which the values of inputs are looked for. */
const maxRangeRows = 2_000;
/** Values of these rows: fewer rows are read of a table with very many columns. */
const maxRangeValues = 1_000_000;

/** A row of a result, by its position in an order of its rows. */
export interface RowOfResult {
  origin: RunOrigin;
  table: ResultTable;
  order: RowOrder;
  row: number;
}

export class WhatIfPages implements PanelRestorer {
  readonly #options: PredictOptions;
  readonly #pages: Pages<typeof whatIfCalls, WhatIfPage>;

  constructor(options: PredictOptions) {
    this.#options = options;
    this.#pages = new Pages({
      viewType: panels.predictWhatIf,
      extensionUri: options.extensionUri,
      page: "whatIf",
      icon: "model",
      calls: whatIfCalls,
      restore: (state) => {
        const saved = v.safeParse(pageState, state);
        // With a placeholder for a secret in its row, the page would predict another one.
        if (!saved.success || findPlaceholder(saved.output) !== undefined) return undefined;
        const row = saved.output;
        return { key: row.id, create: () => new WhatIfPage(row, options, { isRestored: true }) };
      },
      log: options.log,
    });
  }

  /** Opens the page for a row of a result. Throws AppError. */
  async openRow({ origin, table, order, row }: RowOfResult): Promise<void> {
    const { connectionId } = origin;
    const [shown] = await table.window(row, 1, order);
    const [values] = await table.values(row, 1, order);
    if (!origin.model || !shown || !values) return;
    const model = withVersion(origin.model, origin.training?.version);
    const columns = [...table.columns.entries()].filter(([, { part }]) => part === "input");
    const at = new Map(columns.map(([index, { name }]) => [name, index]));
    const { servers, descriptions } = this.#options;
    const server = { client: await servers.client(connectionId), connectionId, descriptions };
    const { inputs, target } = await readModelColumns(server, model);
    const rangeRows = Math.min(maxRangeRows, Math.floor(maxRangeValues / table.columns.length));
    const seen = await table.values(0, rangeRows);
    const read = (line: readonly (string | undefined)[], name: string): string =>
      line[at.get(name) ?? -1] ?? "null";
    const found = inputs ?? [...at.keys()].map((name) => ({ name }));
    const place = vscode.l10n.t("row {0}", shown.number.toLocaleString(vscode.env.language));
    this.#show(
      { connectionId, model, place, target: target?.name },
      found,
      (name) => read(values, name),
      (name) => seen.map((line) => read(line, name)),
    );
  }

  /** Opens the page for a model, or for one that the user picks. Shows errors. */
  async openModel(given: ModelRef | undefined): Promise<void> {
    const title = vscode.l10n.t("Predict One Row with Other Values");
    const model = given ?? (await this.#options.pickModel(title));
    if (!model) return;
    const open = (): Promise<void> => this.#openModel(model);
    await attempt(this.#options, "Opening What If", model.connectionId, open);
  }

  /** With a row that the model was trained on, if that is quickly found. Throws AppError. */
  async #openModel({ connectionId, project, name, version }: ModelRef): Promise<void> {
    const asked = withVersion({ project, name }, version);
    const { servers, descriptions } = this.#options;
    const server = { client: await servers.client(connectionId), connectionId, descriptions };
    const { columns, row } = await readExample(server, asked, maxRangeRows);
    const model = withVersion(asked, columns.trained?.version);
    const place = row ? row.table.join(".") : vscode.l10n.t("no row");
    const own = (column: string): string => JSON.stringify(row?.values.get(column) ?? null);
    const seen = (column: string): string[] =>
      (row?.seen.get(column) ?? []).map((value) => JSON.stringify(value ?? null));
    const { inputs, target } = columns;
    if (!inputs) {
      const message = vscode.l10n.t("The server doesn't list the inputs of {0}.", name);
      void showInformation(message);
      return;
    }
    this.#show({ connectionId, model, place, target: target?.name }, inputs, own, seen);
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#pages.restore(panel, state);
  }

  #show(
    page: Pick<WhatIfRow, "connectionId" | "model" | "place" | "target">,
    columns: readonly InputColumn[],
    own: (name: string) => string,
    seen: (name: string) => string[],
  ): void {
    // Before the values of each are looked for.
    if (columns.length > maxInputs) throw createTooLarge();
    const all = columns.map(({ name, type }) => {
      const json = own(name);
      const isNumber = type === undefined ? /^-?\d/.test(json) : isNumberType(type);
      const range = findRange(json, seen(name), isNumber);
      return { name, ...(type === undefined ? {} : { type }), isNumber, own: json, range };
    });
    const inputs = limitChoices(all);
    if (isTooLongToVary(inputs)) throw createTooLarge();
    const row = { ...page, id: randomUUID(), inputs, values: inputs.map((input) => input.own) };
    this.#pages.show(row.id, () => new WhatIfPage(row, this.#options));
  }
}

function createTooLarge(): AppError {
  const message = vscode.l10n.t("The row's inputs are too many or too long for What If.");
  return new AppError("tooLarge", message);
}

/**
 * A model with a version: another one may become active while the page is open, and all of its numbers are of one version.
 */
function withVersion(model: ModelName, version: number | undefined): ModelName {
  return model.version === undefined && version !== undefined ? { ...model, version } : model;
}
