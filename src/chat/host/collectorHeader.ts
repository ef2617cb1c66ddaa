// The header that a collector of traces wants, such as an API key: kept in VS Code's secret storage, never in settings.
import * as vscode from "vscode";
import { formatAddress, type ServerAddress } from "../../mindsdb/http/serverAddress.ts";
import { askText } from "../../shared/host/quickInput.ts";
import { parseHeader } from "../trace/sendTrace.ts";

/** By address: no other collector gets it, whatever a workspace's settings name. */
function secretKey(collector: ServerAddress): string {
  return `trace.header ${formatAddress(collector)}`;
}

export async function readCollectorHeader(
  secrets: vscode.SecretStorage,
  collector: ServerAddress,
): Promise<[name: string, value: string] | undefined> {
  return parseHeader((await secrets.get(secretKey(collector))) ?? "");
}

/** Asks for the header and keeps it; an empty one is forgotten. False when closed. */
export async function askCollectorHeader(
  secrets: vscode.SecretStorage,
  collector: ServerAddress,
): Promise<boolean> {
  const typed = await askText({
    title: vscode.l10n.t("Collector Header"),
    prompt: vscode.l10n.t(
      "Header for {0}, as name: value. It is stored in VS Code's secret storage. Leave empty to remove it.",
      formatAddress(collector),
    ),
    placeholder: "Authorization: Bearer …",
    password: true,
    accept: (text) =>
      Promise.resolve(
        text.trim() === "" || parseHeader(text)
          ? undefined
          : vscode.l10n.t("Enter the header as name: value, such as x-api-key: 1234."),
      ),
  });
  if (typeof typed !== "string") return false;
  if (typed.trim() === "") await secrets.delete(secretKey(collector));
  else await secrets.store(secretKey(collector), typed);
  return true;
}
