// SQL that MindsDB accepts but reads otherwise than it is meant (mindsdb-sql-parser 0.13.8), with fixes.
import * as l10n from "@vscode/l10n";
import { parseSql } from "../../mindsdb/sql/parser/parseSql.ts";
import { visitTree, type SqlNode } from "../../mindsdb/sql/parser/sqlNode.ts";
import { tokenizeSql } from "../../mindsdb/sql/sqlTokens.ts";
import { countEdits } from "../../shared/closestNames.ts";
import {
  readExcept,
  readLateralJoin,
  readLostNot,
  readNaturalJoin,
  readOuterJoin,
  readViewRows,
  readWindowOrder,
} from "./clauseMisreadings.ts";
import { readCast } from "./casts.ts";
import { unwrap } from "./ignoredInputs.ts";
import type { Span } from "./recipe.ts";
import { applyChanges, changeFix, withoutFix, type SqlMisreading } from "./sqlMisreading.ts";
import { calculatedOtherwise, notCalculated } from "./unlikePostgres.ts";
import { readWrite } from "./writeMisreadings.ts";

/** Of a statement that the parser accepts, in the order of its text. */
export function findMisreadings(sql: string, { tree } = parseSql(sql)): SqlMisreading[] {
  const found: SqlMisreading[] = [];
  const inner = new Set<SqlNode>();
  const compared = new Set<SqlNode>();
  visitTree(tree, (node) => {
    // A data source gets a query in a condition as it is.
    if (node.kind === "expression" || compared.has(node)) {
      for (const child of node.children) if (child.kind === "union") compared.add(child);
    }
    if (node.kind === "union" && !compared.has(node)) found.push(...readUnion(node, sql));
    if (node.kind === "window") found.push(...readWindowOrder(node, sql));
    if (node.kind === "view") found.push(...readView(node, sql));
    if (hasTexts(node)) found.push(...readTexts(node, sql));
    const misreading = readNode(node, sql) ?? readLateOperator(node, inner);
    if (misreading) found.push(misreading);
    found.push(...readWrite(node, sql));
  });
  return found.sort((a, b) => a.start - b.start);
}

/** Comments that start between two numbers, as in `5--1`. They may be the last of a statement, so of a whole text. */
export function findGluedComments(text: string): SqlMisreading[] {
  if (!/--\d/.test(text)) return [];
  return tokenizeSql(text)
    .statements.flatMap(({ tokens }) => tokens)
    .flatMap(({ kind, text: token, end: start }) => {
      const isValue = kind === "word" || kind === "name" || token === ")";
      const minus = isValue ? /^--\d+/.exec(text.slice(start, start + 40)) : undefined;
      if (!minus) return [];
      const end = start + minus[0].length;
      const message = l10n.t(
        "MindsDB reads this as a comment, not as subtraction of a negative number.",
      );
      const fix = changeFix({ start, end: start + 2 }, "- -");
      return [{ start, end, message, findFixes: () => [fix] }];
    });
}

function readNode(node: SqlNode, sql: string): SqlMisreading | undefined {
  switch (node.kind) {
    case "target":
      return readLostAlias(node, sql) ?? readPrefix(node, sql) ?? readQuotedName(node, sql);
    case "orderTerm":
      return readQuotedName(node, sql);
    case "select": {
      const [, clause, items] = node.children;
      return clause?.kind === "GROUP_BY" && items ? readQuotedName(items, sql) : undefined;
    }
    case "expression":
      return node.children.length === 3
        ? (readInterval(node, sql) ??
            readCastType(node, sql) ??
            readTextAddition(node, sql) ??
            readQuotedName(node.children[0]!, sql))
        : (readCastType(node, sql) ?? readLostNot(node, sql));
    case "call":
      return readSubstring(node, sql);
    case "word":
      return readNumber(node, sql);
    case "joins":
      return readNaturalJoin(node, sql);
    case "join":
      return readLateralJoin(node);
    case "joinKind":
      return readOuterJoin(node);
    case "singleQuoted":
      return readOuterQuotes(node, sql);
    case "text":
      return readTextParameter(node, sql);
    default:
      return undefined;
  }
}

