import * as l10n from "@vscode/l10n";
import { AppError } from "../../mindsdb/errors.ts";
import { hasMoreValues } from "../../mindsdb/hasMoreValues.ts";
import { responseLimits } from "../../mindsdb/http/responseBody.ts";
import { createRowRedactor, redactColumns } from "../../mindsdb/redact/redactResult.ts";
import type { Secrets } from "../../mindsdb/redact/redact.ts";
import type { ListingUse } from "../../mindsdb/sql/listingUse.ts";
import { ListColumns } from "../result/listColumns.ts";
import type { DiskTable } from "../result/diskTable.ts";
import { EventLoopYielder } from "../../mindsdb/yieldToEventLoop.ts";
import { JsonScanner } from "../rows/jsonScanner.ts";
import { readTextAt, type Row } from "../rows/row.ts";

/** Rows of a listing of the server's objects, which is far shorter. */
const maxWaiting = 200_000;

/** In a row, those of lists and objects in its cells included: in memory they are far larger than on the wire. */
const maxRowValues = 200_000;

/** Bytes of a listed object, whose texts are searched for secrets: a longer row takes a second, and is masked. */
const maxListedRow = 2_000_000;

/** Creates the table of a run on disk. */
export type CreateStatementTable = (columns: ListColumns) => Promise<DiskTable>;

interface StatementTableOptions {
  create: CreateStatementTable;
  /** Called once, before the first rows are added. */
  created: (table: DiskTable) => void;
  /** How the statement uses listings of the server. */
  use: ListingUse;
  secrets: Secrets;
}

/** The table of a statement as its rows arrive, on disk and without secrets. */
export class StatementTable {
  readonly #options: StatementTableOptions;
  readonly #columns = new ListColumns();
  #table: DiskTable | undefined;
  #names: readonly string[] | undefined;
  /** Whether all values are masked, because secrets among them cannot be told. */
  isMasked = false;
  /** Rows whose secrets are not known without the names of their columns. */
  #waiting: Row[] = [];
  #waitingBytes = 0;

  constructor(options: StatementTableOptions) {
    this.#options = options;
  }

  /** Adds rows. `names` are those of the columns, once they are known. Throws AppError "tooLarge" if they do not fit. */
  async add(rows: readonly Row[], names: readonly string[] | undefined): Promise<void> {
    const { use, secrets } = this.#options;
    if (names && names !== this.#names) {
      this.#names = names;
      this.#columns.setNames(redactColumns(names, secrets));
    }
    const isNamed = this.#names !== undefined;
    if (use === "plain" && !isNamed) {
      for (const row of rows) this.#waiting.push(row);
      this.#waitingBytes += rows.reduce((sum, { start, end }) => sum + end - start, 0);
      const { maxBytes } = responseLimits.rows;
      if (this.#waiting.length > maxWaiting || this.#waitingBytes > maxBytes) throw tooManyRows();
      return;
    }
    const all = [...this.#waiting, ...rows];
    this.#waiting = [];
    if (all.length === 0 && !(isNamed && this.#names!.length > 0)) return;
    this.#table ??= await this.#create();
    if (all.length === 0) return;
    if (use === "derived") this.isMasked = true;
    const redact = createRowRedactor(this.#names ?? [], use, secrets);
    const mask = createRowRedactor([], "derived", secrets);
    const isSafe = use === "none" ? holdsNumbers : () => false;
    const shown: Row[] = [];
    const yielder = new EventLoopYielder();
    for (const row of all) {
      const isTooLong = use === "plain" && row.end - row.start > maxListedRow;
      if (isTooLong) this.isMasked = true;
      shown.push(isSafe(row) ? row : redacted(row, isTooLong ? mask : redact));
      await yielder.yieldIfDue();
    }
    await this.#table.add({ rows: shown });
  }

  async #create(): Promise<DiskTable> {
    const table = await this.#options.create(this.#columns);
    this.#options.created(table);
    return table;
  }
}

function tooManyRows(): AppError {
  return new AppError(
    "tooLarge",
    l10n.t("The list has more than {0} rows.", maxWaiting.toLocaleString("en-US")),
  );
}

function tooManyRowValues(): AppError {
  const count = maxRowValues.toLocaleString("en-US");
  return new AppError("tooLarge", l10n.t("A row of the result has more than {0} values.", count));
}

const quote = 0x22;
const openBracket = 0x5b;
const openBrace = 0x7b;

/** Whether a row has no texts, lists or objects, which may contain secrets. */
function holdsNumbers({ bytes, values, at, shape }: Row): boolean {
  for (let index = 0; index < shape.names.length; index++) {
    const first = bytes[values[at + 2 * index]!];
    if (first === quote || first === openBracket || first === openBrace) return false;
  }
  return true;
}

/** The row, or one with other values where secrets are masked. All other values keep their digits. */
function redacted(row: Row, redact: (cells: readonly unknown[]) => unknown[]): Row {
  const text = row.bytes.toString("utf8", row.start, row.end);
  if (hasMoreValues(text, maxRowValues)) throw tooManyRowValues();
  const cells = JSON.parse(text) as unknown[];
  const after = redact(cells);
  const isChanged = after.map((cell, at) => !isSame(cell, cells[at]));
  if (!isChanged.includes(true)) return row;
  const texts = after.map((cell, at) =>
    isChanged[at] ? JSON.stringify(cell) : readTextAt(row, at),
  );
  const bytes = Buffer.from(`[${texts.join(",")}]\0`);
  const scanner = new JsonScanner();
  scanner.setBytes(bytes, bytes.length - 1);
  return scanner.list(0)!;
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return typeof one === "object" && JSON.stringify(one) === JSON.stringify(other);
}
