import * as l10n from "@vscode/l10n";
import { AppError } from "../../mindsdb/errors.ts";
import {
  escapeMarkdownCell,
  formatMarkdownRow,
  formatMarkdownRule,
} from "../../shared/markdownTable.ts";
import { csvLine, tsvLine } from "../../shared/spreadsheetText.ts";
import type { CopyFormat, ResultColumn } from "../messages.ts";
import { uniqueNames } from "../../shared/uniqueNames.ts";
import { columnInSql } from "../../mindsdb/sql/nameInSql.ts";
import { jsonAsSql } from "../../mindsdb/sql/jsonAsSql.ts";
import { formatJsonObject, parseStringLiteral } from "../rows/jsonLiteral.ts";

/** The maximum length in characters. */
const maxLength = 16 * 1024 * 1024;

type JsonValues = readonly (string | undefined)[];

/** Builds the text of rows for the clipboard. */
export class ClipboardText {
  readonly #columns: readonly ResultColumn[];
  readonly #titles: readonly string[];
  readonly #format: CopyFormat;
  readonly #lines: string[] = [];
  #length = 0;

  constructor(columns: readonly ResultColumn[], format: CopyFormat) {
    this.#columns = columns;
    this.#titles = createTitles(columns);
    this.#format = format;
  }

  /** Adds the column names as the first line of TSV and CSV. Not for a single cell, which is pasted as a value. */
  addHeader(): void {
    if (this.#format === "tsv") this.#lines.push(tsvLine(this.#titles));
    if (this.#format === "csv") this.#lines.push(csvLine(this.#titles));
  }

  /** Adds rows with values as JSON, in the order of the columns. Throws AppError "tooLarge", or "sql" for what SQL can't express. */
  add(rows: readonly JsonValues[]): void {
    for (const row of rows) {
      const line = this.#line(row);
      if (line === undefined) continue;
      this.#lines.push(line);
      this.#length += line.length;
      if (this.#length <= maxLength) continue;
      throw new AppError(
        "tooLarge",
        l10n.t("The selection is too large for the clipboard. Export it instead."),
      );
    }
  }

  get text(): string {
    switch (this.#format) {
      case "tsv":
      case "csv":
        return this.#lines.join("\n");
      case "json":
        return `[\n${this.#lines.join(",\n")}\n]`;
      case "markdown":
        return [
          formatMarkdownRow(this.#titles.map(escapeMarkdownCell)),
          formatMarkdownRule(this.#columns.map(({ kind }) => kind === "number")),
          ...this.#lines,
        ].join("\n");
      case "insert": {
        const names = this.#titles.map(columnInSql).join(", ");
        return `INSERT INTO table_name (${names})\nVALUES\n${this.#lines.join(",\n")};`;
      }
      case "inList":
        return `(${[...new Set(this.#lines)].join(", ")})`;
    }
  }

  /** Undefined for a row that the format leaves out. */
  #line(row: JsonValues): string | undefined {
    switch (this.#format) {
      case "tsv":
        return tsvLine(row.map(formatSpreadsheetCell));
      case "csv":
        return csvLine(row.map(formatSpreadsheetCell));
      case "json":
        return `  ${formatJsonObject(
          this.#titles.map((title, at) => [title, row[at]]),
          " ",
        )}`;
      case "markdown":
        return formatMarkdownRow(
          row.map((value = "") => escapeMarkdownCell(parseStringLiteral(value))),
        );
      case "insert":
        return `  (${row.map(jsonAsSql).join(", ")})`;
      case "inList":
        if (row.length > 1) {
          throw new AppError("sql", l10n.t("Select the values of one column for an IN list."));
        }
        // Nothing equals NULL, and NOT IN with one is never true.
        return row[0] === undefined || row[0] === "null" ? undefined : jsonAsSql(row[0]);
    }
  }
}

/** Unique names of columns. The target's own name is that of its actual values, where there are any. */
export function createTitles(columns: readonly ResultColumn[]): string[] {
  const actual = new Set(columns.filter(({ part }) => part === "actual").map(({ name }) => name));
  return uniqueNames(
    columns.map(({ name, part }) =>
      part === "error" || (part === "predicted" && actual.has(name)) ? `${name} (${part})` : name,
    ),
  );
}

/** The text of a cell; empty if it has no value. */
function formatSpreadsheetCell(json = "null"): string {
  return json === "null" ? "" : parseStringLiteral(json);
}
