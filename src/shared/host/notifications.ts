// Notifications and modal dialogs. They may contain foreign names, so nothing in them becomes a link, an icon or a line
// of its own.
import * as vscode from "vscode";
import { joinParagraphs, type Paragraphs } from "../dialogText.ts";
import { plainLabel } from "../oneLine.ts";

type Show = (
  message: string,
  options: vscode.MessageOptions,
  ...buttons: string[]
) => Thenable<string | undefined>;

interface DialogOptions {
  modal?: boolean;
  detail?: Paragraphs;
}

/** Resolves with the pressed button. Options may come before the buttons. */
type Notify = (
  message: string,
  first?: string | DialogOptions,
  ...buttons: string[]
) => Thenable<string | undefined>;

const { window } = vscode;
export const showInformation = withPlainText((...all) => window.showInformationMessage(...all));
export const showWarning = withPlainText((...all) => window.showWarningMessage(...all));
export const showErrorMessage = withPlainText((...all) => window.showErrorMessage(...all));

function withPlainText(show: Show): Notify {
  return (message, first, ...buttons) => {
    const { detail, ...options } = typeof first === "object" ? first : {};
    return show(
      plainLabel(message),
      { ...options, ...(detail !== undefined && { detail: joinParagraphs(detail) }) },
      ...(typeof first === "string" ? [first] : []),
      ...buttons,
    );
  };
}

/** Shows a text in the status bar for a few seconds. */
export function showStatus(text: string, milliseconds = 4_000): void {
  window.setStatusBarMessage(plainLabel(text), milliseconds);
}
