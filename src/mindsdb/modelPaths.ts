// Paths of models. Unlike all others, they name the project in lower case: servers look it up as
// `lower(name) = <the path's>`, so that a project created as `UPPER` has no models under its own name (seen on 26.1.0 and
// 25.14.1). The database's `lower` changes A to Z only.
import { apiPath } from "./http/client.ts";
import type { ItemPlace } from "./references.ts";

export function pathOfModels(project: string): string {
  return apiPath`/api/projects/${lowerCase(project)}/models`;
}

/** Of one version, or of the active one. */
export function pathOfModel({ project, name, version }: ItemPlace & { version?: number }): string {
  const model = version === undefined ? name : `${name}.${version}`;
  return apiPath`/api/projects/${lowerCase(project)}/models/${model}`;
}

function lowerCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
