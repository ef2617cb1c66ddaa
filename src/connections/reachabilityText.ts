import * as l10n from "@vscode/l10n";
import type { Connection } from "../shared/connection.ts";
import { isSampleConnection } from "./isSampleConnection.ts";

/** The mark of a connection whose server can't be reached, for a row or the status bar. */
export function reachabilityText(connection: Connection): string {
  return isSampleConnection(connection) ? l10n.t("stopped") : l10n.t("unreachable");
}
