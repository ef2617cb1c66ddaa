// Statements that write, and that MindsDB runs otherwise than they say (mindsdb-sql-parser 0.13.8 and 26.1.0), with fixes.
import * as l10n from "@vscode/l10n";
import { filesSource } from "../../mindsdb/filesSource.ts";
import { isSameName } from "../../mindsdb/nameOrder.ts";
import { defaultProjectName } from "../../mindsdb/projects.ts";
import { nameParts } from "../../mindsdb/sql/parser/checks.ts";
import { parseSql } from "../../mindsdb/sql/parser/parseSql.ts";
import type { SqlNode } from "../../mindsdb/sql/parser/sqlNode.ts";
import type { TextChange } from "./recipeEdits.ts";
import { applyChanges, changeFix, withoutFix, type SqlMisreading } from "./sqlMisreading.ts";

/** Of one node of a statement's tree. */
export function readWrite(node: SqlNode, sql: string): SqlMisreading[] {
  const { kind } = node;
  if (kind !== "insert" && kind !== "createTable" && kind !== "update") return [];
  const lostSchema = kind === "update" ? undefined : readLostSchema(node, sql);
  const others = { insert: readInsert, createTable: readNewTable, update: readUpdate };
  return [...(lostSchema ? [lostSchema] : []), ...others[kind](node, sql)];
}

/**
 * `INSERT INTO source.schema.table`, also after CREATE TABLE: engines that insert rows by a method of their own get the
 * table's name alone (seen on 26.1.0 with PostgreSQL; 25.14.1 makes the same call).
 */
function readLostSchema({ kind, children }: SqlNode, sql: string): SqlMisreading | undefined {
  const name = children.find((child) => child.kind === "name");
  // A table that gets no rows is created in its schema.
  const hasRows = kind === "insert" || children.some((child) => child.kind === "select");
  const parts = name && hasRows ? nameParts(name, sql) : [];
  if (!name || parts.length !== 3) return undefined;
  const message = l10n.t(
    "In PostgreSQL, Redshift, and Oracle, MindsDB ignores the schema {0} here: the rows go to the default schema.",
    parts[1] ?? "",
  );
  return { ...withoutFix(name, message), lostSchema: parts[1] };
}

function readInsert(insert: SqlNode, sql: string): SqlMisreading[] {
  const list = insert.children.find(({ kind }) => kind === "columns");
  const rows = insert.children.find(({ kind }) => kind === "rows");
  const ignored = readIgnoredColumns(insert, sql);
  return [
    ...(ignored ? [ignored] : []),
    ...(list && !ignored ? readRepeatedColumn(list, sql) : []),
    ...ofSource(insert, sql, () => [
      ...(list && rows ? readKeptBackticks(flatten(list), sql, true) : []),
      ...(rows ? readStoredValues(rows, sql) : []),
    ]),
  ];
}

function readUpdate(update: SqlNode, sql: string): SqlMisreading[] {
  const assignments = update.children.find(({ kind }) => kind === "assignments");
  if (!assignments) return [];
  return ofSource(update, sql, () =>
    readKeptBackticks(
      flatten(assignments).map(({ children }) => children[0]!),
      sql,
    ),
  );
}

/**
 * Columns that are written or created with their backticks (seen on 26.1.0 with PostgreSQL). `keepsCase`: without backticks,
 * capitals stay.
 */
function readKeptBackticks(
  columns: readonly SqlNode[],
  sql: string,
  keepsCase = false,
): SqlMisreading[] {
  return columns.flatMap((column) => {
    const text = sql.slice(column.start, column.end);
    if (!text.startsWith("`")) return [];
    const name = text.slice(1, -1);
    const fix = changeFix(column, name);
    const isPlain =
      (keepsCase ? /^[a-z_]\w*$/i : /^[a-z_][a-z\d_]*$/).test(name) &&
      parseSql(applyChanges(sql, fix.changes)).problem === undefined;
    const message = l10n.t(
      "In PostgreSQL, MindsDB takes these backticks as a part of the column's name.",
    );
    return [{ ...withoutFix(column, message), findFixes: () => (isPlain ? [fix] : []) }];
  });
}

function readNewTable(table: SqlNode, sql: string): SqlMisreading[] {
  return ofSource(table, sql, () => {
    const query = readQueriedTypes(table);
    return [...(query ? [query] : []), ...readDefinitions(table, sql)];
  });
}

/**
 * `CREATE TABLE t (SELECT …)`: the types of the columns follow from the values that were read (seen on 26.1.0 with PostgreSQL,
 * where `numeric` became `text`).
 */
function readQueriedTypes(table: SqlNode): SqlMisreading | undefined {
  const query = table.children.find(({ kind }) => kind === "select");
  const keyword = table.children.find(({ kind }) => kind === "TABLE");
  if (!query || !keyword) return undefined;
  const message = l10n.t(
    "MindsDB chooses the types of the columns: decimal numbers become text, which sorts and compares otherwise. To choose them, create the table with columns, then use INSERT INTO … SELECT. With both, empty texts become NULL.",
  );
  return withoutFix(keyword, message);
}

/**
 * Columns of CREATE TABLE. Of `varchar(10)`, the table gets the type alone (seen on 26.1.0 with PostgreSQL; 25.14.1 makes the
 * same call).
 */
