import type { RunProgress, ToHost } from "../messages.ts";
import type { ResultTexts } from "../result/resultTexts.ts";

interface StateButton {
  title: string;
  message: ToHost;
  className: string;
}

interface StateButtonsOptions {
  runId: string;
  isGone: boolean;
  canRun: boolean;
  texts: ResultTexts;
}

/** The buttons beside the count of rows. `isGone` is true if the host no longer has its rows, `canRun` if it knows its cell. */
export function createStateButtons(
  progress: RunProgress,
  options: StateButtonsOptions,
): StateButton[] {
  const { runId, isGone, canRun, texts } = options;
  if (isGone) return canRun ? [createButton(texts.run, { type: "run", runId, anyway: false })] : [];
  const { into, pastRuns = 0 } = progress;
  const buttons = buttonsOfState(progress, options);
  if (pastRuns > 1) {
    buttons.unshift(createButton(texts.compareRuns, { type: "compareRuns", runId }, ""));
  }
  if (into) buttons.unshift(createButton(texts.showSql, { type: "showSql", runId }, ""));
  if (into?.isWritten) {
    buttons.unshift(createButton(texts.previewTable, { type: "previewTable", runId }, ""));
  }
  return buttons;
}

function createButton(title: string, message: ToHost, className = "primary"): StateButton {
  return { title, message, className };
}

function buttonsOfState(
  { state, origin, changes = [] }: RunProgress,
  { runId, texts }: StateButtonsOptions,
): StateButton[] {
  const run: ToHost = { type: "run", runId, anyway: false };
  const stop = createButton(texts.stop, { type: "stop", runId }, "");
  if (origin !== undefined) {
    return [createButton(texts.runAgain, run, changes.length > 0 ? "primary" : "")];
  }
  switch (state.kind) {
    case "running":
    case "waiting":
      return [stop];
    case "paused":
      if (state.lacksInputs) {
        return [createButton(texts.runAnyway, { type: "resume", runId }), stop];
      }
      return [
        ...(state.action ? [createButton(state.action, { type: "accept", runId })] : []),
        createButton(texts.resume, { type: "resume", runId }, state.action ? "" : "primary"),
        stop,
      ];
    case "blocked":
      return [createButton(texts.runAnyway, { type: "run", runId, anyway: true })];
    case "stopped":
      return [createButton(texts.run, run, "")];
    case "failed":
      return [
        ...(state.action ? [createButton(state.action, { type: "accept", runId })] : []),
        createButton(texts.run, run, ""),
      ];
    case "done":
      return [];
  }
}
