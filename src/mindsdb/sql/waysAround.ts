// What to write instead where a statement fails for a reason that the server's message does not tell (26.1.0).
import * as l10n from "@vscode/l10n";
import { isSameName } from "../nameOrder.ts";
import { explainRefusedCall } from "./refusedCalls.ts";
import { tokenizeSql } from "./sqlTokens.ts";

/** How a statement failed. */
export interface Failure {
  message: string;
  /** The whole answer: it also has the statement that a data source got. */
  answer: string;
  statement: string;
  /** The position in the statement that the server reports. */
  place?: { start: number; end: number } | undefined;
}

interface WayAround {
  helps: (failure: Failure) => boolean;
  way: (failure: Failure) => string | undefined;
}

/** Longer statements are not read. */
const maxStatement = 100_000;

const hasSubquery = ({ statement }: Failure): boolean => /\(\s*SELECT\b/i.test(statement);

/** Functions of PostgreSQL by what does the same in DuckDB, with which the server calculates. */
const functionsInDuckDB = new Map([
  ["to_char", "strftime(date, '%Y-%m-%d')"],
  ["date", "CAST(… AS date)"],
  ["to_date", "CAST(strptime(text, '%Y-%m-%d') AS date)"],
  ["initcap", "upper(left(text, 1)) || lower(substr(text, 2))"],
  ["btrim", "trim(text)"],
  ["json_build_object", "json_object(key, value)"],
  ["ifnull", "coalesce(value, other)"],
  ["nvl", "coalesce(value, other)"],
  ["isnull", "value IS NULL"],
  ["getdate", "now()"],
  ["charindex", "strpos(text, search)"],
  ["dateadd", "date + INTERVAL '1 day'"],
]);

/** Functions of DuckDB, of MySQL, and of SQL Server by what does the same in PostgreSQL. */
const functionsInPostgres = new Map([
  ...["year", "month", "day", "hour", "minute", "second", "week", "quarter"].map(
    (part) => [part, `extract(${part} FROM date)`] as const,
  ),
  ["dayname", "to_char(date, 'FMDay')"],
  ["monthname", "to_char(date, 'FMMonth')"],
  ["strftime", "to_char(date, 'YYYY-MM-DD')"],
  ["date_format", "to_char(date, 'YYYY-MM-DD')"],
  ["strptime", "to_timestamp(text, 'YYYY-MM-DD')"],
  ["datediff", "CAST(later AS date) - CAST(earlier AS date)"],
  ["date_diff", "CAST(later AS date) - CAST(earlier AS date)"],
  ["dateadd", "date + INTERVAL '1 day'"],
  ["last_day", "date_trunc('month', date) + INTERVAL '1 month' - INTERVAL '1 day'"],
  ["curdate", "current_date"],
  ["getdate", "now()"],
  ["ifnull", "coalesce(value, other)"],
  ["nvl", "coalesce(value, other)"],
  ["isnull", "value IS NULL"],
  ["if", "CASE WHEN … THEN … ELSE … END"],
  ["iif", "CASE WHEN … THEN … ELSE … END"],
  ["group_concat", "string_agg(text, ',')"],
  ["contains", "strpos(text, search) > 0"],
  ["charindex", "strpos(text, search)"],
  ["instr", "strpos(text, search)"],
  ["locate", "strpos(text, search)"],
  ["len", "length(text)"],
  ["ucase", "upper(text)"],
  ["lcase", "lower(text)"],
  ["regexp_extract", "substring(text, pattern)"],
  ["truncate", "trunc(number, digits)"],
]);

/** In this order: the first that helps is told. */
const ways: readonly WayAround[] = [
  {
    helps: ({ message, statement }) =>
      message.startsWith("Syntax error") && /^\s*ALTER\s+TABLE\b/i.test(statement),
    way: () => l10n.t("MindsDB can't change the columns of a table. Create another table."),
  },
  {
    helps: ({ message }) => message.startsWith("'Except' object has no attribute"),
    way: () => l10n.t("Use {0} instead.", "WHERE … NOT IN (SELECT …)"),
  },
  {
    helps: ({ message }) =>
      /^'(Identifier|BinaryOperation|Function|TypeCast|Select)' object has no attribute 'value'$/.test(
        message,
      ),
    way: () =>
      l10n.t(
        "If the statement is an INSERT, its VALUES can only be numbers, texts, true, false, and NULL. Use INSERT INTO … SELECT for others.",
      ),
  },
  {
    helps: ({ message }) => message.includes("'<>' is not a valid FilterOperator"),
    way: () => l10n.t("Use != for a knowledge base."),
  },
  {
    // In a condition on a view, AND combines a comparison of a column with anything but that, such as IN or a function.
    helps: ({ message }) => message === "'NoneType' object is not iterable",
    way: (failure) =>
      hasSubquery(failure)
        ? l10n.t(
            "If the statement reads a view, join it with the subquery instead: JOIN (SELECT DISTINCT …) AS s ON ….",
          )
        : l10n.t(
            "If the statement reads a view, read it in a subquery: SELECT … FROM (SELECT * FROM view) AS v WHERE ….",
          ),
  },
  {
    helps: ({ message, statement }) =>
      message.includes("Table not found for column: (") && /\bHAVING\b/i.test(statement),
    way: () =>
      l10n.t(
        "A subquery in HAVING can't read from a data source here. Use a join: FROM (SELECT …) AS t JOIN (SELECT …) AS s ON t.n > s.m.",
      ),
  },
  {
    helps: (failure) =>
      failure.message.includes("Table not found for column: (") && hasSubquery(failure),
    way: () =>
      l10n.t(
        "A SELECT without FROM can have one subquery. Join several: FROM (SELECT …) AS a JOIN (SELECT …) AS b ON 1 = 1.",
      ),
  },
  {
    helps: ({ message, statement }) =>
      /Referenced (table|column) /.test(message) && /\bDISTINCT\s+ON\b/i.test(statement),
    way: () => l10n.t("In DISTINCT ON, use the name that AS gives the column, without a table."),
  },
  {
    helps: ({ message, statement }) =>
      /Referenced column "|missing FROM-clause entry for table |relation "[^"]*" does not exist/.test(
        message,
      ) &&
      (/\bEXISTS\b/i.test(statement) || isNamedInSubquery(message, statement)),
    way: () =>
      l10n.t(
        "A query in parentheses can only name tables of the query around it where one data source has all of them. Use IN (SELECT …) or a join.",
      ),
  },
  {
    helps: (failure) =>
      hasSubquery(failure) &&
      /relation "[^".]{1,200}\.[^"]{1,200}" does not exist/.test(failure.message),
    way: () =>
      l10n.t(
        "A data source can't run a subquery about another one here. Use a join, or IN (SELECT …) in WHERE.",
      ),
  },
  {
    helps: ({ message }) =>
      /^Embeddings column is required!|Document ID must be provided before preprocessing/.test(
        message,
      ),
    way: () =>
      l10n.t("A knowledge base can't be updated. An INSERT with the same id replaces the row."),
  },
  {
    helps: ({ message }) =>
      message.includes("[file/files]") &&
      /Conversion failed for column|File is too small to be a well-formed file/.test(message),
    way: () =>
      l10n.t("An INSERT with a value of another type destroys a file table. Create it again."),
  },
  {
    // It can't run it on rows that it has read before.
    helps: (failure) =>
      hasSubquery(failure) &&
      /Catalog Error: Table with name \S{1,200} does not exist/.test(failure.message),
    way: () =>
      l10n.t(
        "A subquery can't read from a data source in a condition on another subquery. Use a join.",
      ),
  },
  {
    helps: (failure) =>
      hasSubquery(failure) && failure.message.includes('syntax error at or near "UNION"'),
    way: () => l10n.t("A UNION after IN fails for another data source. Use IN (…) OR IN (…)."),
  },
  {
    helps: ({ message }) => /^Unsupported from_table .*\.Union'>$/.test(message),
    way: () => l10n.t("Put the UNION into WITH: WITH t AS (… UNION …) SELECT … FROM t."),
  },
  {
    // A condition becomes a part of the view's query, where its names are others.
    helps: ({ message }) => message.includes("missing FROM-clause entry for table "),
    way: () =>
      l10n.t(
        "If the condition is on a view, name its columns without the view or its alias before them.",
      ),
  },
  {
    // What it joins itself, it joins with ON.
    helps: ({ message, answer }) =>
      answer.includes("CROSS JOIN") && message.includes('syntax error at or near "ON"'),
    way: () =>
      l10n.t("For tables of different sources, use JOIN … ON 1 = 1 in place of CROSS JOIN."),
  },
  {
    // It puts the rows of a subquery into the statement as numbers and texts.
    helps: ({ answer }) => /[(,] ?(?:<NA>|nan|None)[,)]/.test(answer),
    way: (failure) =>
      hasSubquery(failure) || !/\bJOIN\b/i.test(failure.statement)
        ? l10n.t("A subquery after IN returned NULL. Add WHERE … IS NOT NULL to it.")
        : l10n.t("A column of the join has NULL. Add a condition that it IS NOT NULL."),
  },
  {
    helps: ({ message, statement }) =>
      /(?:^|: )AssertionError$/.test(message) && /\bIN\s*\(/i.test(statement),
    way: () =>
      l10n.t("A subquery after IN may have returned no rows, which this server can't use."),
  },
  {
    // It puts the value of a subquery into the statement.
    helps: (failure) =>
      hasSubquery(failure) &&
      failure.message.includes('syntax error at or near ")"') &&
      /[(<>=,] ?\(\)/.test(failure.answer),
    way: () =>
      l10n.t(
        "A subquery returned no row, which this server can't use as a value. One of an aggregate always returns a row: (SELECT max(a) FROM …).",
      ),
  },
  {
    helps: ({ message }) =>
      message.includes("TIMESTAMP WITH TIME ZONE") &&
      /Cannot (?:compare|mix) values|type for cast|No function matches/.test(message),
    way: () =>
      l10n.t(
        "One of these values has a time zone and the other has none. Use CAST(… AS timestamp) for the one that has it.",
      ),
  },
  {
    // `~~` is LIKE.
    helps: ({ message }) => /\(INTEGER, STRING_|\(STRING_LITERAL, INTEGER\)/.test(message),
    way: () =>
      l10n.t(
        "If a data source returned no rows, MindsDB takes its columns for numbers. Use CAST(… AS text) or CAST(… AS timestamp).",
      ),
  },
  {
    helps: ({ message, statement }) =>
      /^list index out of range$|^Unknown node 'not /i.test(message) && /\bNOT\b/i.test(statement),
    way: () =>
      l10n.t("In a condition on a knowledge base, use != or NOT IN (…) in place of NOT before it."),
  },
  {
    // `EXTRACT(epoch FROM a - b)`: it makes a time of what follows FROM.
    helps: ({ message }) => message.includes("(INTERVAL -> TIMESTAMP)"),
    way: () => l10n.t("Use {0} for the difference of two dates.", "date_diff('second', a, b)"),
  },
  {
    helps: ({ message }) => /Cannot (?:compare|mix) values of type INTERVAL/.test(message),
    way: () => l10n.t("Use {0} for the difference of two dates.", "date_diff('day', a, b)"),
  },
  {
    // It compares metadata with values only, and in a search not with NULL.
    helps: ({ message }) =>
      message.startsWith("Not supported condition: ") ||
      /^Error in duckdb_faiss database: .*(?:near "'?None|column "distance")/.test(message),
    way: () =>
      l10n.t(
        "A knowledge base can't use this condition. Read it in a subquery (a search with a LIMIT, 100 at most), and put the condition around it.",
      ),
  },
  {
    // Conditions on the metadata of a knowledge base: numbers are read from the texts that are there.
    helps: ({ message }) => message.includes("Failed to cast value to numerical"),
    way: () => l10n.t("Put the conditions on texts before those on numbers."),
  },
  {
    // It puts a parameter in place of the subquery, which nobody gives.
    helps: (failure) =>
      hasSubquery(failure) && /Referenced column "t_\d{6,20}" not found/.test(failure.message),
    way: () => l10n.t("MindsDB can't run a subquery in ON here. Use WHERE for this condition."),
  },
  {
    helps: ({ message }) =>
      message.startsWith("invalid input syntax for type json") && message.includes(`Token "'"`),
    way: () =>
      l10n.t(
        "MindsDB writes JSON as Python does, which PostgreSQL can't read. Read it as a text: {0}",
        "SELECT CAST(a AS text) AS a",
      ),
  },
  {
    helps: ({ message, statement }) =>
      message.includes('Referenced column "embeddings" not found') &&
      /^\s*DELETE\b/i.test(statement),
    way: () => l10n.t("A knowledge base deletes rows by their id or metadata, not by a search."),
  },
  {
    // A column of objects has the text of Python's.
    helps: ({ message }) => message.includes("Malformed JSON at byte"),
    way: () =>
      l10n.t(
        "Take values out of JSON in a subquery of its data source: FROM (SELECT id, data ->> 'key' AS value FROM …) AS s.",
      ),
  },
  {
    helps: ({ message, statement }) =>
      /relation ".{1,200}" already exists/.test(message) &&
      /\bIF\s+NOT\s+EXISTS\b/i.test(statement),
    way: () =>
      l10n.t("MindsDB leaves out IF NOT EXISTS for a data source: the table was there before."),
  },
  {
    helps: ({ message, statement }) =>
      /^Model not found: |^Unknown describe type: TABLE/i.test(message) &&
      /^\s*DESCRIBE\b/i.test(statement),
    way: () =>
      l10n.t("For the columns of a table or a view, use {0}.", "SHOW COLUMNS FROM database.table"),
  },
  {
    helps: ({ message, statement }) =>
      message.startsWith("Project not found: ") && /\bCREATE\s+VIEW\b/i.test(statement),
    way: () => l10n.t("MindsDB's views are in projects. Create it in one, as {0}.", "mindsdb.name"),
  },
  {
    helps: ({ message }) => message.startsWith("Record length mismatch"),
    way: () =>
      l10n.t(
        "Name the columns that the values are for, or give a value for each column: {0}",
        "INSERT INTO t (a, b) VALUES (1, 2)",
      ),
  },
  {
    // It writes the values of this one as parameters, which nobody gives.
    helps: ({ message, statement }) =>
      message.includes('syntax error at or near ":"') && /\bpow\s*\(/i.test(statement),
    way: () => l10n.t("Use {0} instead.", "power(number, exponent)"),
  },
  {
    helps: ({ message }) => missingInPostgres(message) !== undefined,
    way: ({ message }) => {
      const other = functionsInPostgres.get(missingInPostgres(message)!);
      return other === undefined ? undefined : l10n.t("Use {0} instead.", other);
    },
  },
  {
    helps: ({ message }) => message.includes("Unknown function: '"),
    way: ({ message }) => {
      const name = /Unknown function: '(\w{1,100})'/.exec(message)?.[1]?.toLowerCase() ?? "";
      const other = functionsInDuckDB.get(name);
      return other === undefined ? undefined : l10n.t("Use {0} instead.", other);
    },
  },
];

/** What to write instead; undefined where nothing is known. */
export function findWayAround(failure: Failure): string | undefined {
  const { message, statement, place } = failure;
  const isRefused = message.startsWith("Syntax error") && place !== undefined;
  const refused = isRefused ? explainRefusedCall(statement, place) : undefined;
  return refused ?? ways.find(({ helps }) => helps(failure))?.way(failure);
}

function missingInPostgres(message: string): string | undefined {
  return /function (\w{1,100})\(.{0,500}\) does not exist/.exec(message)?.[1];
}

/** Whether the table that a data source misses stands before a column of a subquery. */
function isNamedInSubquery(message: string, statement: string): boolean {
  const name = /missing FROM-clause entry for table "(\w{1,200})"/.exec(message)?.[1];
  if (name === undefined || statement.length > maxStatement) return false;
  /** Whether each of the open parentheses is in a subquery, or is one. */
  const open: boolean[] = [];
  const tokens = tokenizeSql(statement).statements.flatMap((one) => one.tokens);
  for (const [at, { text }] of tokens.entries()) {
    const next = tokens[at + 1]?.text;
    if (text === "(") open.push(open.at(-1) === true || next?.toUpperCase() === "SELECT");
    else if (text === ")") open.pop();
    else if (open.at(-1) === true && next === "." && isSameName(text, name)) return true;
  }
  return false;
}
