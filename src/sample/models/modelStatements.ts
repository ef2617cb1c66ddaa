// Parses the statements that create, retrain, switch and delete models.
import { SqlError, SqlSyntaxError, tokenize, type Value } from "../sql/sql.ts";

/** Where training rows come from: a SELECT that runs in a data source or a project. */
export interface TrainingQuery {
  source: string;
  select: string;
}

export type ModelStatement =
  | {
      kind: "create";
      path: string[];
      query: TrainingQuery;
      target: string;
      using: Record<string, Value>;
    }
  | {
      kind: "retrain" | "finetune";
      path: string[];
      query?: TrainingQuery;
      target?: string;
      using: Record<string, Value>;
    }
  | { kind: "activate" | "drop"; path: string[] };

/** The statement if it is about models; undefined for others. Throws SqlError. */
export function parseModelStatement(sql: string): ModelStatement | undefined {
  const kind =
    /^\s*(create|drop)\s+(?:model|predictor)\b|^\s*(retrain|finetune|set\s+active)\b/i.exec(sql);
  const verb = (kind?.[1] ?? kind?.[2])?.toLowerCase();
  if (verb === undefined) return undefined;
  const reader = new StatementReader(sql);
  // Also the second word of "create model", "drop model" and "set active".
  reader.skip(verb === "retrain" || verb === "finetune" ? 1 : 2);
  const path = reader.path();
  switch (verb) {
    case "create": {
      const query = reader.query();
      const target = reader.take("predict") ? reader.name() : undefined;
      const using = reader.using();
      reader.end();
      if (!query || target === undefined) throw new SqlError("Syntax error: FROM and PREDICT");
      return { kind: "create", path, query, target, using };
    }
    case "retrain":
    case "finetune": {
      const query = reader.query();
      const target = reader.take("predict") ? reader.name() : undefined;
      const using = reader.using();
      reader.end();
      return {
        kind: verb,
        path,
        ...(query ? { query } : {}),
        ...(target === undefined ? {} : { target }),
        using,
      };
    }
    default:
      reader.end();
      return { kind: verb === "drop" ? "drop" : "activate", path };
  }
}

/** Reads the parts of a statement one after the other. */
export class StatementReader {
  readonly #sql: string;
  readonly #tokens: ReturnType<typeof tokenize>;
  #at = 0;

  constructor(sql: string) {
    this.#sql = sql;
    this.#tokens = tokenize(sql);
  }

  skip(count: number): void {
    this.#at += count;
  }

  /** Takes a word or a symbol if it is the next. */
  take(text: string): boolean {
    const isNext = this.#isNext(text);
    if (isNext) this.#at++;
    return isNext;
  }

  name(): string {
    const { kind, text } = this.#next();
    if (!["word", "name", "number"].includes(kind)) throw this.#error();
    this.#at++;
    return kind === "name" ? text.slice(1, -1) : text;
  }

  path(): string[] {
    const parts = [this.name()];
    while (this.take(".")) parts.push(this.name());
    // Without spaces, "m.2" may end in a number with a dot.
    return parts;
  }

  query(): TrainingQuery | undefined {
    if (!this.take("from")) return undefined;
    const source = this.name().toLowerCase();
    return { source, select: this.block() };
  }

  /** The text of a pair of parentheses. */
  block(): string {
    if (!this.take("(")) throw this.#error();
    const start = this.#next().at;
    let depth = 1;
    for (;;) {
      const { kind, text, at } = this.#next();
      if (kind === "end") throw this.#error();
      this.#at++;
      if (text === "(") depth++;
      if (text === ")") depth--;
      if (depth === 0) return this.#sql.slice(start, at).trim();
    }
  }

  /** A text in quotes. */
  text(): string {
    const value = this.#value();
    if (typeof value !== "string") throw this.#error();
    return value;
  }

  /** Words and numbers up to this word or the end. */
  words(last: string): string {
    const words: string[] = [];
    while (["word", "number"].includes(this.#next().kind) && !this.#isNext(last)) {
      words.push(this.name());
    }
    return words.join(" ");
  }

  using(): Record<string, Value> {
    const options: Record<string, Value> = {};
    if (!this.take("using")) return options;
    do {
      const name = this.path().join(".");
      if (!this.take("=")) throw this.#error();
      options[name] = this.#value();
    } while (this.take(","));
    return options;
  }

  end(): void {
    this.take(";");
    if (this.#next().kind !== "end") throw this.#error();
  }

  #isNext(text: string): boolean {
    return this.#next().text.toLowerCase() === text;
  }

  #value(): Value {
    const { kind, text } = this.#next();
    this.#at++;
    if (kind === "number") return Number(text);
    if (kind === "text") return text.slice(1, -1).replaceAll("''", "'");
    const word = text.toLowerCase();
    if (word === "true" || word === "false") return word === "true";
    if (word === "null") return null;
    this.#at--;
    throw this.#error();
  }

  #next(): ReturnType<typeof tokenize>[number] {
    return this.#tokens[this.#at] ?? { kind: "end", text: "", at: this.#sql.length };
  }

  #error(): SqlSyntaxError {
    const next = this.#next();
    const wrong = next.kind === "end" ? undefined : next;
    return new SqlSyntaxError(this.#tokens.slice(0, -1), wrong, "token");
  }
}