/** `substring(a FROM 2)`: of the name of `a` (26.1.0; 25.14.1 has the same parser). */
function readSubstring({ children, start, end }: SqlNode, sql: string): SqlMisreading | undefined {
  const [name, , value, from, first, last] = children;
  if (from?.kind !== "FROM" || !name || !value || !first || last?.kind === "FOR") return undefined;
  if (!/^substring$/i.test(sql.slice(name.start, name.end))) return undefined;
  const [text, position] = [value, first].map((one) => sql.slice(one.start, one.end)) as [
    string,
    string,
  ];
  return readOtherwise({ start, end }, `substring(${text}, ${position})`);
}

/** `a + '5'` becomes `a || '5'`, also for a data source (26.1.0). */
function readTextAddition({ children }: SqlNode, sql: string): SqlMisreading | undefined {
  const [first, operator, last] = children;
  if (operator?.kind !== "+") return undefined;
  for (const operand of [last!, first!]) {
    let node = unwrap(operand);
    while (node.children.length === 1) node = node.children[0]!;
    if (node.kind !== "SINGLE_QUOTED") continue;
    const text = sql.slice(node.start, node.end);
    const [, number] = /^'\s*(\d{1,30}(?:\.\d{1,30})?)\s*'$/.exec(text) ?? [];
    const isInterval = /^'\d{1,9} (second|minute|hour|day|week|month|year)s?'$/i.test(text);
    const fixed = number ?? (isInterval ? `INTERVAL ${text}` : undefined);
    if (fixed !== undefined) return readOtherwise(node, fixed);
  }
  return undefined;
}

/** Types of PostgreSQL that the server refuses for a data source (26.1.0), by what it knows. */
const knownTypes = new Map([
  ["timestamptz", "timestamp"],
  ["timetz", "time"],
  ["jsonb", "json"],
  ["citext", "text"],
  ["bpchar", "text"],
]);

function readCastType(node: SqlNode, sql: string): SqlMisreading | undefined {
  const cast = readCast(node);
  if (!cast) return undefined;
  const textOf = ({ start, end }: SqlNode): string => sql.slice(start, end);
  const name = textOf(cast.type).toLowerCase();
  const type = knownTypes.get(name);
  if (type === undefined) return undefined;
  const value = textOf(cast.value);
  // A text may have an offset, which a cast to another type would drop.
  const isText = /^'[^']{0,100}'$/.test(value) && name.endsWith("tz");
  const fixed = isText ? value : `CAST(${value} AS ${type})`;
  const message = notCalculated(isText ? value : type);
  const { start, end } = cast.type;
  return { start, end, message, findFixes: () => [changeFix(node, fixed)] };
}

function readOtherwise({ start, end }: Span, fixed: string): SqlMisreading {
  const message = calculatedOtherwise(fixed);
  return { start, end, message, findFixes: () => [changeFix({ start, end }, fixed)] };
}

/** `INTERVAL '7 days' d`: the alias becomes a part of the interval. */
function readInterval({ children }: SqlNode, sql: string): SqlMisreading | undefined {
  const [keyword, text, unit] = children;
  if (keyword?.kind !== "INTERVAL" || text?.kind !== "string" || !unit) return undefined;
  if (!/[a-z]/i.test(sql.slice(text.start, text.end))) return undefined;
  const fixed = `AS ${sql.slice(unit.start, unit.end)}`;
  const message = notCalculated(fixed);
  return { start: unit.start, end: unit.end, message, findFixes: () => [changeFix(unit, fixed)] };
}

/** An ORDER BY or LIMIT after a UNION, which the server applies to the last SELECT. */
function readUnion({ children, start }: SqlNode, sql: string): SqlMisreading[] {
  let clause: SqlNode | undefined;
  // Each clause is around those before it.
  for (let node = children.at(-1); node?.children[0]?.kind === "select"; node = node.children[0]) {
    const second = node.children[1]!;
    if (["ORDER_BY", "LIMIT", "FETCH_FIRST", "OFFSET"].includes(second.kind)) clause = second;
  }
  const except = readExcept(children);
  if (!clause) return except;
  const { end } = children.at(-1)!;
  const place = { start: clause.start, end };
  const text = sql.slice(clause.start, end);
  const message = l10n.t(
    "MindsDB applies this to the last SELECT only, not to all rows. Use WITH t AS (… UNION …) SELECT * FROM t, and put it after that.",
  );
  // Names of tables in it would be unknown there.
  const isFixable = start === 0 && !/^with\b/i.test(sql) && !text.includes(".");
  const changes = [
    { start: 0, end: 0, text: "WITH all_rows AS (" },
    { start: clause.start, end: clause.start, text: ") SELECT * FROM all_rows " },
  ];
  const fix = { title: l10n.t("Apply to All Rows"), changes };
  return [...except, { ...place, message, findFixes: () => (isFixable ? [fix] : []) }];
}

