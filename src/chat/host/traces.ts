// `Export Trace…` and `Send Trace to Collector…`: a run as OpenTelemetry spans.
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { settings } from "../../ids.ts";
import { AppError, isCancelled } from "../../mindsdb/errors.ts";
import { formatAddress, type ServerAddress } from "../../mindsdb/http/serverAddress.ts";
import type { Log } from "../../shared/host/log.ts";
import { showErrorMessage, showInformation, showWarning } from "../../shared/host/notifications.ts";
import { networkOptions, traceCollector } from "../../shared/host/settings.ts";
import { withCancelButton } from "../../shared/host/withCancelButton.ts";
import type { AgentAccess } from "../agentAccess.ts";
import { encodeTraceJson, encodeTraceProtobuf, type Trace } from "../trace/otlp.ts";
import { parseCollector, sendTrace } from "../trace/sendTrace.ts";
import { buildSpans } from "../trace/spans.ts";
import type { Transcript } from "../transcript.ts";
import { exportText } from "./exportText.ts";
import { askCollectorHeader, readCollectorHeader } from "./collectorHeader.ts";
import { pickRun } from "./pickRuns.ts";
import { pickItem } from "../../shared/host/pickItem.ts";

export interface TracesOptions {
  access: AgentAccess;
  servers: ServerAccess;
  log: Log;
  /** For the header of a collector. */
  secrets: vscode.SecretStorage;
  /** Of the extension. */
  version: string;
}

/** Asks for a run and a file, and writes the run's trace into it as OTLP JSON. */
export async function exportTrace(transcript: Transcript, options: TracesOptions): Promise<void> {
  const title = vscode.l10n.t("Export Trace");
  const placeHolder = vscode.l10n.t("Select what the trace contains");
  const trace = await pickTrace(transcript, options, { title, placeHolder });
  if (!trace) return;
  await exportText(
    {
      title,
      name: transcript.agent.name,
      extension: "trace.json",
      filters: { JSON: ["json"] },
      format: () => encodeTraceJson(trace),
      formatSuccess: (where) => vscode.l10n.t("Exported the trace to {0}.", where),
      formatFailure: (why) => vscode.l10n.t("The trace could not be exported: {0}", why),
    },
    options.log,
  );
}

/** Asks for a run, and sends its trace to the collector of the settings; says so if there is none. */
export async function sendTraceToCollector(
  transcript: Transcript,
  options: TracesOptions,
): Promise<void> {
  const setting = traceCollector();
  if (setting === "") {
    await explainSetting();
    return;
  }
  try {
    const collector = parseCollector(setting);
    const address = formatAddress(collector);
    const trace = await pickTrace(transcript, options, {
      title: vscode.l10n.t("Send Trace to Collector"),
      placeHolder: vscode.l10n.t("Select what to send to {0}", address),
    });
    if (!trace) return;
    const encoded = encodeTraceProtobuf(trace);
    while (!(await trySending(collector, encoded, options)));
  } catch (error) {
    if (isCancelled(error)) return;
    options.log.error("Could not send a trace", error);
    void showErrorMessage(explainFailure(error));
  }
}

/** False to try again: the collector wants a login, and the user has given a header for it. */
async function trySending(
  collector: ServerAddress,
  trace: Uint8Array,
  { secrets, log }: TracesOptions,
): Promise<boolean> {
  const address = formatAddress(collector);
  const header = await readCollectorHeader(secrets, collector);
  const title = vscode.l10n.t("Sending the trace to {0}", address);
  try {
    const words = await withCancelButton(title, (signal) =>
      sendTrace(collector, trace, { network: networkOptions(), signal, header }),
    );
    const sent = vscode.l10n.t("Sent the trace to {0}.", address);
    if (words === undefined) void showInformation(sent);
    else void showWarning(vscode.l10n.t("{0} Collector message: {1}", sent, words));
    return true;
  } catch (error) {
    const wantsLogin = error instanceof AppError && [401, 403].includes(error.status ?? 0);
    if (!wantsLogin) throw error;
    log.error("A collector wants a login", error);
    const setHeader = vscode.l10n.t("Set Header…");
    if ((await showErrorMessage(explainFailure(error), setHeader)) !== setHeader) return true;
    return !(await askCollectorHeader(secrets, collector));
  }
}

function explainFailure(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  // The collector has taken a part of it.
  if (error instanceof AppError && error.status === 200) return why;
  return vscode.l10n.t("The trace could not be sent: {0}", why);
}

async function explainSetting(): Promise<void> {
  const open = vscode.l10n.t("Open Settings");
  const message = vscode.l10n.t("No trace collector is configured.");
  if ((await showWarning(message, open)) !== open) return;
  const id = `${settings.section}.${settings.traceCollector}`;
  await vscode.commands.executeCommand("workbench.action.openSettings", id);
}

/** Asks for a run, and whether its trace has content; undefined when closed. */
async function pickTrace(
  transcript: Transcript,
  { access, servers, version }: TracesOptions,
  texts: { title: string; placeHolder: string },
): Promise<Trace | undefined> {
  const picked = await pickRun(transcript, texts.title);
  if (!picked) return undefined;
  const contents = [
    {
      label: vscode.l10n.t("Without Content"),
      detail: vscode.l10n.t("Agent and tool names, times, and outcomes"),
      hasContent: false,
    },
    {
      label: vscode.l10n.t("With Content"),
      detail: vscode.l10n.t(
        "Includes questions, answers, SQL, and tool results. Known secrets are masked.",
      ),
      hasContent: true,
    },
  ];
  const content = await pickItem(contents, texts);
  if (!content) return undefined;
  const { chatId, agent } = transcript;
  const spans = buildSpans(picked.run, {
    chatId,
    agent,
    address: servers.find(agent.connectionId)?.address,
    hasContent: content.hasContent,
    redact: (text) => access.redact(text, agent),
  });
  return { spans, project: agent.name, version };
}
