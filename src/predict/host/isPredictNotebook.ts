import type * as vscode from "vscode";
import { notebooks } from "../../ids.ts";

export function isPredictNotebook({ notebookType }: vscode.NotebookDocument): boolean {
  return notebookType === notebooks.type;
}
