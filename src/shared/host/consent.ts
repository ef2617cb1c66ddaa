// Questions in modal dialogs. What is too long for a dialog is read in an editor first.
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { questionScheme } from "../../ids.ts";
import { fitsDialog, joinParagraphs, toReadableLines, type Paragraphs } from "../dialogText.ts";
import { truncate } from "../oneLine.ts";
import { showWarning } from "./notifications.ts";
import { showDocument } from "./showText.ts";

/** Characters of a message whose whole text is in an editor. */
const maxStart = 200;

/** Asks in a modal dialog; resolves with the pressed button, undefined if it was canceled. */
export async function askConsent(
  message: string,
  detail: Paragraphs,
  ...buttons: string[]
): Promise<string | undefined> {
  const shown = await presentQuestion(message, detail);
  return shown && showWarning(shown.message, { modal: true, detail: shown.detail }, ...buttons);
}

/** The question as the next dialog shows it. One that is too long is read in an editor first; undefined if it is not. */
export async function presentQuestion(
  message: string,
  detail: Paragraphs,
): Promise<{ message: string; detail: Paragraphs } | undefined> {
  if (fitsDialog(message, detail)) return { message, detail };
  const isRead = await readInEditor(`${message}\n\n${joinParagraphs(detail)}`, {
    name: "question.txt",
    tooLong: vscode.l10n.t("This question is too long for a dialog. Read it in an editor first."),
    show: vscode.l10n.t("Show Question"),
    isRead: vscode.l10n.t("Send the question shown in the editor?"),
  });
  if (!isRead) return undefined;
  return {
    message: truncate(message, maxStart),
    detail: vscode.l10n.t("The whole question is shown in the editor."),
  };
}

/** Shows a text in an editor, read-only; whether the user has read it and continues. */
export async function readInEditor(
  text: string,
  texts: { name: string; tooLong: string; show: string; isRead: string },
  language?: string,
): Promise<boolean> {
  const { name, tooLong, show, isRead } = texts;
  if ((await showWarning(tooLong, { modal: true }, show)) !== show) return false;
  await showUnstored(name, toReadableLines(text), language);
  const next = vscode.l10n.t("Continue");
  // Not modal, so that the editor can be read.
  return (await showWarning(isRead, next)) === next;
}

/** Shows a text that may have secrets: not in the document's address, because VS Code stores those. */
async function showUnstored(name: string, text: string, language?: string): Promise<void> {
  const uri = vscode.Uri.from({ scheme: questionScheme, path: `/${name}`, query: randomUUID() });
  const provider = vscode.workspace.registerTextDocumentContentProvider(questionScheme, {
    provideTextDocumentContent: (asked) => (asked.query === uri.query ? text : undefined),
  });
  try {
    await showDocument(uri, language);
  } finally {
    provider.dispose();
  }
}