function readDefinitions(table: SqlNode, sql: string): SqlMisreading[] {
  const list = table.children.find(({ kind }) => kind === "columnDefinitions");
  if (!list) return [];
  return flatten(list).flatMap((definition) => {
    // NULL and NOT NULL follow a definition.
    while (definition.children[0]?.kind === "columnDefinition") definition = definition.children[0];
    const [column, , open, ...rest] = definition.children;
    // Not PRIMARY KEY (a, b).
    if (column?.kind !== "word") return [];
    const backticks = readKeptBackticks([column], sql);
    const close = rest.find(({ kind }) => kind === ")");
    if (open?.kind !== "(" || !close) return backticks;
    const span = { start: open.start, end: close.end };
    const text = sql.slice(span.start, span.end);
    const message = l10n.t("In PostgreSQL, MindsDB creates the column without {0}.", text);
    return [...backticks, withoutFix(span, message)];
  });
}

/** What is found only in a statement that writes a table of a data source. */
function ofSource(statement: SqlNode, sql: string, find: () => SqlMisreading[]): SqlMisreading[] {
  const name = statement.children.find(({ kind }) => kind === "name");
  const [source = "", ...rest] = name ? nameParts(name, sql) : [];
  if (rest.length === 0) return find().map((one) => ({ ...one, dependsOnSource: true }));
  const isSource = !isSameName(source, defaultProjectName) && !isSameName(source, filesSource);
  return isSource ? find() : [];
}

/** `INSERT INTO t (a, a)`: the values of the second one are dropped (seen on 26.1.0 with PostgreSQL). */
function readRepeatedColumn(list: SqlNode, sql: string): SqlMisreading[] {
  const names = new Set<string>();
  for (const column of flatten(list)) {
    const name = nameParts(column, sql).at(-1) ?? "";
    if (names.has(name)) {
      const message = l10n.t(
        "MindsDB ignores the values of this column: {0} is there twice.",
        name,
      );
      return [withoutFix(column, message)];
    }
    names.add(name);
  }
  return [];
}

/**
 * Values that PostgreSQL gets otherwise, the first of each kind: MindsDB writes the rows as CSV, in which a call is a text and
 * an empty text is NULL (seen on 26.1.0). A time can be written `now()`.
 */
function readStoredValues(rows: SqlNode, sql: string): SqlMisreading[] {
  let call: SqlNode | undefined;
  let empty: SqlNode | undefined;
  const waiting = [rows];
  for (let node = waiting.pop(); node && !(call && empty); node = waiting.pop()) {
    if (node.kind !== "expression") {
      waiting.push(...node.children.toReversed());
      continue;
    }
    const text = sql.slice(node.start, node.end);
    if (node.children[0]?.kind === "call" && !/^now\b/i.test(text)) call ??= node;
    if (text === "''") empty ??= node;
  }
  return [
    ...(call
      ? [
          withoutFix(
            call,
            l10n.t(
              "In PostgreSQL, MindsDB stores this call as text. Use INSERT INTO … SELECT instead of VALUES.",
            ),
          ),
        ]
      : []),
    ...(empty
      ? [withoutFix(empty, l10n.t("In PostgreSQL, MindsDB stores NULL for this empty text."))]
      : []),
  ];
}

/**
 * `INSERT INTO t (a, b) SELECT x, y`: each value goes into the column of its own name, so values are swapped, or a column is
 * not found (seen on 26.1.0 with PostgreSQL).
 */
function readIgnoredColumns({ children }: SqlNode, sql: string): SqlMisreading | undefined {
  const list = children.find(({ kind }) => kind === "columns");
  const targets = list && readTargets(children.at(-1)!);
  if (!targets) return undefined;
  const columns = flatten(list);
  const nameOf = (node: SqlNode): string | undefined => nameParts(node, sql).at(-1);
  const changes: TextChange[] = [];
  targets.forEach((target, index) => {
    const [inner, ...alias] = target.children;
    const isAliased = inner?.kind === "target";
    let value = isAliased ? alias.at(-1)! : target;
    while (!isAliased && value.children.length === 1 && value.kind !== "name") {
      value = value.children[0]!;
    }
    const name = isAliased || value.kind === "name" ? nameOf(value) : undefined;
    const column = columns[index];
    if (column && isSameName(name, nameOf(column))) return;
    const { start, end } = column ?? list;
    const text = ` AS ${sql.slice(start, end)}`;
    changes.push({ start: isAliased ? inner.end : target.end, end: target.end, text });
  });
  if (changes.length === 0 && targets.length === columns.length) return undefined;
  const fix = { title: l10n.t("Name the Values as the Columns"), changes };
  return {
    start: list.start,
    end: list.end,
    message: l10n.t(
      "MindsDB ignores this list: each value goes into the column with the value's own name.",
    ),
    findFixes: () => (targets.length === columns.length ? [fix] : []),
  };
}

/** What a query returns; undefined if it returns all columns of a table. */
function readTargets(query: SqlNode): SqlNode[] | undefined {
  let select: SqlNode | undefined = query;
  const hasTargets = ({ children }: SqlNode): boolean =>
    children.some(({ kind }) => kind === "targets");
  while (select && !hasTargets(select)) {
    // After WITH, in parentheses, or the first one of a UNION.
    // few: the parts of a rule.
    select = select.children.find(({ kind }) => kind === "select" || kind === "union");
  }
  const list = select?.children.find(({ kind }) => kind === "targets");
  if (!list) return undefined;
  const targets = flatten(list);
  return targets.some(hasStar) ? undefined : targets;
}

/** Whether a target is `*` or `t.*`. */
function hasStar(target: SqlNode): boolean {
  let node = target;
  while (node.children.length > 0 && node.kind !== "call") node = node.children.at(-1)!;
  return node.kind === "*";
}

/** The items of a list, which has the items before the last one as its first part. */
function flatten(list: SqlNode): SqlNode[] {
  const items: SqlNode[] = [];
  for (let node: SqlNode | undefined = list; node;) {
    items.push(node.children.at(-1)!);
    node = node.children.length > 1 ? node.children[0] : undefined;
  }
  return items.reverse();
}
