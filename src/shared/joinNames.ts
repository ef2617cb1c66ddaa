import * as l10n from "@vscode/l10n";

/** "a, b and 3 more": names in a sentence, at most `maxNames` of them. */
export function joinNames(names: readonly string[], maxNames = 5): string {
  const shown = names.slice(0, maxNames).join(", ");
  return names.length <= maxNames
    ? shown
    : l10n.t("{0} and {1} more", shown, names.length - maxNames);
}
