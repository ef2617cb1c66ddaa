// Statements with tables in every place where the grammar of MindsDB's SQL knows one, from a seed.

/** A source of statements; the same seed makes the same ones. */
export class StatementMaker {
  #state: number;
  readonly #hasPayloads: boolean;

  /** With payloads, some names and texts contain SQL that must not run. */
  constructor(seed: number, { hasPayloads = false } = {}) {
    this.#state = seed >>> 0;
    this.#hasPayloads = hasPayloads;
  }

  make(): string {
    const text = this.#hasPayloads
      ? this.#addPayloads(this.#query(this.#pick([0, 0, 1, 1, 2])))
      : this.#query(this.#pick([1, 2, 2, 3]));
    if (this.#chance(0.85)) return text;
    // Much of this is refused; what is not shows how the parser reads odd text.
    const words = text.split(" ");
    const at = this.#below(words.length);
    words.splice(at, this.#below(3), ...(this.#chance(0.5) ? [this.#pick(oddPieces)] : []));
    return words.join(" ");
  }

  /** Replaces up to three texts, names and numbers. */
  #addPayloads(sql: string): string {
    const places = [...sql.matchAll(/'[\w ]*'|`[^`]+`|\b(?:1|2\.5|NULL|[abxy])\b/g)];
    const chosen = new Set(Array.from({ length: 3 }, () => this.#below(places.length || 1)));
    let at = 0;
    return sql.replaceAll(/'[\w ]*'|`[^`]+`|\b(?:1|2\.5|NULL|[abxy])\b/g, (old) => {
      if (!chosen.has(at++)) return old;
      if (old.startsWith("`") || /[a-z]/i.test(old[0]!)) return this.#pick(payloadNames);
      return this.#pick(old.startsWith("'") ? payloadTexts : [...payloadTexts, ...rawPlaces]);
    });
  }

  /** A number from 0, below a limit (mulberry32). */
  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  #chance(share: number): boolean {
    return this.#below(1_000) < share * 1_000;
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#below(items.length)]!;
  }

  #one(...makers: (() => string)[]): string {
    return this.#pick(makers)();
  }

