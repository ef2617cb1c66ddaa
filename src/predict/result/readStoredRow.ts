// A row in the data file of a result: a JSON object or list, and right after it its reply or the reason of its refusal.
import type { JsonScanner } from "../rows/jsonScanner.ts";
import { ResponseRow } from "../run/responseRows.ts";
import type { AnsweredRow } from "./columnReader.ts";
import type { RowIndexEntry } from "./rowIndex.ts";

const openBracket = 0x5b;

/** The row at a position of the scanner's bytes, which hold all of it. `replies` scans the reply when it is used. */
export function readStoredRow(
  scanner: JsonScanner,
  replies: JsonScanner,
  at: number,
  { rowLength, outcomeLength, refused }: RowIndexEntry,
): AnsweredRow {
  const { bytes } = scanner;
  const row = (bytes[at] === openBracket ? scanner.list(at) : scanner.row(at))!;
  if (outcomeLength === 0) return { row };
  const outcome = at + rowLength;
  const end = outcome + outcomeLength;
  return refused
    ? { row, refused: JSON.parse(bytes.toString("utf8", outcome, end)) as string }
    : { row, reply: new ResponseRow(bytes, outcome, end, replies) };
}
