// Runs inside the extension host: activates one extension after VS Code has settled, and leaves the time it took, in ms.
import fs from "node:fs";
import * as vscode from "vscode";

/** Time for VS Code's own start to end; without it the figure is the machine's, not the extension's. */
const settleMs = 4_000;

export async function run(): Promise<void> {
  const id = process.env["BENCH_EXTENSION"] ?? "";
  const extension = vscode.extensions.getExtension(id);
  if (!extension) throw new Error(`${id} is not there`);
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  if (extension.isActive) throw new Error(`${id} was activated before`);
  const start = performance.now();
  await extension.activate();
  fs.writeFileSync(process.env["BENCH_RESULT"] ?? "", String(performance.now() - start));
}
