// Model names in recipes: name, project.name, or project.name.version; names with dots or spaces in backticks.
import * as v from "valibot";
import { defaultProjectName } from "../../mindsdb/projects.ts";

export const modelName = v.object({
  project: v.string(),
  name: v.string(),
  version: v.optional(v.number()),
});
/** A model of a request; without a version its active one. */
export type ModelName = v.InferOutput<typeof modelName>;

/** One part: anything in backticks (with doubled backticks), or a name without dots, spaces and backticks. */
const part = /(?:`((?:[^`]|``)+)`|([^.`\s]+))/y;

/** The parts of a dotted name; undefined if the text is not one. */
export function splitName(text: string): { text: string; quoted: boolean }[] | undefined {
  const parts: { text: string; quoted: boolean }[] = [];
  for (let at = 0; ; at++) {
    part.lastIndex = at;
    const match = part.exec(text);
    if (!match) return undefined;
    const quoted = match[1];
    parts.push({
      text: quoted?.replaceAll("``", "`") ?? match[2] ?? "",
      quoted: quoted !== undefined,
    });
    at = part.lastIndex;
    if (at === text.length) return parts;
    if (text[at] !== ".") return undefined;
  }
}

/** In characters. A comparison repeats it for each row. */
const maxLength = 4_096;

/** Parses a model name, by default in the default project; undefined if the text is not one. */
export function parseModelName(text: string): ModelName | undefined {
  if (text.length > maxLength) return undefined;
  const [project, name, version, ...more] = splitName(text) ?? [];
  if (!project || more.length > 0) return undefined;
  if (!name) return { project: defaultProjectName, name: project.text };
  if (!version) return { project: project.text, name: name.text };
  if (version.quoted || !/^[1-9][0-9]{0,8}$/.test(version.text)) return undefined;
  return { project: project.text, name: name.text, version: Number(version.text) };
}

/** The inverse of parseModelName. */
export function formatModelName(model: ModelName): string {
  return `${formatName([model.project])}.${formatNameInProject(model)}`;
}

/** The name of a model without its project. */
export function formatNameInProject({ name, version }: ModelName): string {
  return version === undefined ? formatName([name]) : `${formatName([name])}.${String(version)}`;
}

/** A dotted name of these parts. */
export function formatName(parts: readonly string[]): string {
  return parts
    .map((part) => (/^[^.`\s]+$/.test(part) ? part : `\`${part.replaceAll("`", "``")}\``))
    .join(".");
}
