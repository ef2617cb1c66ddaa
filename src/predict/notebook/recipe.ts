// What a cell of a predict notebook asks for: which model, which rows, how. What is wrong with it is data, with its place.
import * as l10n from "@vscode/l10n";
import { settingRanges } from "../../shared/settingRanges.ts";
import { parseModelName } from "./modelName.ts";
import type { ModelName } from "./modelName.ts";
import { JsonProblem, JsonScanner } from "../rows/jsonScanner.ts";
import { detectRowsFormat, parseRows } from "../rows/readRows.ts";
import type { RowsFormat } from "../rows/readRows.ts";
import { countCharacters, RowsError } from "../rows/row.ts";
import type { Row } from "../rows/row.ts";

export interface Recipe {
  model: ModelName;
  /** A file as the recipe names it, or rows that stand in the recipe (their places are the recipe's). */
  rows: { file: string; format: RowsFormat } | Row[];
  /** A JSON object for the engine, as it is written. */
  params?: string;
  /** How many rows at most. */
  limit?: number;
  /** How many rows go in one request. */
  batchRows?: number;
}

export const recipeKeys = ["model", "rows", "params", "limit", "batchRows"] as const;
export type RecipeKey = (typeof recipeKeys)[number];

export const maxBatchRows = settingRanges.predictBatchRows.max;

/** A stretch of the recipe, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

export interface RecipeProblem extends Span {
  kind:
    | "syntax" // no JSON, which every editor of JSON marks by itself, or no object
    | "unknownProperty"
    | "repeatedProperty"
    | "missingProperty" // concerns the whole recipe
    | "value";
  /** The property that is missing, or whose value is wrong. */
  property?: RecipeKey;
  /** One sentence that says what to do. */
  message: string;
}

export interface ParsedRecipe {
  /** Absent if there are problems. */
  recipe?: Recipe;
  problems: RecipeProblem[];
  /** Where each value stands, right or wrong: what a command that changes it replaces. Empty if this is no JSON. */
  values: Partial<Record<RecipeKey, Span>>;
  /** All properties in their order, known or not. Empty if this is no JSON. */
  members: Member[];
}

/** The recipe, or what is wrong with it; never throws. */
export function parseRecipe(text: string): ParsedRecipe {
  const members = readMembers(text);
  if (!Array.isArray(members)) return { problems: [members], values: {}, members: [] };
  return new RecipeReader(text, members).read();
}

/** Reads one value: the value, or what is wrong with it. */
type Take<T> = (written: string, span: Span) => { value: T } | { wrong: string; at?: Span };

class RecipeReader {
  readonly #text: string;
  readonly #problems: RecipeProblem[] = [];
  readonly #values: ParsedRecipe["values"] = {};
  readonly #members: Member[];

  constructor(text: string, members: Member[]) {
    this.#text = text;
    this.#members = members;
    for (const { name, key, value } of members) {
      if (!isRecipeKey(name)) this.#report(key, "unknownProperty", unknownKey(name));
      else if (this.#values[name]) {
        this.#report(key, "repeatedProperty", l10n.t("“{0}” stands here twice.", name));
      } else this.#values[name] = value;
    }
  }