/** What is misread in the query of a view. */
function readView({ children }: SqlNode, sql: string): SqlMisreading[] {
  const text = children.find(({ kind }) => kind === "text");
  const source = children.find(({ kind }) => kind === "viewSource")?.children[0];
  // After FROM, it is a native query.
  if (!text || source?.kind === "FROM") return [];
  const query = sql.slice(text.start, text.end);
  const parsed = parseSql(query);
  const select = parsed.tree?.children[0];
  if (select?.kind !== "select" && select?.kind !== "union") return [];
  const rows = select.kind === "select" ? readViewRows(select) : undefined;
  const found = [...(rows ? [rows] : []), ...findMisreadings(query, parsed)];
  return moveMisreadings(found, text.start);
}

/** What is misread in the statements of a job or a trigger. */
function readTexts({ children }: SqlNode, sql: string): SqlMisreading[] {
  return children.flatMap(({ kind, start, end }) => {
    if (kind !== "text") return [];
    const text = sql.slice(start, end);
    return tokenizeSql(text).statements.flatMap((one) => {
      const statement = text.slice(one.start, one.end);
      const parsed = parseSql(statement);
      // Jobs in jobs would be read once for each level.
      if (hasTexts(parsed.tree?.children[0])) return [];
      return moveMisreadings(findMisreadings(statement, parsed), start + one.start);
    });
  });
}

/** Whether it has statements as its texts. */
function hasTexts(node: SqlNode | undefined): boolean {
  return node?.kind === "job" || node?.kind === "trigger";
}

/** Of a text that starts at `offset`. */
function moveMisreadings(found: readonly SqlMisreading[], offset: number): SqlMisreading[] {
  const move = <T extends Span>(span: T): T => ({
    ...span,
    start: span.start + offset,
    end: span.end + offset,
  });
  return found.map(({ findFixes, ...one }) => ({
    ...move(one),
    findFixes: () =>
      findFixes().map(({ title, changes }) => ({ title, changes: changes.map(move) })),
  }));
}

/** `SELECT a b c`: the first alias is dropped. */
function readLostAlias({ children }: SqlNode, sql: string): SqlMisreading | undefined {
  const [inner, ...rest] = children;
  // An alias follows another target; a query in parentheses does not.
  if (rest.length === 0 || inner?.children[0]?.kind !== "target") return undefined;
  if (readPrefix(inner, sql)) return undefined;
  const [base, lost] = [inner.children[0], inner.children.at(-1)!];
  const text = sql.slice(lost.start, lost.end);
  const zone = readTimeZone(base, lost, sql);
  if (zone) return zone.mark;
  // No comma can stand before AS.
  const commas = [...(inner.children[2] ? [] : [base]), ...(rest[1] ? [] : [lost])].map(
    ({ end }) => ({ start: end, end, text: "," }),
  );
  return {
    start: lost.start,
    end: lost.end,
    message: l10n.t("MindsDB ignores {0}: a value can have only one alias.", text),
    findFixes: () => {
      const before = sql.slice(Math.max(0, lost.start - 20), lost.start);
      if (/^precision$/i.test(text) && /\bdouble\s{1,9}$/i.test(before)) {
        const changes = [{ start: base.end, end: lost.end, text: "" }];
        return [{ title: l10n.t("Remove {0}", text), changes }];
      }
      return [
        ...closestKeywords(text, ["FROM"])
          .map((keyword) => changeFix(lost, keyword))
          .filter(({ changes }) => isClean(applyChanges(sql, changes))),
        ...(commas[0] ? [{ title: l10n.t("Separate with Commas"), changes: commas }] : []),
      ];
    },
  };
}

