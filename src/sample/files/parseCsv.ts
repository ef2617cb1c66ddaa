/** The cells of each row of CSV with commas. Quotes are doubled inside of quoted cells; empty lines are left out. */
export function parseCsv(text: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/y;
  const source = text.replace(/^\uFEFF/, "");
  const rows: string[][] = [];
  let row: string[] = [];
  while (cell.lastIndex < source.length) {
    const found = cell.exec(source);
    if (!found) break;
    const [, quoted, plain = "", end] = found;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ",") {
      if (cell.lastIndex === source.length) row.push("");
      else continue;
    }
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  }
  return rows;
}
