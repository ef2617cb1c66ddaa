// Which lists of a server a SQL statement may have changed once it has run.
import type { Changed, ListKind } from "./serverChange.ts";
import { formatEntry } from "../dataPatterns.ts";
import { dottedName, tokenizeSql, type SqlToken } from "../sql/sqlTokens.ts";

/** All lists, for text that the server may parse differently. */
const anything: readonly Changed[] = (
  [
    "projects",
    "agents",
    "knowledgeBases",
    "models",
    "views",
    "jobs",
    "triggers",
    "tables",
    "mlEngines",
    "queries",
  ] as const
).map((list) => ({ kind: "changed", list }));

/** Kinds of objects by the keyword after CREATE, DROP, ALTER or UPDATE. */
const objects: Record<string, ListKind> = {
  agent: "agents",
  database: "projects",
  job: "jobs",
  knowledge_base: "knowledgeBases",
  ml_engine: "mlEngines",
  model: "models",
  predictor: "models",
  project: "projects",
  schema: "projects",
  table: "tables",
  trigger: "triggers",
  view: "views",
};

/** Keywords allowed between the verb and the object, or between the object and its name. */
const fillers = ["or", "replace", "if", "not", "exists", "anomaly", "detection", "timeseries"];

/** Tables through which versions of models are deleted and switched. */
const modelTables = ["models", "models_versions", "predictors"];

/** The lists that the statements of a text change, if they succeed. Never throws; takes linear time. */
export function changesOfSql(sql: string): readonly Changed[] {
  const { statements, isSure } = tokenizeSql(sql);
  if (!isSure) return anything;
  return statements.flatMap(({ tokens }) => findChanges(tokens));
}

function findChanges(tokens: readonly SqlToken[]): Changed[] {
  const reader = new NameReader(tokens);
  switch (reader.word()) {
    case "retrain":
    case "finetune":
      return [reader.changed("models")];
    case "set":
      // SET ACTIVE model.version
      return reader.word() === "active" ? [{ kind: "changed", list: "models" }] : [];
    case "insert":
      // A new column of the rows becomes one of an uploaded table (seen on 26.1.0 and 25.14.1).
      reader.skip("into");
      // On 26.x an INSERT into a knowledge base may become a background query.
      return [
        ...[reader.changed("tables")].filter(({ name }) => name !== undefined),
        { kind: "changed", list: "queries" },
      ];
    case "delete":
      reader.skip("from");
      return changesOfTable(reader.name());
    case "create":
    case "drop":
    case "alter":
    case "update": {
      const start = reader.at;
      reader.skip(...fillers);
      const object = reader.word();
      // The two words are one in newer grammars.
      const list = object === "knowledge" && reader.word() === "base" ? "knowledge_base" : object;
      if (!Object.hasOwn(objects, list)) {
        reader.at = start;
        return changesOfTable(reader.name());
      }
      reader.skip(...fillers);
      return [reader.changed(objects[list]!)];
    }
    default:
      return [];
  }
}

/** UPDATE and DELETE on the listing of a project's models. */
function changesOfTable(name: readonly string[]): Changed[] {
  const table = name.at(-1)?.toLowerCase() ?? "";
  return modelTables.includes(table) ? [{ kind: "changed", list: "models" }] : [];
}

/** Reads keywords and names one after the other. */
class NameReader {
  at = 0;
  readonly #tokens: readonly SqlToken[];

  constructor(tokens: readonly SqlToken[]) {
    this.#tokens = tokens;
  }

  /** The next word in small letters, "" if something else follows. */
  word(): string {
    const token = this.#tokens[this.at];
    if (token?.kind !== "word") return "";
    this.at++;
    return token.text.toLowerCase();
  }

  skip(...words: string[]): void {
    for (;;) {
      const token = this.#tokens[this.at];
      // few: the words of a call.
      if (token?.kind !== "word" || !words.includes(token.text.toLowerCase())) return;
      this.at++;
    }
  }

  /** The parts of a dotted name, without quotes. */
  name(): string[] {
    const parts = dottedName(this.#tokens, this.at);
    if (parts.length > 0) this.at += 2 * parts.length - 1;
    return parts;
  }

  /** A list changed at the name that follows. Without a project's name it is the session's, which is not known here. */
  changed(list: ListKind): Changed {
    const [first, second, ...others] = this.name();
    const isOfServer = list === "projects" || list === "mlEngines";
    if (isOfServer || first === undefined) return { kind: "changed", list };
    if (list === "tables") {
      if (second === undefined) return { kind: "changed", list };
      return { kind: "changed", list, project: first, name: formatEntry([second, ...others]) };
    }
    // `model.3` is a version; a project cannot be told from a model by its name.
    if (second === undefined || /^\d+$/.test(second)) return { kind: "changed", list, name: first };
    return { kind: "changed", list, project: first, name: second };
  }
}
