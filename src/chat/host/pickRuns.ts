// `Compare Answers…`: lets the user pick two runs.
import * as vscode from "vscode";
import { plainLabel } from "../../shared/oneLine.ts";
import { ChatTextFormatter } from "../chatTextFormatter.ts";
import { formatRelativeTime } from "../relativeTime.ts";
import { listVersions, type Transcript } from "../transcript.ts";
import type { ComparedRun } from "./textDocuments.ts";
import { pickItem } from "../../shared/host/pickItem.ts";

interface RunItem extends vscode.QuickPickItem {
  compared: ComparedRun;
}

const maxLabelLength = 120;

/** Returns a run of the conversation, without asking if there is only one; undefined when closed. */
export async function pickRun(
  transcript: Transcript,
  title: string,
): Promise<ComparedRun | undefined> {
  const runs = listRuns([transcript]);
  const placeHolder = vscode.l10n.t("Select an answer");
  const picked = runs.length === 1 ? runs[0] : await pickItem(runs, { title, placeHolder });
  return picked?.compared;
}

/**
 * Returns two runs of these conversations, the older one first; undefined when closed. The first is picked among the
 * runs of `transcript`, the second among all.
 */
export async function pickRuns(
  transcript: Transcript,
  others: () => Promise<Transcript[]>,
): Promise<[ComparedRun, ComparedRun] | undefined> {
  const title = vscode.l10n.t("Compare Answers");
  const first = await pickItem(listRuns([transcript]), {
    title,
    placeHolder: vscode.l10n.t("Select an answer"),
    matchOnDescription: true,
  });
  if (!first) return undefined;
  const { compared: one } = first;
  const isOther = ({ compared: { run } }: RunItem): boolean => run !== one.run;
  const rest = others().then((all) => listRuns([transcript, ...all]).filter(isOther));
  const second = await pickItem(rest, {
    title,
    placeHolder: vscode.l10n.t("Select the answer to compare it with"),
    matchOnDescription: true,
  });
  if (!second) return undefined;
  const { compared: other } = second;
  return one.run.startedAt <= other.run.startedAt ? [one, other] : [other, one];
}

/** The newest run of a conversation first. */
function listRuns(transcripts: readonly Transcript[]): RunItem[] {
  const formatter = new ChatTextFormatter(vscode.env.language);
  return transcripts.flatMap((transcript) =>
    transcript.runs
      .flatMap((shown) =>
        listVersions(shown).map((run, index, { length }) => ({ run, index, length })),
      )
      .filter(({ run }) => run.state !== "running")
      .toReversed()
      .map(({ run, index, length }) => ({
        label: plainLabel(run.question, maxLabelLength),
        description: formatRelativeTime(run.startedAt, Date.now(), vscode.env.language),
        detail: [
          plainLabel(formatter.outcome(run), maxLabelLength),
          ...(length > 1 ? [vscode.l10n.t("Answer {0} of {1}", index + 1, length)] : []),
        ].join(" · "),
        compared: { transcript, run },
      })),
  );
}
