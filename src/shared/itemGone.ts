import * as l10n from "@vscode/l10n";
import { AppError } from "../mindsdb/errors.ts";
import type { ItemPlace } from "../mindsdb/references.ts";

/** The sentence about an item of a project that its server no longer has. */
export function describeGone({ project, name }: ItemPlace): string {
  return l10n.t("{0} is no longer in {1}. It may have been deleted.", name, project);
}

export function itemGone(item: ItemPlace): AppError {
  return new AppError("notFound", describeGone(item));
}
