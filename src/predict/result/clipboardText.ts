// A piece of a result as text for the clipboard.
import * as l10n from "@vscode/l10n";
import { AppError } from "../../mindsdb/errors.ts";
import { tsvLine } from "../../shared/tableText.ts";
import type { CopyFormat, ResultColumn } from "../messages.ts";
import { uniqueNames } from "./uniqueNames.ts";
import { parseStringLiteral } from "../rows/jsonLiteral.ts";

/** The clipboard takes no more characters than this. */
const maxLength = 16 * 1024 * 1024;

type Written = readonly (string | undefined)[];

/** A text for the clipboard that rows are added to. */
export class ClipboardText {
  readonly #columns: readonly ResultColumn[];
  readonly #titles: readonly string[];
  readonly #format: CopyFormat;
  readonly #lines: string[] = [];
  #length = 0;

  constructor(columns: readonly ResultColumn[], format: CopyFormat) {
    this.#columns = columns;
    this.#titles = columnTitles(columns);
    this.#format = format;
  }

  /** The column names as the first line: for more than one cell, since one value is pasted as a value. */
  addHeader(): void {
    if (this.#format === "tsv") this.#lines.push(tsvLine(this.#titles));
  }

  /** `rows` hold values as JSON writes them, in the order of the columns. Throws AppError "tooLarge". */
  add(rows: readonly Written[]): void {
    for (const row of rows) {
      const line = this.#line(row);
      this.#lines.push(line);
      this.#length += line.length;
    }
    if (this.#length > maxLength) {
      throw new AppError(
        "tooLarge",
        l10n.t("The selection is too large for the clipboard: export it."),
      );
    }
  }

  get text(): string {
    switch (this.#format) {
      case "tsv":
        return this.#lines.join("\n");
      case "json":
        return `[\n${this.#lines.join(",\n")}\n]`;
      case "markdown":
        return [
          markdownRow(this.#titles.map(markdownText)),
          markdownRow(this.#columns.map(({ kind }) => (kind === "number" ? "--:" : "---"))),
          ...this.#lines,
        ].join("\n");
    }
  }

  #line(row: Written): string {
    switch (this.#format) {
      case "tsv":
        return tsvLine(row.map(cellText));
      case "json":
        return `  ${jsonRow(this.#titles, row)}`;
      case "markdown":
        return markdownRow(row.map((value = "") => markdownText(parseStringLiteral(value))));
    }
  }
}

/** The columns' names, told apart from those of others with the same. */
export function columnTitles(columns: readonly ResultColumn[]): string[] {
  return uniqueNames(
    columns.map(({ name, part }) =>
      part === "actual" || part === "error" ? `${name} (${part})` : name,
    ),
  );
}

/** What has no value is an empty cell. */
function cellText(written = "null"): string {
  return written === "null" ? "" : parseStringLiteral(written);
}

/** Written by hand: a column may be called `__proto__`, and numbers keep their digits. */
function jsonRow(titles: readonly string[], row: Written): string {
  const members = titles.flatMap((title, index) => {
    const written = row[index];
    return written === undefined ? [] : [`${JSON.stringify(title)}: ${written}`];
  });
  return `{${members.join(", ")}}`;
}

function markdownText(text: string): string {
  return text.replace(/[\\|`*_~<>[\]!&]/g, "\\$&").replace(/\s+/g, " ");
}

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
