// Clauses that MindsDB accepts but drops, or applies to other rows than SQL says (26.1.0; the code of 25.14.1 is the same).
import * as l10n from "@vscode/l10n";
import { cutOff } from "../../mindsdb/cutText.ts";
import { visitTree, type SqlNode } from "../../mindsdb/sql/parser/sqlNode.ts";
import { changeFix, withoutFix, type SqlMisreading } from "./sqlMisreading.ts";

/** Characters of a condition in a message. */
const maxShown = 20;

/** `NULLS FIRST` and `NULLS LAST` in `OVER (…)`. Ascending, most data sources sort NULL last anyway. */
export function readWindowOrder(window: SqlNode, sql: string): SqlMisreading[] {
  const found: SqlMisreading[] = [];
  let terms = findChild(window, "orderTerms");
  for (; terms; terms = findChild(terms, "orderTerms")) {
    const term = findChild(terms, "orderTerm");
    const nulls = term && (findChild(term, "NULLS_FIRST") ?? findChild(term, "NULLS_LAST"));
    if (!term || !nulls) continue;
    let value = term.children[0]!;
    let isDescending = false;
    while (value.kind === "orderTerm") {
      isDescending ||= findChild(value, "DESC") !== undefined;
      value = value.children[0]!;
    }
    const isLast = nulls.kind === "NULLS_LAST";
    if (isLast && !isDescending) continue;
    const text = sql.slice(value.start, value.end);
    const test = value.children.length === 1 ? text : `(${text})`;
    const order = `${test} IS ${isLast ? "" : "NOT "}NULL, ${text}${isDescending ? " DESC" : ""}`;
    const place = { start: nulls.start, end: nulls.end };
    const message = l10n.t(
      "MindsDB drops this in OVER (…), so the data source decides where NULL is. Sort by … IS NULL first.",
    );
    const fix = changeFix({ start: term.start, end: nulls.end }, order);
    found.push({ ...place, message, findFixes: () => [fix] });
  }
  return found;
}

/** `NOT` before `… IS NULL`, `IS TRUE`, and the like: the server sends the condition without it, also of UPDATE and DELETE. */
export function readLostNot({ children }: SqlNode, sql: string): SqlMisreading | undefined {
  const [not, operand] = children;
  if (not?.kind !== "NOT" || !operand) return undefined;
  let test = operand;
  while (test.children[0]?.kind === "(" && test.children.length === 3) test = test.children[1]!;
  const operator = test.children[1];
  if (operator?.kind !== "IS" && operator?.kind !== "IS_NOT") return undefined;
  const opposite = operator.kind === "IS" ? "IS NOT" : "IS";
  const way = `… ${opposite} ${cutOff(sql.slice(operator.end, test.end).trim(), maxShown)}`;
  const message = l10n.t("MindsDB drops this NOT. Use {0} instead.", way);
  const fix = {
    title: l10n.t("Change to {0}", way),
    changes: [
      { start: not.start, end: operand.start, text: "" },
      { start: operator.start, end: operator.end, text: opposite },
    ],
  };
  return { start: not.start, end: not.end, message, findFixes: () => [fix] };
}

/** `FULL OUTER JOIN`: a data source gets it as `JOIN`, unlike FULL JOIN. */
export function readOuterJoin(kind: SqlNode): SqlMisreading | undefined {
  const [full, outer] = kind.children;
  if (full?.kind !== "FULL" || outer?.kind !== "OUTER") return undefined;
  const message = l10n.t(
    "If one data source joins these tables, it gets this as JOIN, without the rows that have no match. Use FULL JOIN.",
  );
  const fix = changeFix(kind, "FULL JOIN");
  return { start: kind.start, end: kind.end, message, findFixes: () => [fix] };
}

