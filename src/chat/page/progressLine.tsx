// Where the running run stands: its step and the time, and whether the server is silent.
import * as l10n from "@vscode/l10n";
import { useEffect, useState } from "preact/hooks";
import type { ChatTextFormatter } from "../chatTextFormatter.ts";
import type { AgentRun } from "../transcript.ts";

/** Time without a response after which the line says so, in ms. */
const silenceMs = 10_000;

interface ProgressLineProps {
  run: AgentRun | undefined;
  /** The time of its last event, in ms since it started. */
  lastEventAt: number;
  agent: string;
  formatter: ChatTextFormatter;
  /** The host's clock, epoch ms. */
  now: () => number;
}

export function ProgressLine({ run, ...rest }: ProgressLineProps) {
  const [, setTicks] = useState(0);
  useEffect(() => {
    if (!run) return undefined;
    const timer = window.setInterval(() => setTicks((ticks) => ticks + 1), 1000);
    return () => window.clearInterval(timer);
  }, [run]);
  return (
    <p class="where" hidden={!run}>
      {run && formatProgress(run, rest)}
    </p>
  );
}

function formatProgress(
  run: AgentRun,
  { lastEventAt, agent, formatter, now }: Omit<ProgressLineProps, "run">,
): string {
  const elapsed = Math.max(0, now() - run.startedAt);
  const step = run.steps.at(-1);
  const where = step ? formatter.step(step) : l10n.t("Waiting for {0}", agent);
  const pieces = [where, formatter.clock(elapsed)];
  const silence = elapsed - lastEventAt;
  if (silence >= silenceMs) pieces.push(l10n.t("no response for {0}", formatter.clock(silence)));
  return pieces.join(" · ");
}