  read(): ParsedRecipe {
    const model = this.#required(
      "model",
      takeModel,
      l10n.t('Name the model: "model": "project.name".'),
    );
    const rows = this.#required(
      "rows",
      this.#takeRows,
      l10n.t('Say which rows: "rows": "file.json", or a list of them.'),
    );
    const params = this.#optional("params", takeParams);
    const limit = this.#optional("limit", takeCount("limit", Infinity));
    const batchRows = this.#optional("batchRows", takeCount("batchRows", maxBatchRows));
    const problems = this.#problems;
    const values = this.#values;
    const members = this.#members;
    if (!model || !rows || problems.length > 0) return { problems, values, members };
    const recipe = {
      model,
      rows,
      ...(params === undefined ? {} : { params }),
      ...(limit === undefined ? {} : { limit }),
      ...(batchRows === undefined ? {} : { batchRows }),
    };
    return { recipe, problems, values, members };
  }

  #report(span: Span, kind: RecipeProblem["kind"], message: string, property?: RecipeKey): void {
    const { start, end } = span;
    this.#problems.push({ start, end, kind, message, ...(property && { property }) });
  }

  #required<T>(key: RecipeKey, take: Take<T>, missing: string): T | undefined {
    if (!this.#values[key]) {
      this.#report({ start: 0, end: this.#text.length }, "missingProperty", missing, key);
    }
    return this.#optional(key, take);
  }

  #optional<T>(key: RecipeKey, take: Take<T>): T | undefined {
    const span = this.#values[key];
    if (!span) return undefined;
    const taken = take(this.#text.slice(span.start, span.end), span);
    if ("value" in taken) return taken.value;
    this.#report(taken.at ?? span, "value", taken.wrong, key);
    return undefined;
  }

  readonly #takeRows: Take<Recipe["rows"]> = (written, span) => {
    if (written.startsWith("[")) return this.#takeRowsInPlace(written, span);
    const file = JSON.parse(written) as unknown;
    if (typeof file !== "string" || file === "") {
      return { wrong: l10n.t('Rows are a file, "rows": "file.json", or a list of objects.') };
    }
    const format = detectRowsFormat(file);
    if (format) return { value: { file, format } };
    return { wrong: l10n.t("Files of rows end in .json, .jsonl or .csv.") };
  };

  #takeRowsInPlace(written: string, span: Span): ReturnType<Take<Row[]>> {
    // What stands before the list becomes empty space, so that every row has its place in the recipe.
    const before = this.#text.slice(0, span.start).replace(/[^\n]/g, " ");
    try {
      const value = parseRows(Buffer.from(before + written));
      if (value.length > 0) return { value };
      return { wrong: l10n.t("The list holds no rows.") };
    } catch (error) {
      if (!(error instanceof RowsError)) throw error;
      const { line = 1, column = 1 } = error.place ?? {};
      const lineStart =
        before
          .concat(written)
          .split("\n", line - 1)
          .join("\n").length + (line > 1 ? 1 : 0);
      const start = lineStart + column - 1;
      return { wrong: error.message, at: { start, end: start + 1 } };
    }
  }
}

const takeModel: Take<ModelName> = (written) => {
  const text = JSON.parse(written) as unknown;
  const value = typeof text === "string" ? parseModelName(text) : undefined;
  if (value) return { value };
  return {
    wrong: l10n.t(
      'A model is "name", "project.name", or "project.name.2" for its version 2; names with dots stand in `backticks`.',
    ),
  };
};

const takeParams: Take<string> = (written) => {
  return written.startsWith("{")
    ? { value: written }
    : { wrong: l10n.t("Params are an object: {…}.") };
};

function takeCount(key: RecipeKey, most: number): Take<number> {
  return (written) => {
    const value = Number(written);
    if (Number.isSafeInteger(value) && value >= 1 && value <= most) return { value };
    const wrong =
      most === Infinity
        ? l10n.t("“{0}” is a whole number from 1.", key)
        : l10n.t("“{0}” is a whole number from 1 to {1}.", key, most);
    return { wrong };
  };
}

function isRecipeKey(name: string): name is RecipeKey {
  return (recipeKeys as readonly string[]).includes(name);
}

function unknownKey(name: string): string {
  return l10n.t(
    "Unknown property “{0}”. Allowed: {1}.",
    name,
    recipeKeys.map((key) => `“${key}”`).join(", "),
  );
}

/** A property as it stands in the recipe. */
export interface Member {
  name: string;
  key: Span;
  value: Span;
}

/** The members of the object that a recipe is, or why it is none. */
function readMembers(text: string): Member[] | RecipeProblem {
  const bytes = Buffer.from(`${text}\0`);
  const end = bytes.length - 1;
  const scanner = new JsonScanner();
  scanner.setBytes(bytes, end);
  const toSpan = (start: number, end: number): Span => ({
    start: countCharacters(bytes, 0, start),
    end: countCharacters(bytes, 0, end),
  });
  const wrong = (position: number, message: string): RecipeProblem => {
    const { start } = toSpan(position, position);
    return { kind: "syntax", message, start, end: Math.min(start + 1, text.length) };
  };
  try {
    const start = scanner.space(0);
    if (start === end) {
      return wrong(
        0,
        l10n.t('A recipe looks like this: {"model": "project.name", "rows": "file.json"}.'),
      );
    }
    if (bytes[start] !== 0x7b) return wrong(start, l10n.t("A recipe starts with {."));
    const row = scanner.row(start);
    if (!row) return wrong(end, l10n.t("The recipe ends before its last }."));
    const rest = scanner.space(row.end);
    if (rest < end) return wrong(rest, l10n.t("After the recipe nothing may follow."));
    return row.shape.names.map((name, index) => {
      const key = scanner.nameSpan(index);
      const [valueStart = 0, valueEnd = 0] = row.values.subarray(row.at + 2 * index);
      return { name, key: toSpan(key.start, key.end), value: toSpan(valueStart, valueEnd) };
    });
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    return wrong(error.position, error.message);
  }
}
