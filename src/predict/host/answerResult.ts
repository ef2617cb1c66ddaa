import type * as vscode from "vscode";
import { attempt } from "../../shared/host/attempt.ts";
import { runAction } from "../../shared/host/errorMessages.ts";
import type { ToHost } from "../messages.ts";
import { compareRuns } from "./compareRuns.ts";
import { copyRows } from "./copyRows.ts";
import { previewTable, showStatement } from "./intoTable.ts";
import type { OpenCellResults } from "./openCellResults.ts";
import type { PredictOptions } from "./predictOptions.ts";
import type { CellResult } from "./cellResult.ts";
import type { RowOfResult } from "./whatIfPages.ts";

interface AnswerOptions extends Pick<PredictOptions, "servers" | "log"> {
  results: OpenCellResults;
  /** Opens the page that predicts a row with other values. */
  whatIf: (row: RowOfResult) => Promise<void>;
}

/** A message about a result that is there. */
type ResultMessage = Exclude<ToHost, { type: "hello" | "stored" | "run" }>;

/** Does what the renderer of a result asks for. */
export async function answerResult(
  message: ResultMessage,
  result: CellResult,
  editor: vscode.NotebookEditor,
  options: AnswerOptions,
): Promise<void> {
  const { results } = options;
  const { run, orders } = result;
  switch (message.type) {
    case "window":
      results.post(await orders.readWindow(message), editor);
      break;
    case "copy": {
      const order = await orders.order("clipboard", message.view);
      const copied = await copyRows(run.table, order, message);
      if (copied) results.post(copied, editor);
      break;
    }
    case "export": {
      const { exportResult } = await import("./exportResult.ts");
      const order = await orders.order("export", message.view);
      await exportResult(run.table, order, result.notebook.uri, result.origin);
      break;
    }
    case "compareRuns":
      await compareRuns(result.history);
      break;
    case "previewTable":
      await previewTable(result.origin);
      break;
    case "showSql":
      await showStatement(result.origin);
      break;
    case "whatIf": {
      const order = await orders.order("whatIf", message.view);
      const { origin } = result;
      const row = { origin, table: run.table, order, row: message.row };
      await attempt(options, "Opening What If", origin.connectionId, () => options.whatIf(row));
      break;
    }
    case "resume":
      run.resume();
      break;
    case "stop":
      run.stop();
      break;
    case "runAction":
      if (run.action) await runAction(run.action);
  }
}
