// A conversation as a Markdown document, to be kept, handed over, or compared as text.
import * as l10n from "@vscode/l10n";
import { fenceText } from "../shared/fenceText.ts";
import {
  escapeMarkdownCell,
  formatMarkdownRow,
  formatMarkdownRule,
} from "../shared/markdownTable.ts";
import { oneLine } from "../shared/oneLine.ts";
import {
  formatPartKind,
  formatRowLimit,
  formatStepState,
  type ChatTextFormatter,
} from "./chatTextFormatter.ts";
import { makeInert } from "./inertMarkdown.ts";
import { findLimitedAnswerSql, findLimitedSql, mayHaveMoreRows } from "./serverRowLimit.ts";
import { readTable } from "./tables/observationTables.ts";
import { parsePipeTable } from "./tables/pipeTable.ts";
import { listVersions, type AgentRun, type TimedStep, type Transcript } from "./transcript.ts";

const maxTitleLength = 120;

/** The parts of a conversation that are written: everything, or questions and answers alone. */
export type ConversationExtent = "whole" | "answers";

interface RunFormat {
  /** Without it, nothing depends on when the question was asked. */
  formatTime?: (epochMs: number) => string;
  /** To be compared with another run: the answer comes first, and there are no durations, which always differ. */
  isCompared?: boolean;
  extent?: ConversationExtent;
}

/** Every question with its steps and its answer, and earlier answers before the last one. Texts are whole. */
export function formatConversation(
  { agent, runs }: Transcript,
  formatter: ChatTextFormatter,
  formatTime: (epochMs: number) => string,
  extent: ConversationExtent = "whole",
): string {
  const { name, project, connection } = agent;
  const format = extent === "whole" ? { formatTime } : { extent };
  const parts = [
    `# ${escapeTitle(name)}`,
    l10n.t("{0} on {1}", escapeTitle(project), escapeTitle(connection)),
    ...runs.flatMap(listVersions).map((run) => formatRun(run, formatter, format).trimEnd()),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** One question with its steps and its answer. */
export function formatRun(
  run: AgentRun,
  formatter: ChatTextFormatter,
  { formatTime, isCompared = false, extent = "whole" }: RunFormat = {},
): string {
  const isLong = run.question.length > maxTitleLength || run.question.includes("\n");
  const answer = run.answer?.text.trim() ?? "";
  const limited = findLimitedAnswerSql(run);
  const hasEnd = run.state !== "answered" || (extent === "whole" && !isCompared);
  const end = hasEnd
    ? [makeInert(formatter.outcome(run)), formatTime?.(run.startedAt)].filter(Boolean)
    : [];
  const steps =
    extent === "whole" ? run.steps.map((step) => formatStep(step, formatter, isCompared)) : [];
  const answered = [...(answer === "" ? [] : [makeInert(answer)]), ...formatLimit(limited, answer)];
  // The title parts the answer from the steps.
  const titled = answer !== "" && extent === "whole" ? [`### ${l10n.t("Answer")}`] : [];
  return [
    `## ${escapeTitle(run.question)}`,
    ...(isLong ? [fenceText(run.question.trim())] : []),
    ...(isCompared ? [] : steps),
    ...titled,
    ...answered,
    ...(isCompared ? steps : []),
    ...(end.length > 0 ? [end.join(" · ")] : []),
    ...(run.detail === undefined ? [] : [fenceText(run.detail)]),
  ]
    .join("\n\n")
    .concat("\n");
}

function formatStep(step: TimedStep, formatter: ChatTextFormatter, isCompared: boolean): string {
  const { at, until, n } = step;
  const state = formatStepState(step);
  const marks = [
    ...(until === undefined || isCompared ? [] : [formatter.duration(until - at)]),
    ...(state === "" ? [] : [state]),
  ];
  const title = escapeTitle(
    [`${formatter.count(n)}. ${formatter.step(step)}`, ...marks].join(" · "),
  );
  const limited = findLimitedSql(step);
  const parts = step.parts.flatMap(({ kind, text }) => [
    formatPartKind(kind),
    formatPart(kind, text) ?? l10n.t("Empty"),
    ...(kind === "observation" ? formatLimit(limited, text) : []),
  ]);
  return [`### ${title}`, ...parts].join("\n\n");
}

/** A table as one of Markdown, and any other text as a code block; undefined for an empty text. */
function formatPart(kind: TimedStep["parts"][number]["kind"], text: string): string | undefined {
  if (text.trim() === "") return undefined;
  const table = kind === "observation" ? readTable(text, false) : undefined;
  if (!table) return fenceText(text, kind === "sql" ? "sql" : "");
  return [
    formatMarkdownRow(table.columns.map(escapeMarkdownCell)),
    formatMarkdownRule(table.numeric),
    ...table.rows.map((row) => formatMarkdownRow(row.map(escapeMarkdownCell))),
  ].join("\n");
}

/** The note below a table that the server limited. */
function formatLimit(sql: string | undefined, text: string): string[] {
  const table = sql === undefined ? undefined : parsePipeTable(text);
  return table && mayHaveMoreRows(table.rows.length, true) ? [formatRowLimit()] : [];
}

/** A text as a title, in which Markdown sees no syntax. */
function escapeTitle(text: string): string {
  return oneLine(text, maxTitleLength).replace(/[\\`*_{}[\]<>#|!~]/g, String.raw`\$&`);
}
