// Diagnose Connection: progress, and the report. Imported when the command runs.
import { loadRedaction } from "../../mindsdb/redact/redact.ts";
import os from "node:os";
import * as vscode from "vscode";
import { extensionId } from "../../ids.ts";
import { isCancelled } from "../../mindsdb/errors.ts";
import { showError } from "../../shared/host/errorMessages.ts";
import { showInformation, showWarning } from "../../shared/host/notifications.ts";
import { showText } from "../../shared/host/showText.ts";
import { withCancelButton } from "../../shared/host/withCancelButton.ts";
import { oneLine } from "../../shared/oneLine.ts";
import type { Connection } from "../../shared/connection.ts";
import { isSampleConnection } from "../isSampleConnection.ts";
import { diagnose } from "../diagnosis.ts";
import { reportText, type DiagnosisStep } from "../diagnosisTexts.ts";
import { protectionName } from "../../shared/guardMarks.ts";
import type { Connections } from "./connections.ts";

const keyringTimeLimitMs = 3_000;
const sampleTimeLimitMs = 10_000;
/** Texts from a server in the report, in characters. */
const maxTextLength = 500;

/** Runs all steps of the diagnosis, then opens its report. */
export async function diagnoseConnection(
  connections: Connections,
  connection: Connection,
): Promise<void> {
  const { id, name, address, protection, isProduction } = connection;
  if (isSampleConnection(connection)) {
    try {
      // Starts the embedded server after a reload, but not after the user has stopped it.
      await connections.status(id, AbortSignal.timeout(sampleTimeLimitMs));
    } catch (error) {
      return showError(error, { connectionId: id });
    }
  }
  const steps = await runSteps(connections, connection);
  if (!steps) return;
  const text = reportText({
    facts: [
      [vscode.l10n.t("Connection"), name],
      [vscode.l10n.t("Address"), address],
      [vscode.l10n.t("Protection"), protectionName(protection)],
      ...(isProduction
        ? [[vscode.l10n.t("Production"), vscode.l10n.t("yes")] as [string, string]]
        : []),
      ["Workbench for MindsDB", ownVersion()],
      ["VS Code", `${vscode.version}, ${os.platform()} ${os.release()}`],
      [vscode.l10n.t("Time"), new Date().toISOString()],
    ],
    steps: steps.map((step) => ({ ...step, text: oneLine(step.text, maxTextLength) })),
  });
  loadRedaction();
  const report = connections.secrets(id).redact(text);
  await showText(`${name.slice(0, 40)} diagnosis.txt`, report);
  const failed = steps.find(({ state }) => state === "failed");
  const copy = vscode.l10n.t("Copy");
  const pressed = failed
    ? await showWarning(vscode.l10n.t("{0} failed. {1}", failed.name, failed.advice ?? ""), copy)
    : await showInformation(vscode.l10n.t("Connection OK: {0}", name), copy);
  if (pressed === copy) await vscode.env.clipboard.writeText(report);
}

function ownVersion(): string {
  const own = vscode.extensions.getExtension(extensionId)?.packageJSON as { version?: string };
  return own?.version ?? "";
}

/** Undefined if the user cancels. */
async function runSteps(
  connections: Connections,
  connection: Connection,
): Promise<DiagnosisStep[] | undefined> {
  const { id, name, address } = connection;
  return withCancelButton(vscode.l10n.t("Diagnosing {0}", name), async (signal, report) => {
    const limit = AbortSignal.timeout(keyringTimeLimitMs);
    try {
      return await diagnose({
        address,
        network: await connections.networkOf(id),
        gatewayLogin: () => connections.gatewayLogin(connection),
        client: () => connections.client(id),
        isSignedIn: await connections.isSignedIn(id, limit).catch(() => false),
        signal,
        onStep: (message) => report({ message }),
      });
    } catch (error) {
      if (isCancelled(error)) return undefined;
      throw error;
    }
  });
}
