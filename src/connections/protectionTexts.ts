// Marks of a connection on screen: its protection, and that nothing reaches its server.
import * as l10n from "@vscode/l10n";
import type { Connection, ConnectionGuard, Protection } from "../shared/connection.ts";
import { isSampleConnection } from "./isSampleConnection.ts";

export function protectionName(protection: Protection): string {
  return {
    none: l10n.t("None"),
    confirm: l10n.t("Confirm Changes"),
    readOnly: l10n.t("Read-Only"),
  }[protection];
}

/** Marks of a production or protected connection, for a row or the status bar; empty for other connections. */
export function guardMarks({ protection, isProduction }: ConnectionGuard): string[] {
  const marks = isProduction ? [l10n.t("Production")] : [];
  return protection === "none" ? marks : [...marks, protectionName(protection)];
}

/** The mark of a connection whose server can't be reached, for a row or the status bar. */
export function reachabilityText(connection: Connection): string {
  return isSampleConnection(connection) ? l10n.t("stopped") : l10n.t("unreachable");
}
