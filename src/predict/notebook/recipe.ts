import * as l10n from "@vscode/l10n";
import { settingRanges } from "../../shared/settingRanges.ts";
import { JsonProblem, JsonScanner, noComments, slash } from "../rows/jsonScanner.ts";
import { detectRowsFormat, parseRows, type RowsFormat } from "../rows/readRows.ts";
import { countCharacters, RowsError, type Row } from "../rows/row.ts";
import { formatModelName, parseModelName, type ModelName } from "./modelName.ts";
import {
  readServerSource,
  serverSourceKeys,
  type ServerSource,
  type SourceValues,
} from "./serverSource.ts";
import { readTargetTable, type TargetTable } from "./targetTable.ts";

/** The recipe in a cell of a predict notebook. */
export interface Recipe {
  model: ModelName;
  /** A second model that gets the same rows. */
  comparedWith?: ModelName;
  /** A file by its name in the recipe, rows on the server, or rows in the recipe, with their places in it. */
  rows: { file: string; format: RowsFormat } | ServerSource | Row[];
  /** The table on the server that the predictions are written into; only with rows of the server and one model. */
  into?: TargetTable;
  /** A JSON object for the engine. */
  params?: string;
  /** The maximum number of rows. */
  limit?: number;
  /** The number of rows in a request. */
  batchRows?: number;
}

export const recipeKeys = [
  "model",
  "models",
  "rows",
  "into",
  "params",
  "limit",
  "batchRows",
] as const;
export type RecipeKey = (typeof recipeKeys)[number];

export const maxBatchRows = settingRanges.predictBatchRows.max;

/** The most problems that are reported; the first ones matter. */
const maxProblems = 100;

/** A range of the recipe, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

export interface RecipeProblem extends Span {
  kind:
    | "syntax" // not a JSON object; editors mark invalid JSON themselves
    | "unknownProperty"
    | "repeatedProperty"
    | "missingProperty" // concerns the whole recipe
    | "value";
  /** The property that is missing or has a wrong value. */
  property?: RecipeKey;
  /** One sentence that says what to do. */
  message: string;
}

export interface ParsedRecipe {
  /** Absent if there are problems. */
  recipe?: Recipe;
  problems: RecipeProblem[];
  /** The range of each value, valid or not. Empty if the text is not JSON. */
  values: Partial<Record<RecipeKey, Span>>;
  /** All properties in order, known or not. Empty if the text is not JSON. */
  members: Member[];
}

/** The text of a new recipe; `rows` are JSON. */
export function formatRecipe(model: ModelName, rows: string): string {
  return `{\n  "model": ${JSON.stringify(formatModelName(model))},\n  "rows": ${rows}\n}`;
}

/** Parses a recipe; never throws. */
export function parseRecipe(text: string): ParsedRecipe {
  const members = readMembers(text);
  if (!Array.isArray(members)) return { problems: [members], values: {}, members: [] };
  return new RecipeReader(text, members).read();
}