  /** The pieces with white space or comments between them; keywords in any case. */
  #join(...pieces: string[]): string {
    return pieces
      .filter((piece) => piece !== "")
      .map((piece) => (/^[A-Z]+( [A-Z]+)*$/.test(piece) ? this.#anyCase(piece) : piece))
      .reduce((text, piece) => text + this.#gap() + piece);
  }

  #gap(): string {
    return this.#chance(0.85) ? " " : this.#pick(gaps);
  }

  #anyCase(word: string): string {
    if (this.#chance(0.6)) return word;
    return Array.from(word, (char) => (this.#chance(0.5) ? char.toLowerCase() : char)).join("");
  }

  #maybe(share: number, ...makers: (() => string)[]): string {
    return this.#chance(share) ? this.#one(...makers) : "";
  }

  #name(): string {
    const count = this.#pick([1, 1, 2, 2, 2, 3]);
    if (this.#chance(0.12)) {
      return `"${Array.from({ length: count }, () => this.#pick(names)).join(this.#pick([".", ".", " . ", ".."]))}"`;
    }
    const parts = Array.from({ length: count }, () => this.#quoted(this.#pick(names)));
    if (this.#chance(0.08)) parts.push(this.#pick(["1", "23", '"4"', "`5`"]));
    return parts.reduce((text, part) => text + this.#pick(dots) + part);
  }

  #quoted(name: string): string {
    const isPlain = /^[a-z_]\w*$/i.test(name) && !reserved.has(name);
    const style = this.#below(10);
    if (style < 6 && isPlain) return this.#anyCase(name);
    if (style < 8 || !isPlain) return `\`${name}\``;
    return this.#pick([`"${name}"`, `"${name}"`, `"${name}"""`, `"\\"${name}"`, `"\`${name}\`"`]);
  }

  #alias(): string {
    return this.#maybe(
      0.5,
      () => this.#join("AS", this.#quoted(this.#pick(aliases))),
      () => this.#quoted(this.#pick(aliases)),
      () => `"${this.#pick(aliases)}"`,
    );
  }

  #query(depth: number): string {
    if (depth <= 0) return this.#chance(0.3) ? this.#join("TABLE", this.#name()) : this.#select(0);
    const inner = (): string => this.#query(depth - 1);
    return this.#one(
      () => this.#select(depth),
      () => this.#select(depth),
      () => this.#select(depth),
      () =>
        this.#join(
          "TABLE",
          this.#name(),
          this.#maybe(0.3, () => this.#join("LIMIT", "3")),
        ),
      () => this.#join("(", inner(), ")"),
      // A FROM may follow a SELECT in parentheses.
      () => this.#join("( SELECT", this.#pick(["*", "a"]), ") FROM", this.#from(depth - 1)),
      () =>
        this.#join(
          inner(),
          this.#pick(["UNION", "INTERSECT", "EXCEPT"]),
          this.#pick(["", "ALL", "DISTINCT"]),
          inner(),
        ),
      () =>
        this.#join(
          "WITH",
          this.#quoted(this.#pick(aliases)),
          this.#maybe(0.2, () => "( a , b )"),
          "AS (",
          inner(),
          ")",
          this.#maybe(0.3, () => this.#join(", d AS (", inner(), ")")),
          inner(),
        ),
    );
  }

  #select(depth: number): string {
    const expr = (): string => this.#expr(depth - 1);
    const condition = (): string => this.#condition(depth - 1);
    return this.#join(
      "SELECT",
      this.#maybe(
        0.1,
        () => "DISTINCT",
        () => this.#join("DISTINCT ON (", expr(), ")"),
      ),
      this.#pick([
        "*",
        expr(),
        this.#join(expr(), ",", expr()),
        this.#join(expr(), "AS x ,", expr()),
      ]),
      ...(this.#chance(0.08)
        ? []
        : [
            "FROM",
            this.#from(depth),
            this.#maybe(0.35, () => this.#join("WHERE", condition())),
            this.#maybe(0.15, () =>
              this.#join(
                "GROUP BY",
                expr(),
                this.#maybe(0.4, () => `, ${expr()}`),
              ),
            ),
            this.#maybe(0.1, () => this.#join("HAVING", condition())),
            this.#maybe(0.2, () =>
              this.#join(
                "ORDER BY",
                expr(),
                this.#pick(["", "DESC", "NULLS LAST"]),
                this.#maybe(0.4, () => `, ${expr()}`),
              ),
            ),
            this.#maybe(
              0.15,
              () => "LIMIT 3",
              () => "LIMIT 1 , 2",
              () => "LIMIT 1 OFFSET 2",
              () => "FETCH FIRST 1 ROWS ONLY",
            ),
            this.#maybe(
              0.03,
              () => "USING a = 1 , b = 2",
              () => "FOR UPDATE",
            ),
          ]),
    );
  }

  #from(depth: number): string {
    let text = this.#source(depth);
    while (this.#chance(0.35)) {
      text = this.#chance(0.4)
        ? this.#join(text, ",", this.#source(depth))
        : this.#join(
            text,
            this.#pick(joins),
            this.#source(depth),
            this.#maybe(0.6, () => this.#join("ON", this.#condition(depth - 1))),
          );
    }
    return text;
  }

  #source(depth: number): string {
    if (depth <= 0 || this.#chance(0.7)) return this.#join(this.#name(), this.#alias());
    return this.#one(
      () => this.#join("(", this.#query(depth - 1), ")", this.#alias()),
      () => this.#join("(", this.#query(depth - 1), ")", this.#alias()),
      () => this.#join("(", this.#query(depth - 1), ") AS x ( a , b )"),
      () => this.#join(this.#name(), "(", this.#query(depth - 1), ")", this.#alias()),
      () => this.#join(this.#name(), "(+)"),
      () => this.#join(this.#name(), "WITH ROLLUP"),
      () => `${this.#join(this.#name(), this.#pick(["(+)", "WITH ROLLUP"]))}.${this.#name()}`,
      () => this.#pick(oddSources),
    );
  }

  #condition(depth: number): string {
    const expr = (): string => this.#expr(depth);
    return this.#one(
      () =>
        this.#join(
          expr(),
          this.#pick(["=", ">", "<=", "LIKE", "<>", "IS NOT", "->"]),
          this.#pick([expr(), "1", "'a'"]),
        ),
      () =>
        this.#join(
          expr(),
          this.#pick(["IN", "NOT IN"]),
          "(",
          this.#pick([this.#query(depth - 1), "1 , 2"]),
          ")",
        ),
      () => this.#join(this.#pick(["", "NOT"]), "EXISTS (", this.#query(depth - 1), ") = 1"),
      () => this.#join(expr(), "BETWEEN", expr(), "AND", expr()),
      () =>
        this.#join(
          "(",
          this.#condition(depth > 0 ? depth - 1 : 0).slice(0, 200),
          ") AND",
          expr(),
          "= 1",
        ),
    );
  }

  #expr(depth: number): string {
    const column = (): string => this.#quoted(this.#pick(columns));
    if (depth <= 0) return this.#one(column, column, () => this.#pick(literals));
    const expr = (): string => this.#expr(depth - 1);
    return this.#one(
      column,
      column,
      () => this.#pick(literals),
      () =>
        this.#join(
          this.#pick(functions),
          "(",
          expr(),
          this.#maybe(0.4, () => `, ${expr()}`),
          ")",
        ),
      () => this.#join("extract ( year FROM", expr(), ")"),
      () => this.#join("substring (", expr(), "FROM 1 FOR", expr(), ")"),
      () =>
        this.#join("CASE WHEN", this.#condition(depth - 1), "THEN", expr(), "ELSE", expr(), "END"),
      () => this.#join("(", this.#query(depth - 1), ")"),
      () => this.#join("CAST (", expr(), "AS int )"),
      () =>
        this.#join("sum (", expr(), ") OVER ( PARTITION BY", expr(), ", a ORDER BY", expr(), ")"),
      () => this.#join(expr(), this.#pick(["+", "||", "- -", "::", "*"]), column()),
      () => this.#join("( 1 ,", expr(), ")"),
      () => this.#join("EXISTS (", this.#query(depth - 1), ")"),
    );
  }
}