/** `a NATURAL JOIN b`: an alias of `a`. */
export function readNaturalJoin({ children }: SqlNode, sql: string): SqlMisreading | undefined {
  const [first, ...others] = children;
  const alias = first?.kind === "aliasedSource" ? first.children.at(-1) : undefined;
  const isNatural = alias?.kind === "name" && /^natural$/i.test(sql.slice(alias.start, alias.end));
  if (!isNatural || !others.some(({ kind }) => kind === "join")) return undefined;
  const message = l10n.t(
    "MindsDB reads {0} as an alias, and joins each row with each. Use JOIN … ON ….",
    sql.slice(alias.start, alias.end),
  );
  return withoutFix(alias, message);
}

/** `LEFT JOIN LATERAL`: a data source gets it as `JOIN LATERAL`. */
export function readLateralJoin(join: SqlNode): SqlMisreading | undefined {
  const kind = findChild(join, "joinKind");
  const isOuter = kind?.children.some((one) => /^(LEFT|RIGHT|FULL)$/.test(one.kind));
  if (!isOuter || !findChild(join, "LATERAL")) return undefined;
  const message = l10n.t(
    "MindsDB sends this to a data source as JOIN LATERAL, without the rows that have no match.",
  );
  return withoutFix(join, message);
}

/** `EXCEPT` between queries. */
export function readExcept(parts: readonly SqlNode[]): SqlMisreading[] {
  const except = parts.find(({ kind }) => kind === "EXCEPT");
  const message = l10n.t(
    "MindsDB runs EXCEPT as UNION, or refuses it. Use WHERE … NOT IN (SELECT …) instead.",
  );
  return except ? [withoutFix(except, message)] : [];
}

/**
 * LIMIT, OFFSET, DISTINCT ON, or a window in a view with `*` of one table: the server moves conditions on columns from the query
 * that reads the view into the view's WHERE, which comes before. `view`: the SELECT.
 */
export function findViewClause(view: SqlNode): { name: string; node: SqlNode } | undefined {
  const clauses = new Map<string, SqlNode>();
  // Each clause is around those before it.
  let node: SqlNode | undefined = view;
  for (; node; node = findChild(node, "select")) {
    for (const child of node.children) clauses.set(child.kind, child);
  }
  const targets = clauses.get("targets");
  if (!targets || !hasStar(targets) || clauses.has("joins") || clauses.has("sources")) {
    return undefined;
  }
  for (const name of ["LIMIT", "FETCH_FIRST", "OFFSET"]) {
    const clause = clauses.get(name);
    if (clause) return { name: name.replace("_", " "), node: clause };
  }
  const distinct = clauses.has("ON") ? clauses.get("DISTINCT") : undefined;
  if (distinct) return { name: "DISTINCT ON", node: distinct };
  let window: SqlNode | undefined;
  visitTree(targets, (one) => {
    if (one.kind === "windowCall") window ??= one;
  });
  return window && { name: "OVER (…)", node: window };
}

/** What comes too late in the query of a view. A subquery in the view keeps conditions outside. */
export function readViewRows(view: SqlNode): SqlMisreading | undefined {
  const found = findViewClause(view);
  if (!found) return undefined;
  const message = l10n.t(
    "MindsDB applies conditions on the columns of this view before this. Use SELECT * FROM (…) AS t as its query.",
  );
  const { start, end } = view;
  const changes = [
    { start, end: start, text: "SELECT * FROM (" },
    { start: end, end, text: ") AS t" },
  ];
  const fix = { title: l10n.t("Use a Subquery"), changes };
  const place = { start: found.node.start, end: found.node.end };
  return { ...place, message, findFixes: () => [fix] };
}

/** Whether one of the outputs is `*`. */
function hasStar(targets: SqlNode): boolean {
  for (let rest: SqlNode | undefined = targets; rest;) {
    let target = rest.children.at(-1);
    while (target?.kind === "target") target = target.children[0];
    if (target?.kind === "star") return true;
    rest = findChild(rest, "targets");
  }
  return false;
}

function findChild({ children }: SqlNode, kind: string): SqlNode | undefined {
  return children.find((one) => one.kind === kind);
}
