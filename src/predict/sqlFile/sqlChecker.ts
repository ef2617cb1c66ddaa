// Finds what is to be marked in statements: where the server's parser would stop, what it reads otherwise than it is meant,
// names that the server does not have, and inputs that it ignores.
import { isSameName } from "../../mindsdb/nameOrder.ts";
import { parseSql, type ParsedSql } from "../../mindsdb/sql/parser/parseSql.ts";
import { parseWithParameters } from "../../mindsdb/sql/parser/parseWithParameters.ts";
import { closestNames } from "../../shared/closestNames.ts";
import type { Span } from "../notebook/recipe.ts";
import { changeFix, type SqlFix, type SqlMisreading } from "../notebook/sqlMisreading.ts";
import { findGluedComments, findMisreadings } from "../notebook/sqlMisreadings.ts";
import { describeSqlProblem } from "../notebook/sqlProblem.ts";
import { nameText } from "../completion/suggestion.ts";
import type { NameProblem } from "./nameResolver.ts";
import type { ServerNames } from "./serverNames.ts";
import { readStatementNames, type StatementNames } from "./statementNames.ts";
import { findUnknownNames, findWrittenSource } from "./unknownNames.ts";

export interface SqlTextProblem extends Span {
  message: string;
  /** By which quick fixes are chosen. */
  code:
    | "sqlSyntax"
    | "sqlMisread"
    | "sqlUnknownName"
    | "ignoredInput"
    | "earlyFilter"
    | "earlyLimit"
    | "calculation"
    | "emptyText"
    | "lostData";
}

interface Statement {
  text: string;
  start: number;
}

/** The knowledge by which the names in a text are checked. */
export interface KnownContext {
  /** The same object as long as it knows the same names. */
  server: ServerNames;
  /** Names that something outside of the text creates, in lower case. */
  created?: ReadonlySet<string>;
  /** Databases that USE chooses outside of the text. */
  used?: readonly string[];
  /** Where the text was edited, or has run: columns that these statements need may be requested. */
  usedAt?: readonly number[];
  /** By which servers are told apart. */
  connectionId?: string;
}

/** Names that an unknown one is compared with: a source can list any number. */
const maxCandidates = 50_000;

/** Names of one check whose lists are read again before they are marked. */
const maxReadAgain = 20;
/** Fixes of a name for which only few are possible. */
const maxChoices = 3;

/** The remembered results of checking a statement. Offsets are those in it. */
interface Checked {
  problems: SqlTextProblem[];
  /** Those that are some only if a table of a data source is written. */
  inSource: readonly SqlMisreading[];
  names: StatementNames | undefined;
  /** Undefined until its names are checked. */
  unknown?: NameProblem[] | undefined;
}

/** Remembers the statements of the last text: few of them change from one key to the next. */
export class SqlChecker {
  #known = new Map<string, Checked>();
  #server: ServerNames | undefined;
  #used: readonly string[] = [];
  #unknown: NameProblem[] = [];
  #connectionId: string | undefined;
  /** What was marked last. */
  #marked = new Set<string>();
  readonly #parse: typeof parseSql;

  /** `hasParameters`: whether the values of parameters are filled in before a statement is sent. */
  constructor({ hasParameters = false } = {}) {
    this.#parse = hasParameters ? parseWithParameters : parseSql;
  }

  /** At most `limit`, in the order of the text. */
  check(
    text: string,
    statements: readonly Statement[],
    limit: number,
    context?: KnownContext,
  ): SqlTextProblem[] {
    const found = findGluedComments(text).slice(0, limit).map(toMisreading);
    const known = new Map<string, Checked>();
    for (const statement of statements) {
      const { start } = statement;
      const checked =
        known.get(statement.text) ??
        this.#known.get(statement.text) ??
        check(statement.text, this.#parse(statement.text));
      known.set(statement.text, checked);
      if (found.length >= limit) continue;
      for (const one of checked.problems) {
        found.push({ ...one, start: start + one.start, end: start + one.end });
      }
    }
    this.#known = known;
    this.#unknown = context ? this.#findUnknown(statements, context, limit - found.length) : [];
    if (context) found.push(...this.#findInSource(statements, context));
    found.push(
      ...this.#unknown.map(({ start, end, message, code }): SqlTextProblem => {
        return { start, end, message, code: code ?? "sqlUnknownName" };
      }),
    );
    return found.slice(0, limit).sort((a, b) => a.start - b.start);
  }

