// What MindsDB's own parser makes of statements.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { promisify } from "node:util";
import { createInterface } from "node:readline";

export interface OracleVerdict {
  /** "refused", "read", "costs", or what makes the statement a change. */
  verdict: string;
  /** The parts of each table's name; null for something else in a table's place. */
  tables: (string[] | null)[];
  /** Every name and text. */
  words: string[];
}

/** What is sent for a statement in a dialect, and what of it is outside of quotes. */
export interface SentSql {
  dialect: string;
  /** "rendered", or sent as "text" because it cannot be rendered, or the "condition" of a join. */
  how: string;
  text: string;
  outside: string;
}

/** Judges statements in one process of a MindsDB's Python. */
export function askOracle(python: string, statements: readonly string[]): Promise<OracleVerdict[]> {
  return askPython(python, "sqlOracle.py", statements);
}

/** What MindsDB sends for statements; null for those that its parser refuses. */
export function renderStatements(
  python: string,
  statements: readonly string[],
): Promise<(SentSql[] | null)[]> {
  return askPython(python, "sqlRender.py", statements);
}

/** True for statements that MindsDB's parser accepts, otherwise the offset at which it stops, "end", or "rule". */
export function findPlaces(
  python: string,
  statements: readonly string[],
): Promise<(true | number | "end" | "rule")[]> {
  return askPython(python, "sqlPlaces.py", statements);
}

/** The rules of MindsDB's parser, and how its tokens are written; null for kinds of values. */
export interface ServerGrammar {
  rules: [left: string, right: string[]][];
  tokens: Record<string, string | null>;
}

export async function readServerGrammar(python: string): Promise<ServerGrammar> {
  const script = path.join(import.meta.dirname, "sqlPlaces.py");
  const { stdout } = await promisify(execFile)(python, [script, "--grammar"]);
  return JSON.parse(stdout) as ServerGrammar;
}

async function askPython<Answer>(
  python: string,
  name: string,
  statements: readonly string[],
): Promise<Answer[]> {
  const script = path.join(import.meta.dirname, name);
  const oracle = spawn(python, [script], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(oracle, "close");
  oracle.stdin.end(statements.map((sql) => `${JSON.stringify(sql)}\n`).join(""));
  const answers: Answer[] = [];
  for await (const line of createInterface({ input: oracle.stdout })) {
    answers.push(JSON.parse(line) as Answer);
  }
  const [status] = (await ended) as [number | null];
  if (status !== 0 || answers.length !== statements.length) {
    throw new Error(`the oracle ended with ${status} after ${answers.length} statements`);
  }
  return answers;
}
