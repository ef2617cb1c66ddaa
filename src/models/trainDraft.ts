// The draft of a training: a new model, or a new version of one.
import * as v from "valibot";
import { formatEntry, splitEntry } from "../mindsdb/dataPatterns.ts";
import { isOptionName, optionLiteral, type TrainingOption } from "../mindsdb/trainingOptions.ts";

export const trainDraft = v.object({
  project: v.string(),
  name: v.string(),
  /** `same`: the query of the version before. */
  source: v.picklist(["table", "select", "same"]),
  /** As `formatEntry` writes it, with the data source. */
  table: v.string(),
  select: v.string(),
  target: v.string(),
  engine: v.string(),
  /** One `name = value` a line. */
  options: v.string(),
  /** Whether the new version is used when it is trained. */
  activates: v.boolean(),
});
export type TrainDraft = v.InferOutput<typeof trainDraft>;

/** What is done: a new model, a new version, or a new version that continues another one. */
const trainKind = v.picklist(["create", "retrain", "finetune"]);
export type TrainKind = v.InferOutput<typeof trainKind>;

/** The initial data of a form, which the page saves. */
export const trainForm = v.object({
  /** Unique for every form. */
  id: v.string(),
  connectionId: v.string(),
  kind: trainKind,
  /** The version that is retrained or trained further. */
  version: v.optional(v.number()),
  query: v.optional(v.string()),
  /** Options of that version are not shown, because they hold secrets. */
  hasHidden: v.optional(v.boolean()),
  draft: trainDraft,
  /** The draft before any change by the user. */
  initial: trainDraft,
});
export type TrainForm = v.InferOutput<typeof trainForm>;

export function emptyTrainDraft(project: string): TrainDraft {
  return {
    project,
    name: "",
    source: "table",
    table: "",
    select: "",
    target: "",
    engine: "",
    options: "",
    activates: true,
  };
}

/** The name of a table below its data source, as references have it, with the data source. */
export function tableEntry({ project, name }: { project: string; name: string }): string {
  return formatEntry([project, ...splitEntry(name)]);
}

/** Reads options, one a line. `wrong` has the first line that is none; `unsayable` that SQL cannot express. */
export function parseOptions(text: string): {
  options: Map<string, TrainingOption>;
  wrong?: string;
  unsayable?: string;
} {
  const options = new Map<string, TrainingOption>();
  for (const line of text.split("\n")) {
    const written = line.trim().replace(/,$/, "");
    if (written === "") continue;
    const at = written.indexOf("=");
    const [name, value] = [written.slice(0, Math.max(0, at)).trim(), written.slice(at + 1).trim()];
    if (at < 0 || !isOptionName(name) || value === "") return { options, wrong: written };
    const read = readOption(value);
    if (optionLiteral(read) === undefined) return { options, unsayable: written };
    options.set(name, read);
  }
  return { options };
}

/** Numbers, true, false, lists and objects as in JSON; everything else is text, with or without quotes. */
function readOption(value: string): TrainingOption {
  const quoted = /^'(.*)'$/s.exec(value)?.[1];
  if (quoted !== undefined) return quoted.replaceAll("''", "'");
  try {
    const parsed = JSON.parse(value) as TrainingOption | null;
    return parsed ?? value;
  } catch {
    return value;
  }
}

/** Writes options as `parseOptions` reads them. */
export function formatOptions(options: ReadonlyMap<string, TrainingOption>): string {
  return [...options].map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join("\n");
}
