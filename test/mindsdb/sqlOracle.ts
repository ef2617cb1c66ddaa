// What MindsDB's own parser makes of statements.
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

export interface OracleVerdict {
  /** "refused", "read", "costs", or what makes the statement a change. */
  verdict: string;
  /** The parts of each table's name; null for something else in a table's place. */
  tables: (string[] | null)[];
}

/** Judges statements in one process of a MindsDB's Python. */
export async function askOracle(
  python: string,
  statements: readonly string[],
): Promise<OracleVerdict[]> {
  const script = path.join(import.meta.dirname, "sqlOracle.py");
  const oracle = spawn(python, [script], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(oracle, "close");
  oracle.stdin.end(statements.map((sql) => `${JSON.stringify(sql)}\n`).join(""));
  const verdicts: OracleVerdict[] = [];
  for await (const line of createInterface({ input: oracle.stdout })) {
    verdicts.push(JSON.parse(line) as OracleVerdict);
  }
  const [status] = (await ended) as [number | null];
  if (status !== 0 || verdicts.length !== statements.length) {
    throw new Error(`the oracle ended with ${status} after ${verdicts.length} statements`);
  }
  return verdicts;
}
