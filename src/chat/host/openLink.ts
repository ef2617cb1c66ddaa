// Links in answers: an address is shown whole before it is opened, since it can carry data away.
import * as vscode from "vscode";
import { isLinkAddress } from "../../shared/linkAddress.ts";
import { showInformation } from "../../shared/host/notifications.ts";

/** Asks, then opens. VS Code asks too, but shows long addresses shortened and trusted ones not at all. */
export async function openLink(href: string): Promise<void> {
  if (!isLinkAddress(href)) return;
  const open = vscode.l10n.t("Open");
  const copy = vscode.l10n.t("Copy Address");
  const chosen = await showInformation(
    vscode.l10n.t("Open this address from the agent's answer?"),
    { modal: true, detail: href },
    open,
    copy,
  );
  if (chosen === open) await vscode.env.openExternal(vscode.Uri.parse(href, true));
  if (chosen === copy) await vscode.env.clipboard.writeText(href);
}
