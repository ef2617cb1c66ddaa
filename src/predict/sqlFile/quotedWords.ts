// Words that the server puts in quotes where it sends the name of a column to PostgreSQL.

/** Words that PostgreSQL reserves (26.1.0). */
export const quotedWords = new Set(
  (
    "all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create " +
    "default deferrable desc distinct do else end except false fetch for foreign from grant group having in " +
    "initially intersect into leading limit new not null of off offset old on only or order placing primary " +
    "references returning select some symmetric table then to trailing true union unique user using variadic when " +
    "where window with authorization between binary cross freeze full ilike inner is isnull join left like natural " +
    "notnull outer over overlaps right similar verbose"
  ).split(" "),
);
