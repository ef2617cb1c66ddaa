// Opens the form of a server's default models. Imported with the first use.
import * as vscode from "vscode";
import { attempt } from "../../shared/host/attempt.ts";
import type { FormPageOptions } from "../../shared/host/formPage.ts";
import { pickConnection } from "../../shared/host/newItemTarget.ts";
import type { SettingsForms } from "./settingsForms.ts";

/** Asks for the connection unless it is given or the only one. */
export async function openSettings(
  options: FormPageOptions,
  given: { connectionId: string } | undefined,
  loadForms: () => Promise<SettingsForms>,
): Promise<void> {
  const connection = await pickConnection(options.servers, given, {
    title: vscode.l10n.t("Server Settings"),
    offer: vscode.l10n.t("Settings belong to a MindsDB server, and none is connected yet."),
  });
  if (!connection) return;
  await attempt(options, "Reading a server's settings", connection.id, async () => {
    await (await loadForms()).open(connection.id);
  });
}
