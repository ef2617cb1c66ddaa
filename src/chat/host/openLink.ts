// Links in answers: the whole address is shown before it is opened, because it can contain data.
import * as vscode from "vscode";
import { isLinkAddress } from "../../shared/linkAddress.ts";
import { askConsent } from "../../shared/host/consent.ts";

/** Asks, then opens. VS Code's own question shortens long addresses and is skipped for trusted domains. */
export async function openLink(href: string): Promise<void> {
  if (!isLinkAddress(href)) return;
  const open = vscode.l10n.t("Open");
  const copy = vscode.l10n.t("Copy Address");
  const message = vscode.l10n.t("Open this address from the agent's answer?");
  const chosen = await askConsent(message, href, open, copy);
  if (chosen === open) await vscode.env.openExternal(vscode.Uri.parse(href, true));
  if (chosen === copy) await vscode.env.clipboard.writeText(href);
}
