// Marks of a connection's protection on screen.
import * as l10n from "@vscode/l10n";
import type { Connection, ConnectionGuard, Protection } from "./connection.ts";

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

/** Describes a connection in a list of connections. */
export function addressWithMarks(connection: Connection): string {
  return [connection.address, ...guardMarks(connection)].join(" · ");
}
