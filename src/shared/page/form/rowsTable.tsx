import "./rowsTable.css";

interface Rows {
  columns: { name: string; type?: string }[];
  rows: (string | null)[][];
}

/** Columns that are shown: laying out a hundred thousand cells takes seconds. */
const maxColumns = 500;

/** A few rows of a query; `marked` is the name of a column. */
export function RowsTable(props: { rows: Rows; name: string; marked?: string }) {
  const { name, marked, rows: shown } = props;
  const columns = shown.columns.slice(0, maxColumns);
  const rows = shown.rows.map((row) => row.slice(0, maxColumns));
  const hasMore = columns.length < shown.columns.length;
  const classOf = (column: number): string => (columns[column]?.name === marked ? "target" : "");
  return (
    <div class="rows" role="region" aria-label={name} tabIndex={0}>
      <table aria-label={name}>
        <thead>
          <tr>
            {columns.map(({ name: title, type }, column) => (
              <th key={column} scope="col" class={classOf(column)}>
                {title}
                <span class="type">{type}</span>
              </th>
            ))}
            {hasMore && <th scope="col">…</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((value, column) => (
                <td key={column} class={`${value === null ? "null" : ""} ${classOf(column)}`}>
                  {value ?? "null"}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
