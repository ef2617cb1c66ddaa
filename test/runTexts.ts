import type { RunTexts } from "../src/predict/run/runTexts.ts";

const count = (name: string) => (rows: number) => `${name}: ${rows}`;

/** The sentences of a run as tests expect them. */
export const runTextsForTests: RunTexts = {
  cellAsSource: "the cell",
  queryAsSource: "the query",
  queryWithoutRows: "The query returned no rows.",
  formatCount: String,
  rowsNotChecked: (name) => `${name} was not checked`,
  readingColumns: count("reading columns"),
  noFirstResponse: count("no first response"),
  noResponse: count("no response"),
  statementRunning: count("statement"),
  statusUnknown: count("unknown"),
  blankRowsSkipped: count("blank"),
  sentTwice: count("sent twice"),
};
