// The names that a notebook's cells create and choose: its SQL cells can use them, also before the cells have run.
import type * as vscode from "vscode";
import { sqlLanguage } from "../../ids.ts";
import type { KnownContext } from "../sqlFile/sqlChecker.ts";
import { parseRecipe } from "../notebook/recipe.ts";
import { parseTableName } from "../notebook/serverSource.ts";
import { findNames } from "./cellText.ts";

interface CellNames {
  created: readonly string[];
  used: string | undefined;
}

type NotebookNames = Required<Pick<KnownContext, "created" | "used">>;

const noNames: CellNames = { created: [], used: undefined };
/** Longer cells, in characters, are not read: they consist of rows. */
const maxCell = 20_000;

export class OtherCells {
  readonly #cells = new WeakMap<vscode.TextDocument, CellNames & { version: number }>();
  readonly #notebooks = new WeakMap<vscode.NotebookDocument, NotebookNames & { version: number }>();

  async read(notebook: vscode.NotebookDocument): Promise<NotebookNames> {
    const { version } = notebook;
    const known = this.#notebooks.get(notebook);
    if (known?.version === version) return known;
    const reader = await import("../sqlFile/createdNames.ts");
    const names = notebook.getCells().map(({ document }) => {
      const kept = this.#cells.get(document);
      if (kept?.version === document.version) return kept;
      const read = { ...readCell(document, reader.readCreatedNames), version: document.version };
      this.#cells.set(document, read);
      return read;
    });
    const found = {
      version,
      created: new Set(names.flatMap(({ created }) => created)),
      used: names.flatMap(({ used }) => used ?? []),
    };
    this.#notebooks.set(notebook, found);
    return found;
  }
}

function readCell(
  document: vscode.TextDocument,
  readCreatedNames: (sql: string) => CellNames,
): CellNames {
  const text = document.getText();
  if (text.length > maxCell) return noNames;
  if (document.languageId === sqlLanguage) return readCreatedNames(text);
  if (document.languageId !== "json" || !text.includes("into")) return noNames;
  // A run writes its predictions into a table that may be new.
  const targets = findNames(text, parseRecipe(text)).filter(({ key }) => key === "into");
  return {
    created: targets.flatMap((one) => parseTableName(one.text)?.at(-1)?.toLowerCase() ?? []),
    used: undefined,
  };
}
