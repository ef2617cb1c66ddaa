// The options of a training as the text of a field: one `name = value` a line.
import { isOptionName, optionLiteral, type TrainingOption } from "../mindsdb/trainingOptions.ts";

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
