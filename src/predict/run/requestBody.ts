import type { Row } from "../rows/row.ts";

/** The body of a predict request, and the position in it where each row starts. */
export interface RequestBody {
  body: Buffer;
  starts: readonly number[];
}

const comma = 0x2c;

/** Writes `{"data": [...]}` with the rows' own bytes. `params` is a JSON object. */
export function writeRequestBody(rows: readonly Row[], params?: string): RequestBody {
  const head = '{"data":[';
  const tail = params === undefined ? "]}" : `],"params":${params}}`;
  const rowsLength = rows.reduce((sum, { start, end }) => sum + end - start, rows.length - 1);
  const body = Buffer.allocUnsafe(head.length + rowsLength + Buffer.byteLength(tail));
  const starts: number[] = [];
  let position = body.write(head);
  for (const { bytes, start, end } of rows) {
    starts.push(position);
    position += bytes.copy(body, position, start, end);
    body[position++] = comma;
  }
  // The tail overwrites the last comma.
  body.write(tail, position - 1);
  return { body, starts };
}
