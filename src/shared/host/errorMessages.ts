// Converts errors to one sentence and at most one action, for the whole extension.
import * as vscode from "vscode";
import type { ErrorAction, ErrorExplanation } from "../errorExplanation.ts";
import { sampleConnectionId } from "../connection.ts";
import { commands, settings } from "../../ids.ts";
import { findMissingEngine } from "../../mindsdb/engineMissing.ts";
import { AppError, isAppError } from "../../mindsdb/errors.ts";
import { bindCommand } from "./commands.ts";
import { truncate } from "../oneLine.ts";
import { showErrorMessage } from "./notifications.ts";
import { connectionPresets } from "./settings.ts";

/** For a server's message, in characters; the log has all of it. */
const maxMessageLength = 1_000;

/** Where an error occurred, if known. */
interface ErrorContext {
  /** The connection that Sign In is for. */
  connectionId?: string | undefined;
  address?: string | undefined;
}

export function explainError(error: unknown, where: ErrorContext = {}): ErrorExplanation {
  if (!(error instanceof AppError)) {
    return { message: vscode.l10n.t("An unexpected error occurred."), action: showLog() };
  }
  const signIn = (): ErrorAction =>
    bindCommand(commands.connectionSignIn, vscode.l10n.t("Sign In"), where.connectionId);
  const address = where.address ?? vscode.l10n.t("that address");
  const message = truncate(error.message, maxMessageLength);
  switch (error.kind) {
    case "cutOff":
      return { message: vscode.l10n.t("Lost the connection to {0}.", address) };
    case "certificate":
      return {
        message,
        action: openSettings(`${settings.section}.${settings.caFile}`),
      };
    case "proxy":
      return { message, action: openSettings("http.proxy") };
    case "signInNeeded":
      return {
        message: error.isFromGateway
          ? message
          : vscode.l10n.t("The server at {0} requires you to sign in.", address),
        action: signIn(),
      };
    case "signInRefused":
      return {
        message: vscode.l10n.t("The username or the password is wrong."),
        action: signIn(),
      };
    case "mayCost":
      return { message };
    case "readOnly":
      return {
        message,
        action: bindCommand(
          commands.connectionSetProtection,
          vscode.l10n.t("Set Protection…"),
          where.connectionId,
        ),
      };
    case "notMindsDB":
    case "serverFault":
    case "badAnswer":
    case "tooLarge":
      return { message, action: showLog() };
    case "notUtf8":
      return { message, action: reopenWithEncoding(error.uri) };
    case "unreachable":
      if (!isEmbeddedSample(where.connectionId)) return { message };
      return {
        message: vscode.l10n.t("The sample server is stopped."),
        action: bindCommand(commands.sampleServerStart, vscode.l10n.t("Start Sample Server")),
      };
    case "sql":
      return { message, action: createEngine(where.connectionId, error.message) };
    case "timeout":
    case "address":
    case "notFound":
    case "conflict":
    case "refused":
    case "agentFailed":
      return { message };
  }
}

/** For a page, whose own button tries again: a server that can't be reached can be diagnosed. */
export function explainOnPage(error: unknown, where: ErrorContext): ErrorExplanation {
  const explanation = explainError(error, where);
  if (explanation.action || !isAppError(error, "unreachable")) return explanation;
  const title = vscode.l10n.t("Diagnose Connection…");
  return {
    ...explanation,
    action: bindCommand(commands.connectionDiagnose, title, where.connectionId),
  };
}

/** Shows an error as a notification with its one action. */
export async function showError(error: unknown, where: ErrorContext = {}): Promise<void> {
  const { message, action } = explainError(error, where);
  if (!action) {
    await showErrorMessage(message);
  } else if ((await showErrorMessage(message, action.title)) === action.title) {
    await runAction(action);
  }
}

export async function runAction(action: ErrorAction): Promise<void> {
  await vscode.commands.executeCommand(action.command, ...action.arguments);
}

/** True for the embedded sample server, unless a preset has its id. */
function isEmbeddedSample(connectionId: string | undefined): boolean {
  return (
    connectionId === sampleConnectionId &&
    !connectionPresets().some(({ id }) => id === connectionId)
  );
}

function showLog(): ErrorAction {
  return bindCommand(commands.logShow, vscode.l10n.t("Show Log"));
}

/** For a statement that names an engine that the server does not have. */
function createEngine(connectionId: string | undefined, message: string): ErrorAction | undefined {
  const name = findMissingEngine(message);
  if (name === undefined || connectionId === undefined) return undefined;
  const title = vscode.l10n.t("Create ML Engine…");
  return bindCommand(commands.mlEngineCreate, title, { connectionId, name });
}

function reopenWithEncoding(uri: string | undefined): ErrorAction | undefined {
  if (uri === undefined) return undefined;
  const title = vscode.l10n.t("Reopen with Encoding…");
  return bindCommand(commands.fileReopenWithEncoding, title, uri);
}

function openSettings(id: string): ErrorAction {
  return {
    title: vscode.l10n.t("Open Settings"),
    command: "workbench.action.openSettings",
    arguments: [id],
  };
}
