// A conversation as a Markdown document, to be kept, handed over, or compared as text.
import { fenceText } from "../shared/fenceText.ts";
import { formatMessage } from "../shared/formatMessage.ts";
import { oneLine } from "../shared/oneLine.ts";
import type { ChatTextFormatter } from "./formatTexts.ts";
import { makeInert } from "./inertMarkdown.ts";
import { findLimitedAnswerSql, findLimitedSql, mayHaveMoreRows } from "./serverRowLimit.ts";
import { parsePipeTable } from "./tables/pipeTable.ts";
import { listVersions, type AgentRun, type TimedStep, type Transcript } from "./transcript.ts";

const maxTitleLength = 120;

/** Every question with its steps and its answer, and earlier answers before the last one. Texts are whole. */
export function formatConversation(
  { agent, runs }: Transcript,
  formatter: ChatTextFormatter,
  formatTime: (epochMs: number) => string,
): string {
  const { name, project, connection } = agent;
  const parts = [
    `# ${escapeTitle(name)}`,
    formatMessage(formatter.texts.place, escapeTitle(project), escapeTitle(connection)),
    ...runs.flatMap(listVersions).map((run) => formatRun(run, formatter, formatTime).trimEnd()),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** One question with its steps and its answer. Without `formatTime`, nothing in it depends on when it was asked. */
export function formatRun(
  run: AgentRun,
  formatter: ChatTextFormatter,
  formatTime?: (epochMs: number) => string,
): string {
  const { texts } = formatter;
  const isLong = run.question.length > maxTitleLength || run.question.includes("\n");
  const outcome = makeInert(formatter.outcome(run));
  const end = [outcome, formatTime?.(run.startedAt)].filter(Boolean).join(" · ");
  const answer = run.answer?.text.trim() ?? "";
  const limited = findLimitedAnswerSql(run);
  return [
    `## ${escapeTitle(run.question)}`,
    ...(isLong ? [fenceText(run.question.trim())] : []),
    ...run.steps.map((step) => formatStep(step, formatter)),
    ...(answer === "" ? [] : [`### ${texts.answer}`, makeInert(answer)]),
    ...formatRowLimit(limited, answer, texts),
    end,
    ...(run.detail === undefined ? [] : [fenceText(run.detail)]),
  ]
    .join("\n\n")
    .concat("\n");
}

function formatStep(step: TimedStep, formatter: ChatTextFormatter): string {
  const { texts } = formatter;
  const { at, until, state, n } = step;
  const marks = [
    ...(until === undefined ? [] : [formatter.duration(until - at)]),
    ...(state === "failed" ? [texts.stepFailed] : []),
    ...(state === "unfinished" ? [texts.stepUnfinished] : []),
  ];
  const title = escapeTitle(
    [`${formatter.count(n)}. ${formatter.step(step)}`, ...marks].join(" · "),
  );
  const limited = findLimitedSql(step);
  const parts = step.parts.flatMap(({ kind, text }) => [
    texts.part[kind],
    text.trim() === "" ? texts.emptyPart : fenceText(text, kind === "sql" ? "sql" : ""),
    ...(kind === "observation" ? formatRowLimit(limited, text, texts) : []),
  ]);
  return [`### ${title}`, ...parts].join("\n\n");
}

/** What is said below a table that the server limited. */
function formatRowLimit(
  sql: string | undefined,
  text: string,
  { rowLimit }: ChatTextFormatter["texts"],
): string[] {
  const table = sql === undefined ? undefined : parsePipeTable(text);
  return table && mayHaveMoreRows(table.rows.length, true) ? [rowLimit] : [];
}

/** A text as a title, in which Markdown sees no syntax. */
function escapeTitle(text: string): string {
  return oneLine(text, maxTitleLength).replace(/[\\`*_{}[\]<>#|!~]/g, String.raw`\$&`);
}