/** Reads a value, or explains what is wrong with it. */
type ReadValue<T> = (written: string, span: Span) => { value: T } | { wrong: string; at?: Span };

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
        this.#report(key, "repeatedProperty", repeatedKey(name));
      } else this.#values[name] = value;
    }
  }

  read(): ParsedRecipe {
    const [model, comparedWith] = this.#readModels();
    const rows = this.#required(
      "rows",
      this.#readRowsValue,
      l10n.t(
        'Specify the rows: "rows": "file.json", a list of rows, or {"table": "source.table"}.',
      ),
    );
    const into = this.#readInto(rows);
    const params = this.#optional("params", readParams);
    const limit = this.#optional("limit", createCountReader("limit", Infinity));
    const batchRows = this.#optional("batchRows", createCountReader("batchRows", maxBatchRows));
    const problems = this.#problems;
    const values = this.#values;
    const members = this.#members;
    if (!model || !rows || problems.length > 0) return { problems, values, members };
    const both = { model, ...(comparedWith ? { comparedWith } : {}) };
    const recipe = { ...both, rows, ...(into ? { into } : {}), params, limit, batchRows };
    return { recipe, problems, values, members };
  }

  #readModels(): ModelName[] {
    const { model, models } = this.#values;
    if (models) {
      if (model) {
        const wrong = l10n.t("“{0}” can't be used with “{1}”.", "model", "models");
        this.#report(model, "value", wrong, "model");
      }
      return this.#optional("models", readModelsValue) ?? [];
    }
    const one = this.#required(
      "model",
      readModelValue,
      l10n.t('Specify the model: "model": "project.name".'),
    );
    return one ? [one] : [];
  }

  #readInto(rows: Recipe["rows"] | undefined): TargetTable | undefined {
    const source = rows && ("source" in rows ? rows : "notOnServer");
    const into = this.#optional("into", (written) => readTargetTable(written, source));
    if (!this.#values.into) return undefined;
    // One statement of the server knows neither a second model, nor the options of an engine, nor batches.
    for (const key of ["models", "params", "batchRows"] as const) {
      const span = this.#values[key];
      const wrong = l10n.t("“{0}” can't be used with “{1}”.", key, "into");
      if (span) this.#report(span, "value", wrong, key);
    }
    return into;
  }

  #report(span: Span, kind: RecipeProblem["kind"], message: string, property?: RecipeKey): void {
    if (this.#problems.length >= maxProblems) return;
    const { start, end } = span;
    this.#problems.push({ start, end, kind, message, property });
  }

  #required<T>(key: RecipeKey, read: ReadValue<T>, missing: string): T | undefined {
    if (!this.#values[key]) {
      this.#report({ start: 0, end: this.#text.length }, "missingProperty", missing, key);
    }
    return this.#optional(key, read);
  }

  #optional<T>(key: RecipeKey, read: ReadValue<T>): T | undefined {
    const span = this.#values[key];
    if (!span) return undefined;
    const result = read(this.#text.slice(span.start, span.end), span);
    if ("value" in result) return result.value;
    this.#report(result.at ?? span, "value", result.wrong, key);
    return undefined;
  }

  readonly #readRowsValue: ReadValue<Recipe["rows"]> = (written, span) => {
    if (written.startsWith("[")) return this.#readInlineRows(written, span);
    if (written.startsWith("{")) return readSourceValue(written, span);
    const file = JSON.parse(written) as unknown;
    if (typeof file !== "string" || file === "") {
      return {
        wrong: l10n.t(
          'Rows can be a file ("file.json"), a list of objects, or rows on the server: {"table": "source.table"}.',
        ),
      };
    }
    const format = detectRowsFormat(file);
    if (format) return { value: { file, format } };
    return { wrong: l10n.t("Files of rows must end in .json, .jsonl, or .csv.") };
  };

  #readInlineRows(written: string, span: Span): ReturnType<ReadValue<Row[]>> {
    // The text before the list is replaced by spaces, so that the places of rows are those in the recipe.
    const before = this.#text.slice(0, span.start).replace(/[^\n]/g, " ");
    try {
      const value = parseRows(Buffer.from(before + written));
      if (value.length > 0) return { value };
      return { wrong: l10n.t("The list has no rows.") };
    } catch (error) {
      if (!(error instanceof RowsError)) throw error;
      const { line = 1, column = 1 } = error.place ?? {};
      const linesBefore = this.#text.split("\n", line - 1).map((text) => `${text}\n`);
      const start = linesBefore.join("").length + column - 1;
      return { wrong: error.message, at: { start, end: start + 1 } };
    }
  }
}

const readSourceValue: ReadValue<ServerSource> = (written, { start }) => {
  const members = readSourceMembers(written, start);
  const seen = new Set<string>();
  for (const { name, key } of members) {
    if (!isSourceKey(name)) return { wrong: unknownKey(name, serverSourceKeys), at: key };
    if (seen.has(name)) return { wrong: repeatedKey(name), at: key };
    seen.add(name);
  }
  const values = members.map(({ name, value }) => [
    name,
    written.slice(value.start - start, value.end - start),
  ]);
  const source = readServerSource(Object.fromEntries(values) as SourceValues);
  if (!("wrong" in source)) return { value: source };
  return { wrong: source.wrong, at: members.find(({ name }) => name === source.key)?.value };
};

/** The properties of rows on the server; `start` is where their text starts in the recipe. */
export function readSourceMembers(text: string, start: number): Member[] {
  const members = readMembers(text);
  if (!Array.isArray(members)) return [];
  const move = (span: Span): Span => ({ start: span.start + start, end: span.end + start });
  return members.map(({ name, key, value }) => ({ name, key: move(key), value: move(value) }));
}

function isSourceKey(name: string): boolean {
  return (serverSourceKeys as readonly string[]).includes(name);
}

const readModelValue: ReadValue<ModelName> = (written) => {
  const text = JSON.parse(written) as unknown;
  const value = typeof text === "string" ? parseModelName(text) : undefined;
  if (value) return { value };
  return { wrong: wrongModelText() };
};