/** `a AT TIME ZONE 'UTC'`: each word is an alias. Only the first is marked; undefined for other aliases. */
function readTimeZone(
  base: SqlNode | undefined,
  { start, end }: SqlNode,
  sql: string,
): { mark: SqlMisreading | undefined } | undefined {
  const before = /\bAT\s{1,9}(TIME\s{1,9}(ZONE\s{1,9})?)?$/i.exec(
    sql.slice(Math.max(0, start - 40), start),
  );
  const zone = /^AT\s{1,9}TIME\s{1,9}ZONE(?:\s{1,9}('[^']{0,80}'))?/i.exec(
    sql.slice(start, end + 120),
  );
  if (zone) {
    const message = l10n.t("MindsDB ignores {0}: a value can have only one alias.", "AT TIME ZONE");
    const place = { start, end: start + zone[0].length };
    if (!base || zone[1] === undefined) return { mark: withoutFix(place, message) };
    const fixed = `timezone(${zone[1]}, ${sql.slice(base.start, base.end)})`;
    const fix = changeFix({ start: base.start, end: place.end }, fixed);
    return { mark: { ...place, message, findFixes: () => [fix] } };
  }
  return before ? { mark: undefined } : undefined;
}

/** `E'x'` and `TIMESTAMP 'x'` are a column and its alias; so is `ALL a`. */
function readPrefix({ children }: SqlNode, sql: string): SqlMisreading | undefined {
  const [value, alias, ...others] = children;
  if (!value || !alias || others.length > 0) return undefined;
  const [prefix, text] = [value, alias].map(({ start, end }) => sql.slice(start, end)) as [
    string,
    string,
  ];
  const { start } = value;
  // A value can be a query with values of the same kind in it.
  if (!/^(all|timestamp|datetime|time|[ebnxru])$/i.test(prefix)) return undefined;
  const message = l10n.t("MindsDB reads {0} as the name of a column.", prefix);
  if (/^all$/i.test(prefix)) {
    const change = { start, end: alias.start, text: "" };
    const fixes = [{ title: l10n.t("Remove {0}", prefix), changes: [change] }];
    return { start, end: value.end, message, findFixes: () => fixes };
  }
  if (alias.kind !== "singleQuoted") return undefined;
  if (/^(timestamp|datetime|time)$/i.test(prefix)) {
    const cast = `CAST(${text} AS ${prefix.toLowerCase()})`;
    const fixes = [changeFix({ start, end: alias.end }, cast)];
    return { start, end: alias.end, message, findFixes: () => fixes };
  }
  if (value.end !== alias.start) return undefined;
  const isPlain = /^[en]$/i.test(prefix) && !text.includes("\\");
  const fixes = isPlain ? [changeFix({ start, end: alias.end }, text)] : [];
  return { start, end: alias.end, message, findFixes: () => fixes };
}

/** A name in double quotes where only a text can be: a whole value, an order, what is compared. */
function readQuotedName(node: SqlNode, sql: string): SqlMisreading | undefined {
  let inner = node;
  while (inner.children.length === 1) inner = inner.children[0]!;
  if (inner.kind !== "DOUBLE_QUOTED") return undefined;
  const { start, end } = inner;
  const name = sql.slice(start + 1, end - 1);
  if (name === "" || /[`\\"]/.test(name)) return undefined;
  return {
    start,
    end,
    message: l10n.t("MindsDB reads {0} as text. Put names in backticks.", sql.slice(start, end)),
    findFixes: () => [changeFix({ start, end }, `\`${name}\``)],
  };
}

/** Operators without a precedence in the server's parser: they are applied last, `a || b = c` as `a || (b = c)`. */
const lateOperators = new Set("|| ~ !~ ->> @> <@ && <-> <+> <#> <=> <~> <%>".split(" "));
const comparisons = new Set(
  "= != < <= > >= AND OR LIKE NOT_LIKE IN NOT_IN IS IS_NOT BETWEEN".split(" "),
);

