/** Sentences about a cell's run, in the user's language. Counts are numbers of rows. */
export interface RunTexts {
  /** Takes the place of a file name where the rows are written in the cell. */
  cellAsSource: string;
  /** Takes the place of a file name where the rows are those of a query. */
  queryAsSource: string;
  queryWithoutRows: string;
  rowsNotChecked: (model: string) => string;
  readingColumns: (seconds: number) => string;
  noFirstResponse: (seconds: number) => string;
  noResponse: (seconds: number) => string;
  statementRunning: (seconds: number) => string;
  statusUnknown: (count: number) => string;
  resentInSmallerBatches: (count: number) => string;
  sentTwice: (count: number) => string;
}