function wrongModelText(): string {
  return l10n.t(
    'A model is "name", "project.name", or "project.name.2" for version 2. Put names with dots in `backticks`.',
  );
}

const readModelsValue: ReadValue<ModelName[]> = (written, { start }) => {
  const texts = findTexts(written, start);
  const list = JSON.parse(written) as unknown;
  const isList = Array.isArray(list) && list.every((one) => typeof one === "string");
  const models = texts.map(({ text }) => parseModelName(text));
  const wrongAt = models.findIndex((model) => !model);
  const wrongModel = isList ? texts[wrongAt] : undefined;
  if (wrongModel) return { wrong: wrongModelText(), at: wrongModel.span };
  const found = models.filter((model) => model !== undefined);
  const names = new Set(found.map(formatModelName));
  if (isList && found.length === 2 && names.size === 2) return { value: found };
  return {
    wrong: l10n.t('Specify two different models: ["project.name.1", "project.name.2"].'),
  };
};

/** The texts of a list, with their places in the recipe. */
export function findTexts(list: string, start: number): { text: string; span: Span }[] {
  return [...list.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(({ 0: json, index }) => ({
    text: JSON.parse(json) as string,
    span: { start: start + index, end: start + index + json.length },
  }));
}

const readParams: ReadValue<string> = (written) =>
  written.startsWith("{")
    ? { value: written }
    : { wrong: l10n.t("“params” must be an object: {…}.") };

function createCountReader(key: RecipeKey, max: number): ReadValue<number> {
  return (written) => {
    const value = Number(written);
    if (Number.isSafeInteger(value) && value >= 1 && value <= max) return { value };
    const wrong =
      max === Infinity
        ? l10n.t("“{0}” must be a whole number of at least 1.", key)
        : l10n.t("“{0}” must be a whole number from 1 to {1}.", key, max);
    return { wrong };
  };
}

function isRecipeKey(name: string): name is RecipeKey {
  return (recipeKeys as readonly string[]).includes(name);
}

function unknownKey(name: string, keys: readonly string[] = recipeKeys): string {
  return l10n.t(
    "Unknown property “{0}”. Allowed: {1}.",
    name,
    keys.map((key) => `“${key}”`).join(", "),
  );
}

function repeatedKey(name: string): string {
  return l10n.t("“{0}” appears twice.", name);
}

/** A property of a recipe. */
interface Member {
  name: string;
  key: Span;
  value: Span;
}

/** The properties of a recipe, or the problem if it is not a JSON object. */
function readMembers(text: string): Member[] | RecipeProblem {
  const bytes = Buffer.from(`${text}\0`);
  const end = bytes.length - 1;
  const scanner = new JsonScanner();
  scanner.setBytes(bytes, end);
  // Counted on from the place before: a recipe may have many properties.
  let known = { byte: 0, character: 0 };
  const toCharacter = (byte: number): number => {
    if (byte < known.byte) known = { byte: 0, character: 0 };
    const character = known.character + countCharacters(bytes, known.byte, byte);
    known = { byte, character };
    return character;
  };
  const toSpan = (start: number, end: number): Span => {
    const from = toCharacter(start);
    return { start: from, end: toCharacter(end) };
  };
  const problemAt = (position: number, message: string): RecipeProblem => {
    const { start } = toSpan(position, position);
    if (bytes[position] === slash) message = noComments;
    return { kind: "syntax", message, start, end: Math.min(start + 1, text.length) };
  };
  try {
    const start = scanner.space(0);
    if (start === end) {
      return problemAt(
        0,
        l10n.t('A recipe looks like this: {"model": "project.name", "rows": "file.json"}.'),
      );
    }
    if (bytes[start] !== 0x7b) return problemAt(start, l10n.t("A recipe starts with {."));
    const row = scanner.row(start);
    if (!row) return problemAt(end, l10n.t("The recipe has no closing }."));
    const rest = scanner.space(row.end);
    if (rest < end) return problemAt(rest, l10n.t("Remove the text after the recipe."));
    return row.shape.names.map((name, index) => {
      const key = scanner.nameSpan(index);
      const [valueStart = 0, valueEnd = 0] = row.values.subarray(row.at + 2 * index);
      return { name, key: toSpan(key.start, key.end), value: toSpan(valueStart, valueEnd) };
    });
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    return problemAt(error.position, error.message);
  }
}
