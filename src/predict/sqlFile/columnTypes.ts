// Types of columns as PostgreSQL and MindsDB call them.

const typeNames = {
  whole: /^(small|big)?(int(eger|\d)?|serial)$/,
  /** Whose sum is a whole number. */
  int: /^(small)?(int(eger|[24])?|serial)$/,
  decimal: /^(numeric|decimal)\b/,
  exact: /^((small|big)?(int(eger|\d)?|serial)$|(numeric|decimal)\b)/,
  real: /^(double|float|real)\b/,
  date: /^date$/,
  time: /^(datetime|timestamp)\b/,
  text: /^(text|varchar|char|bpchar|citext)\b/,
  boolean: /^(tinyint\(1\)|bool)/,
};

export type ColumnType = keyof typeof typeNames;

/** `name`: in lower case, as SHOW COLUMNS or the catalog of PostgreSQL have it. */
export function isOfColumnType(name: string, type: ColumnType): boolean {
  return typeNames[type].test(name);
}
