// The least that runs a hand-written loop as a cell of a notebook: what VS Code itself costs a run, in its window and in the
// extension host, without anything of the product. A file holds the arguments of one loop.
import * as vscode from "vscode";
import { predictFile, predictTable, type LoopServer } from "../handWrittenLoop.ts";

const type = "loop-notebook";

export type LoopCell = LoopServer & ({ file: string } | { table: string });

export function activate({ subscriptions }: vscode.ExtensionContext): void {
  const controller = vscode.notebooks.createNotebookController(type, type, "Loop");
  controller.supportedLanguages = ["json"];
  controller.supportsExecutionOrder = true;
  controller.executeHandler = async ([cell]) => {
    if (cell) await run(cell);
  };
  subscriptions.push(
    controller,
    vscode.workspace.registerNotebookSerializer(type, serializer, { transientOutputs: true }),
  );

  async function run(cell: vscode.NotebookCell): Promise<void> {
    const loop = JSON.parse(cell.document.getText()) as LoopCell;
    const execution = controller.createNotebookCellExecution(cell);
    execution.executionOrder = (cell.executionSummary?.executionOrder ?? 0) + 1;
    execution.start(Date.now());
    const rows = "file" in loop ? await predictFile(loop, loop.file) : await predictTable(loop);
    const text = vscode.NotebookCellOutputItem.text(`${String(rows)} rows`);
    await execution.replaceOutput(new vscode.NotebookCellOutput([text]));
    execution.end(true, Date.now());
  }
}

const serializer: vscode.NotebookSerializer = {
  deserializeNotebook(bytes) {
    const text = new TextDecoder().decode(bytes);
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, "json");
    return new vscode.NotebookData([cell]);
  },
  serializeNotebook({ cells: [cell] }) {
    return new TextEncoder().encode(cell?.value);
  },
};
