// The draft of a training: a new model, or a new version of one.
import { formatEntry, splitEntry } from "../mindsdb/dataPatterns.ts";
import { isOptionName, optionLiteral, type TrainingOption } from "../mindsdb/trainingOptions.ts";

/** What is done: a new model, a new version, or a new version that continues another one. */
export type TrainKind = "create" | "retrain" | "finetune";

export interface TrainDraft {
  project: string;
  name: string;
  /** `same`: the query of the version before. */
  source: "table" | "select" | "same";
  /** As `formatEntry` writes it, with the data source. */
  table: string;
  select: string;
  target: string;
  engine: string;
  /** One `name = value` a line. */
  options: string;
  /** Whether the new version is used when it is trained. */
  activates: boolean;
}

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
