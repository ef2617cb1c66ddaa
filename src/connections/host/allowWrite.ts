// The question before a change on a server. Imported when the first change is made.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import { showInformation } from "../../shared/host/notifications.ts";
import { askText } from "../../shared/host/quickInput.ts";
import type { Connection, PlannedChange } from "../../shared/connection.ts";
import { askConsent, presentQuestion } from "../../shared/host/consent.ts";
import { joinInLine } from "../../shared/dialogText.ts";
import { visibleLine } from "../../shared/oneLine.ts";

/** Characters of a name that is shown before. */
const maxNameLength = 200;
/** Longer titles are repeated in the prompt. */
const maxTitleLength = 60;

/** Whether a change on this connection may be made; asks the user at most once. */
export async function allowWrite(connection: Connection, change: PlannedChange): Promise<boolean> {
  const { protection, isProduction } = connection;
  if (protection === "readOnly") {
    void showReadOnly(connection);
    return false;
  }
  if (isProduction && change.deletes !== undefined) {
    return askForName(connection, change, change.deletes);
  }
  const isAsked = protection === "confirm" || change.deletes !== undefined || change.isAlwaysAsked;
  return isAsked === true ? confirm(connection, change) : true;
}

async function showReadOnly({ id, name, isPreset }: Connection): Promise<void> {
  const message = vscode.l10n.t("The connection {0} is read-only.", name);
  const change = vscode.l10n.t("Set Protection…");
  // A preset's protection is part of what somebody wrote into the settings.
  const buttons = isPreset ? [] : [change];
  if ((await showInformation(message, ...buttons)) !== change) return;
  await executeCommand(commands.connectionSetProtection, id);
}

async function confirm(connection: Connection, change: PlannedChange): Promise<boolean> {
  const { what, button = vscode.l10n.t("Continue"), detail = [], otherButton } = change;
  const paragraphs = [...[detail].flat(), connectionLine(connection)];
  const buttons = otherButton ? [button, otherButton.title] : [button];
  const answer = await askConsent(`${what}?`, paragraphs, ...buttons);
  if (otherButton && answer === otherButton.title) {
    otherButton.onPress();
    return true;
  }
  return answer === button;
}

/** A deletion on a production connection: the user types the name of what is deleted. */
async function askForName(
  connection: Connection,
  { what, detail = [] }: PlannedChange,
  name: string,
): Promise<boolean> {
  const shown = await presentQuestion(`${what}?`, [...[detail].flat(), connectionLine(connection)]);
  if (!shown) return false;
  // VS Code cuts off the end of a long title.
  const isLong = shown.message.length > maxTitleLength;
  const typed = await askText({
    title: shown.message,
    prompt: joinInLine([
      ...(isLong ? [shown.message] : []),
      ...[shown.detail].flat(),
      // The whole name is in the question.
      vscode.l10n.t("Enter {0} to confirm.", visibleLine(name, maxNameLength)),
    ]),
    placeholder: name,
    // Invisible characters of the name can be typed as they are shown.
    accept: (value) =>
      Promise.resolve(
        [name.trim(), visibleLine(name)].includes(value.trim())
          ? undefined
          : vscode.l10n.t("That does not match {0}.", name),
      ),
  });
  return typeof typed === "string";
}

function connectionLine({ name, address, isProduction }: Connection): string {
  return isProduction
    ? vscode.l10n.t("Production connection: {0} ({1}).", name, address)
    : vscode.l10n.t("Connection: {0} ({1}).", name, address);
}
