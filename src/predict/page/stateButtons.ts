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
  texts: ResultTexts;
}

/** The buttons beside the count of rows. `isGone` is true if the host no longer has its rows. */
export function stateButtons(progress: RunProgress, options: StateButtonsOptions): StateButton[] {
  const { runId, isGone, texts } = options;
  const message: ToHost = { type: "compareRuns", runId };
  const hasOthers = !isGone && (progress.pastRuns ?? 0) > 1;
  const { into } = progress;
  const ofTable: StateButton[] = [
    { title: texts.previewTable, message: { type: "previewTable", runId }, className: "" },
    { title: texts.showSql, message: { type: "showSql", runId }, className: "" },
  ];
  return [
    ...(into && !isGone ? ofTable.slice(into.isWritten ? 0 : 1) : []),
    ...(hasOthers ? [{ title: texts.compareRuns, message, className: "" }] : []),
    ...buttonsOfState(progress, options),
  ];
}

function buttonsOfState(
  { state, origin, changes = [] }: RunProgress,
  { runId, isGone, texts }: StateButtonsOptions,
): StateButton[] {
  const button = (title: string, message: ToHost, className = "primary"): StateButton => ({
    title,
    message,
    className,
  });
  const run: ToHost = { type: "run", runId, anyway: false };
  const stop = button(texts.stop, { type: "stop", runId }, "");
  if (isGone) return [button(texts.run, run)];
  if (origin !== undefined) {
    return [button(texts.runAgain, run, changes.length > 0 ? "primary" : "")];
  }
  switch (state.kind) {
    case "running":
    case "waiting":
      return [stop];
    case "paused":
      if (state.lacksInputs) return [button(texts.runAnyway, { type: "resume", runId }), stop];
      return [
        ...(state.action ? [button(state.action, { type: "accept", runId })] : []),
        button(texts.resume, { type: "resume", runId }, state.action ? "" : "primary"),
        stop,
      ];
    case "blocked":
      return [button(texts.runAnyway, { type: "run", runId, anyway: true })];
    case "stopped":
      return [button(texts.run, run, "")];
    case "failed":
      return [
        ...(state.action ? [button(state.action, { type: "accept", runId })] : []),
        button(texts.run, run, ""),
      ];
    case "done":
      return [];
  }
}
