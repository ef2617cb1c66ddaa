import * as l10n from "@vscode/l10n";
import type { RunProgress, ToHost } from "../messages.ts";

export interface StateButton {
  title: string;
  message: ToHost;
  className: string;
}

interface StateButtonsOptions {
  runId: string;
  isGone: boolean;
  canRun: boolean;
}

/** The buttons beside the count of rows. `isGone` is true if the host no longer has its rows, `canRun` if it knows its cell. */
export function createStateButtons(
  progress: RunProgress,
  options: StateButtonsOptions,
): StateButton[] {
  const { runId, isGone, canRun } = options;
  if (isGone) {
    return canRun ? [createButton(l10n.t("Run Again"), { type: "run", runId, anyway: false })] : [];
  }
  const { into, pastRuns = 0 } = progress;
  const buttons = buttonsOfState(progress, options);
  if (pastRuns > 1) {
    buttons.unshift(createButton(l10n.t("Compare Runs…"), { type: "compareRuns", runId }, ""));
  }
  if (into) buttons.unshift(createButton(l10n.t("Show SQL"), { type: "showSql", runId }, ""));
  if (into?.isWritten) {
    buttons.unshift(createButton(l10n.t("Preview Table"), { type: "previewTable", runId }, ""));
  }
  return buttons;
}

function createButton(title: string, message: ToHost, className = "primary"): StateButton {
  return { title, message, className };
}

function buttonsOfState(
  { state, origin, changes = [] }: RunProgress,
  { runId }: StateButtonsOptions,
): StateButton[] {
  const run: ToHost = { type: "run", runId, anyway: false };
  const stop = createButton(l10n.t("Stop"), { type: "stop", runId }, "");
  if (origin !== undefined) {
    return [createButton(l10n.t("Run Again"), run, changes.length > 0 ? "primary" : "")];
  }
  switch (state.kind) {
    case "running":
    case "waiting":
      return [stop];
    case "paused":
      if (state.lacksInputs) {
        return [createButton(l10n.t("Run Anyway"), { type: "resume", runId }), stop];
      }
      return [
        ...(state.action ? [createButton(state.action, { type: "runAction", runId })] : []),
        createButton(l10n.t("Resume"), { type: "resume", runId }, state.action ? "" : "primary"),
        stop,
      ];
    case "blocked":
      return [createButton(l10n.t("Run Anyway"), { type: "run", runId, anyway: true })];
    case "stopped":
      return [createButton(l10n.t("Run Again"), run, "")];
    case "failed":
      return [
        ...(state.action ? [createButton(state.action, { type: "runAction", runId })] : []),
        createButton(l10n.t("Run Again"), run, ""),
      ];
    case "done":
      return [];
  }
}
