import * as l10n from "@vscode/l10n";

/** Replaces text that could not be searched for secrets, and values nested too deep to be searched. */
export const withheldText = l10n.t("[This text was not searched for secrets and is not shown.]");