  /** Has the lists without the marked names read again, unless that was done within the last seconds. */
  readAgain(): void {
    for (const { isCurrent } of this.#unknown.slice(0, maxReadAgain)) isCurrent();
  }

  /** The fixes for an unknown name of the last text. */
  findNameFixes({ start, end }: Span): SqlFix[] {
    const found = this.#unknown.find((one) => one.start === start && one.end === end);
    if (!found) return [];
    const { text, choices } = found;
    if (choices) {
      // The name alone, without quotes, is compared.
      const closest = closestNames(text, choices, (choice) => choice.replaceAll("`", ""));
      const all = [...new Set([...closest, ...choices.slice(0, maxChoices)])];
      return all.slice(0, maxChoices).map((choice) => changeFix({ start, end }, choice));
    }
    const candidates = takeSome(found.candidates());
    return closestNames(found.text, candidates, (name) => name).flatMap((name) => {
      const text = nameText([name]);
      return text === undefined ? [] : [changeFix({ start, end }, text)];
    });
  }

  /** What is wrong because a data source is written, though the name of its table does not tell. */
  #findInSource(statements: readonly Statement[], { server }: KnownContext): SqlTextProblem[] {
    return statements.flatMap(({ text, start }) => {
      const { inSource, names } = this.#known.get(text)!;
      const options = { server, used: this.#used, mayRequest: false };
      const source = inSource.length > 0 && names ? findWrittenSource(names, options) : undefined;
      if (!source) return [];
      return inSource
        .filter(({ lostSchema }) => !lostSchema || !isSameName(lostSchema, source.defaultSchema))
        .map((one) => ({ ...toMisreading(one), start: start + one.start, end: start + one.end }));
    });
  }

  #findUnknown(
    statements: readonly Statement[],
    context: KnownContext,
    limit: number,
  ): NameProblem[] {
    const { server, usedAt = [] } = context;
    const uses = [...this.#known.values()].flatMap(({ names }) => names?.used ?? []);
    const used = [...new Set([...(context.used ?? []), ...uses])];
    const isSame = server === this.#server && used.join("\n") === this.#used.join("\n");
    [this.#server, this.#used] = [server, used];
    const created = new Set(context.created);
    if (context.connectionId !== this.#connectionId) this.#marked.clear();
    this.#connectionId = context.connectionId;
    let left = maxReadAgain;
    const found: NameProblem[] = [];
    const renewed = new Set<Checked>();
    for (const [index, { start, text }] of statements.entries()) {
      const checked = this.#known.get(text)!;
      if (!checked.names) continue;
      // Where one types after a statement, it was typed before.
      const nextStart = statements[index + 1]?.start ?? Infinity;
      // few: of those that have run.
      const isUsed = usedAt.some((at) => start <= at && at < nextStart);
      if (!checked.unknown || (!isSame && !renewed.has(checked)) || isUsed) {
        const options = { server, used, mayRequest: isUsed };
        checked.unknown = findUnknownNames(checked.names, options);
        renewed.add(checked);
      }
      for (const one of checked.unknown) {
        if (found.length >= limit || one.dependsOn.some((name) => created.has(name))) continue;
        // Another client may have created it since: a name is marked only after its list was read again.
        if (!this.#marked.has(one.message) && (left <= 0 || !one.isCurrent())) {
          left--;
          continue;
        }
        found.push({ ...one, start: start + one.start, end: start + one.end });
      }
      for (const name of checked.names.created) created.add(name);
    }
    this.#marked = new Set(found.map(({ message }) => message));
    return found;
  }
}

function check(sql: string, parsed: ParsedSql): Checked {
  const { problem, tree } = parsed;
  if (tree) {
    const found = findMisreadings(sql, parsed);
    const isUnclear = ({ dependsOnSource, lostSchema }: SqlMisreading): boolean =>
      dependsOnSource === true || lostSchema !== undefined;
    return {
      problems: found.filter((one) => !isUnclear(one)).map(toMisreading),
      inSource: found.filter(isUnclear),
      names: readStatementNames(sql, tree),
    };
  }
  const described = describeSqlProblem(sql, problem);
  const problems: SqlTextProblem[] = described ? [{ ...described, code: "sqlSyntax" }] : [];
  return { problems, inSource: [], names: undefined };
}

function toMisreading({ start, end, message }: Span & { message: string }): SqlTextProblem {
  return { start, end, message, code: "sqlMisread" };
}

function* takeSome(names: Iterable<string>): Generator<string> {
  let count = 0;
  for (const name of names) {
    if (count++ === maxCandidates) return;
    yield name;
  }
}
