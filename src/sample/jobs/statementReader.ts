import { SqlSyntaxError, tokenize } from "../sql/sql.ts";

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
    return parts;
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
    const { kind, text } = this.#next();
    if (kind !== "text") throw this.#error();
    this.#at++;
    return text.slice(1, -1).replaceAll("''", "'");
  }

  /** Words and numbers up to this word or the end. */
  words(last: string): string {
    const words: string[] = [];
    while (["word", "number"].includes(this.#next().kind) && !this.#isNext(last)) {
      words.push(this.name());
    }
    return words.join(" ");
  }

  end(): void {
    this.take(";");
    if (this.#next().kind !== "end") throw this.#error();
  }

  #isNext(text: string): boolean {
    return this.#next().text.toLowerCase() === text;
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
