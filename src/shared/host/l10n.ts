// Replaces @vscode/l10n in the extension host's bundle (see esbuild.js): VS Code has already loaded the translations, so
// that modules without VS Code get translated texts without a second copy of the bundle.
import * as vscode from "vscode";

export const { t } = vscode.l10n;
