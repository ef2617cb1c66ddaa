// A model as people write it: name, project.name, or project.name.version; names with dots or spaces in backticks.
import { defaultProjectName } from "../../mindsdb/projects.ts";

/** A model as requests name it; without a version they reach the active one. */
export interface ModelName {
  project: string;
  name: string;
  version?: number;
}

/** One part: anything in backticks (a backtick in it doubled), or a name without dots, spaces and backticks. */
const part = /(?:`((?:[^`]|``)+)`|([^.`\s]+))/y;

/** The model a text names, in the default project if it names none; undefined if the text names no model. */
export function parseModelName(text: string): ModelName | undefined {
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
    if (at === text.length) break;
    if (text[at] !== ".") return undefined;
  }
  const [project, name, version, ...more] = parts;
  if (!project || more.length > 0) return undefined;
  if (!name) return { project: defaultProjectName, name: project.text };
  if (!version) return { project: project.text, name: name.text };
  if (version.quoted || !/^[1-9][0-9]{0,8}$/.test(version.text)) return undefined;
  return { project: project.text, name: name.text, version: Number(version.text) };
}

/** The text that names a model; parseModelName reads it back. */
export function formatModelName({ project, name, version }: ModelName): string {
  const parts = [project, name].map((part) =>
    /^[^.`\s]+$/.test(part) ? part : `\`${part.replaceAll("`", "``")}\``,
  );
  return [...parts, ...(version === undefined ? [] : [String(version)])].join(".");
}
