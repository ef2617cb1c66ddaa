/** Keywords of MindsDB's SQL, reserved after a project's name too (parser of 26.1.0 and 25.14.1). */
export const sqlKeywords: readonly string[] = (
  "alter and as asc between case character collate convert cross delete desc describe distinct drop else end except " +
  "explain false for from full having in inner insert intersect into is join left like limit not null on or outer over " +
  "persist_only read right select set show then true union update use using values when where window with write"
).split(" ");