const gaps = [
  "\n",
  "\t",
  "  ",
  "/**/",
  "/* from x , y */",
  " -- join z\n",
  "\r\n",
  "/*'*/",
  '/*"*/',
  " --`\n",
];
const dots = [".", ".", ".", ".", " . ", "/**/./**/", "\n."];
const names = (
  "mindsdb agents models rental_agent files shop t views project table lateral offset last all group by view " +
  "exists natural knowledge if schema"
)
  .split(" ")
  .concat("a.b", "mindsdb.agents", "from", "my table", "SELECT", "knowledge base", "é", "a'b");
const reserved = new Set(["from", "SELECT"]);
const aliases = [
  "x",
  "y",
  "group",
  "by",
  "offset",
  "table",
  "lateral",
  "agents",
  "order",
  "limits",
  "all",
];
const columns = ["a", "b", "last", "offset", "table", "agents", "lateral", "by", "exists", "from"];
const literals = [
  "1",
  "'a'",
  "'from x, y'",
  "'it''s'",
  "'a\\'b'",
  "NULL",
  ":p",
  "?",
  "@@version",
  ":limit",
  "@@from",
  "@@a.union",
  "2.5",
  "'/*'",
  "'--'",
];
const functions = [
  "lower",
  "count",
  "left",
  "coalesce",
  "table",
  "lateral",
  "full",
  "x.lower",
  "all",
  "any",
];
const joins = (
  "JOIN|LEFT JOIN|RIGHT JOIN|INNER JOIN|FULL JOIN|CROSS JOIN|OUTER JOIN|LEFT OUTER JOIN|FULL OUTER JOIN|ASOF JOIN|" +
  "ASOF LEFT JOIN|LEFT ASOF JOIN|JOIN LATERAL|LEFT JOIN LATERAL|NATURAL JOIN"
).split("|");
const oddSources = [
  "( SHOW AGENTS )",
  "( DESCRIBE AGENT x )",
  ":t",
  "?",
  "knowledge base",
  "knowledge  bases k",
  "plugins",
  "engines e",
  "t.*",
  "( DROP TABLE t )",
  '""',
  '"."',
  "a$b",
  "( SELECT 1 ; SELECT 2 )",
];
const oddPieces = [
  ",",
  "(",
  ")",
  "FROM",
  "TABLE",
  "LATERAL",
  "JOIN",
  "ON",
  "UNION",
  "WHERE",
  "GROUP BY",
  "LIMIT 1",
  "AS",
  "SELECT",
  '"a.b"',
  "`a.b`",
  ".",
  "'",
  '"',
  "--",
  "/*",
  "*/",
  ";",
  "WITH",
  "USING",
  "offset",
  "by",
  "(+)",
  ".*",
  ".* ( SELECT 1 ; CALL x )",
  "last",
  "#",
  "@",
  "$",
];

const payloadNames = [
  "`evil()`",
  "`x'; DROP TABLE canary; --`",
  '`x"; DROP TABLE canary; --`',
  "`a (evil(1))`",
  "`1 FROM u; DROP TABLE canary`",
  "`x' || evil() || 'y`",
  '"`evil()`"',
  "`price ($)`",
  "`it's`",
];
const payloadTexts = [
  "'x''; DROP TABLE canary; --'",
  "'x'' || evil() || ''y'",
  "'x\\' || evil() || \\'y'",
  "'\\\\'' || evil() || '",
  "' || evil() || \\\\'",
  "' || evil() || '",
  "\"x' || evil() || 'y\"",
  '"\\\\\' || evil() -- "',
  "'; DROP TABLE canary; --'",
  "'it''s'",
  "'a\\\\'",
];
/** Expressions with texts and names where the server may lose the quotes. */
const rawPlaces = [
  "INTERVAL '1 day'",
  "INTERVAL \"1 day' || evil() || '1\"",
  "INTERVAL '1' `day || evil()`",
  "INTERVAL 1 `day || evil()`",
  "CAST(1 AS `x; DROP TABLE canary`)",
  "1::`x; DROP TABLE canary`",
  "CONVERT('; DROP TABLE canary; --', `evil()`)",
  "DATE '; DROP TABLE canary; --'",
  "extract(`evil()` FROM 1)",
  "1 '; DROP TABLE canary; --'",
  '1 "evil()"',
  "1 IN `evil()`",
];
