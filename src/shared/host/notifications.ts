// Notifications and modal dialogs. They may contain foreign names, so nothing in them becomes a link.
import * as vscode from "vscode";
import { escapeLinks } from "../escapeLinks.ts";

type Show = (
  message: string,
  options: vscode.MessageOptions,
  ...buttons: string[]
) => Thenable<string | undefined>;

/** Resolves with the pressed button. Options may come before the buttons. */
type Notify = (
  message: string,
  first?: string | vscode.MessageOptions,
  ...buttons: string[]
) => Thenable<string | undefined>;

const { window } = vscode;
export const showInformation = withPlainText((...all) => window.showInformationMessage(...all));
export const showWarning = withPlainText((...all) => window.showWarningMessage(...all));
export const showErrorMessage = withPlainText((...all) => window.showErrorMessage(...all));

function withPlainText(show: Show): Notify {
  return (message, first, ...buttons) => {
    const options = typeof first === "object" ? first : {};
    const { detail } = options;
    return show(
      escapeLinks(message),
      { ...options, detail: detail && escapeLinks(detail) },
      ...(typeof first === "string" ? [first] : []),
      ...buttons,
    );
  };
}