/** `inner` gets those that were read with others. */
function readLateOperator(node: SqlNode, inner: Set<SqlNode>): SqlMisreading | undefined {
  if (!isLate(node) || inner.has(node)) return undefined;
  const [left, operator, right] = node.children as [SqlNode, SqlNode, SqlNode];
  const isAndOr = ({ children }: SqlNode): boolean => /^(AND|OR)$/.test(children[1]?.kind ?? "");
  // Between comparisons, MySQL's AND and OR are meant.
  const isLogical = [left, right].every((side) => isComparison(side) && !isAndOr(side));
  if (isLogical && /^(&&|\|\|)$/.test(operator.kind)) return undefined;
  let isMisread = false;
  /** The last operand of the chain on a side, up to the nearest comparison. */
  const findEnd = (operand: SqlNode, isLeft: boolean): SqlNode => {
    let isCompared = false;
    for (;;) {
      const { children } = operand;
      const isTested = isComparison(operand) || (isLeft && children[0]?.kind === "NOT");
      if (!isTested && !isLate(operand)) return operand;
      inner.add(operand);
      isCompared ||= isTested;
      isMisread ||= isTested;
      const [first, last] = [children[0]!, children.at(-1)!];
      const [near, far] = isLeft ? [last, first] : [first, last];
      operand = isCompared || isComparison(near) ? near : far;
    }
  };
  const { start } = findEnd(left, true);
  const { end } = findEnd(right, false);
  if (!isMisread) return undefined;
  const changes = [
    { start, end: start, text: "(" },
    { start: end, end, text: ")" },
  ];
  return {
    start: operator.start,
    end: operator.end,
    message: l10n.t(
      "MindsDB applies {0} after comparisons, AND, and OR. Use parentheses.",
      operator.kind,
    ),
    findFixes: () => [{ title: l10n.t("Put in Parentheses"), changes }],
  };
}

function isLate({ children }: SqlNode): boolean {
  return children.length === 3 && lateOperators.has(children[1]!.kind);
}

function isComparison({ children }: SqlNode): boolean {
  return comparisons.has(children[1]?.kind ?? "");
}

/** `1e3` and `0x1F` are names of columns. */
function readNumber({ start, end }: SqlNode, sql: string): SqlMisreading | undefined {
  const text = sql.slice(start, end);
  if (!/^(\d+e\d+|0x[\da-f]+)$/i.test(text)) return undefined;
  const number = Number(text);
  const fixes = Number.isSafeInteger(number) ? [changeFix({ start, end }, String(number))] : [];
  return {
    start,
    end,
    message: l10n.t("MindsDB reads {0} as the name of a column.", text),
    findFixes: () => fixes,
  };
}

/** A text that begins or ends with a quote: the server removes all quotes around it. */
function readOuterQuotes({ start, end }: SqlNode, sql: string): SqlMisreading | undefined {
  const text = sql.slice(start + 1, end - 1);
  if (!text.startsWith("''") && !text.endsWith("''")) return undefined;
  const message = l10n.t("MindsDB drops quotes at the beginning and the end of a text.");
  return withoutFix({ start, end }, message);
}

/** In the statements of views and jobs and in native queries, the server drops the colon. */
function readTextParameter({ children }: SqlNode, sql: string): SqlMisreading | undefined {
  const parameter = children.find(({ kind }) => kind === "PARAMETER");
  if (!parameter || sql[parameter.start] !== ":") return undefined;
  const message = l10n.t(
    "Parameters can't be used here: MindsDB drops the colon in views, jobs, and native queries. Use a value instead.",
  );
  return withoutFix(parameter, message);
}

/** The keywords that a word may have been meant as, the most similar first. */
export function closestKeywords(text: string, keywords: Iterable<string>): string[] {
  const word = text.toUpperCase();
  if (!/^[A-Z_]{2,20}$/.test(word)) return [];
  const limit = word.length < 3 ? 1 : 2;
  return [...keywords]
    .filter((keyword) => keyword !== word)
    .map((keyword) => ({ keyword, score: countEdits(word, keyword) }))
    .filter(({ score }) => score <= limit)
    .sort((a, b) => a.score - b.score)
    .map(({ keyword }) => keyword);
}

function isClean(sql: string): boolean {
  return !parseSql(sql).problem && findMisreadings(sql).every((one) => one.dependsOnSource);
}
