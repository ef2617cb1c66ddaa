// How a connection's protection is called on screen.
import * as l10n from "@vscode/l10n";
import type { ConnectionGuard, Protection } from "./connection.ts";

export function protectionName(protection: Protection): string {
  switch (protection) {
    case "none":
      return l10n.t("None");
    case "confirm":
      return l10n.t("Confirm Changes");
    case "readOnly":
      return l10n.t("Read-Only");
  }
}

/** What sets a connection apart, for a row or the status bar; nothing for an ordinary one. */
export function guardMarks({ protection, isProduction }: ConnectionGuard): string[] {
  return [
    ...(isProduction ? [l10n.t("Production")] : []),
    ...(protection === "none" ? [] : [protectionName(protection)]),
  ];
}
