// Reports problems of the sample server to the user and the log.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import { AppError } from "../../mindsdb/errors.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import type { Log } from "../../shared/host/log.ts";
import { showWarning } from "../../shared/host/notifications.ts";
import type { StorageProblem } from "../server/savedChanges.ts";
import { NoFreePortError } from "../sharedServer/sharedServer.ts";

/** Logs why the server could not be started, stopped or reset, and returns the error to show. */
export function startError(error: unknown, log: Log): AppError {
  log.error("The sample server failed", error);
  const message =
    error instanceof NoFreePortError
      ? vscode.l10n.t(
          "The sample server can't start because other programs use its ports ({0}).",
          error.ports.join(", "),
        )
      : vscode.l10n.t("The sample server failed: {0}", (error as Error).message);
  return new AppError("unreachable", message, { cause: error });
}

export async function warnOfStorage({ error, keptAs }: StorageProblem, log: Log): Promise<void> {
  const kept = keptAs === undefined ? "The file could not be kept" : `The file is now ${keptAs}`;
  log.error(`The changes to the sample server could not be read. ${kept}`, error);
  const message = vscode.l10n.t(
    "The saved changes to the sample server could not be read, so it was reset.",
  );
  const showLog = vscode.l10n.t("Show Log");
  if ((await showWarning(message, showLog)) !== showLog) return;
  await executeCommand(commands.logShow);
}
