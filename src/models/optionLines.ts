// The options of a training as the text of a field: one `name = value` a line.
import { copyRedacted, listSecrets } from "../mindsdb/redact/redactJson.ts";
import { isSecretKey, mask } from "../mindsdb/redact/secretNames.ts";
import { redactPatterns } from "../mindsdb/redact/secretPatterns.ts";
import { isOptionName, optionLiteral, type TrainingOption } from "../mindsdb/trainingOptions.ts";
import { keyPlaceholder } from "../shared/usingClause.ts";

/**
 * Reads options, one a line. `wrong` has the first line that is none; `lacking` the first name without a value;
 * `notExpressible` the first line that SQL cannot express.
 */
export function parseOptions(text: string): {
  options: Map<string, TrainingOption>;
  wrong?: string;
  lacking?: string;
  notExpressible?: string;
} {
  const options = new Map<string, TrainingOption>();
  for (const line of text.split("\n")) {
    const written = line.trim().replace(/,$/, "");
    if (written === "") continue;
    const [name, value] = splitLine(written);
    if (value === undefined || !isOptionName(name)) return { options, wrong: written };
    if (value === "") return { options, lacking: name };
    const read = readOption(value);
    if (optionLiteral(read) === undefined) return { options, notExpressible: written };
    options.set(name, read);
  }
  return { options };
}

function splitLine(line: string): [name: string, value: string | undefined] {
  const at = line.indexOf("=");
  return at < 0 ? [line.trim(), undefined] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

/** The options without values that are or hold keys, which are not stored. Their names stay. */
export function omitKeys(text: string): string {
  return text.replace(/[^\n]+/g, (line) => {
    const [name, value] = splitLine(line);
    if (value === undefined) return redactPatterns(line) === line ? line : "";
    return isHarmless(name, readOption(value)) ? line : `${name} =`;
  });
}

/** The options with a placeholder for each key, also for those that `omitKeys` has left out. */
export function withPlaceholders(text: string): string {
  return text.replace(/[^\n]+/g, (line) => {
    const [name, value] = splitLine(line.trim().replace(/,$/, ""));
    if (value === undefined || isHarmless(name, readOption(value))) return line;
    return `${name} = ${JSON.stringify(replaceKeys(name, readOption(value)))}`;
  });
}

/** The values that are keys by their names, to be masked where the server repeats them. */
export function listKeys(text: string): string[] {
  return listSecrets(Object.fromEntries(parseOptions(text).options));
}

function isHarmless(name: string, value: TrainingOption): boolean {
  return !isSecretKey(name) && replaceKeys(name, value) === value;
}

function replaceKeys(name: string, value: TrainingOption): TrainingOption {
  if (isSecretKey(name)) return keyPlaceholder;
  const copy = copyRedacted(value, redactPatterns, "mask") as TrainingOption;
  const [before, after] = [JSON.stringify(value), JSON.stringify(copy)];
  // Only the beginning of a value may look like a key.
  if (before === after) return value;
  return typeof value === "string"
    ? keyPlaceholder
    : (JSON.parse(after.replaceAll(mask, keyPlaceholder)) as TrainingOption);
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
