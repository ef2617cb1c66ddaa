// Sentences of the page that adds content, in the user's language.
import { l10n } from "vscode";
import { describeReading } from "../../../predict/rows/rowNotes.ts";
import type { RowTotal } from "../../../predict/rows/rowTotal.ts";
import { truncate } from "../../../shared/oneLine.ts";
import type { RowCount } from "../../fill/documentReader.ts";
import type { MappingProblem } from "../../fill/columnMapping.ts";
import type { LeftOutFiles } from "../../fill/textFiles.ts";
import type { FillPhase, FillResult } from "../../fill/fillRun.ts";
import type { RunOutcome } from "../../fillPage.ts";

/** Missing ids that the page shows; all of them are in the document that it opens. */
const maxShownIds = 20;
const maxIdLength = 80;
/** Names of left out files. */
const maxShownFiles = 3;

/** The label of a column's role. */
export function formatRole(role: string, hasOneContent: boolean): string {
  const at = role.indexOf(":");
  const name = role.slice(at + 1);
  if (role === "id") return l10n.t("ID");
  if (at < 0) return l10n.t("Not added");
  if (!role.startsWith("content:")) return l10n.t("Metadata: {0}", name);
  return hasOneContent ? l10n.t("Content") : l10n.t("Content: {0}", name);
}

export function formatMappingProblem(problem: MappingProblem): string {
  switch (problem) {
    case "noContent":
      return l10n.t("Select at least one content column.");
    case "idTwice":
      return l10n.t("Only one column can be the ID.");
    case "metadataTwice":
      return l10n.t("Two columns become the same metadata. Change one of them.");
  }
}

export function formatHiddenMetadata(column: string): string {
  return l10n.t(
    "{0} is a reserved column of search results. Rename it in the source, or do not add it.",
    column,
  );
}

export function formatIdNote(idColumn: string | undefined, sourceName: string): string {
  if (idColumn !== undefined) return l10n.t("IDs are stored as text.");
  return l10n.t(
    "No ID column is selected, so each ID is the source name and the row number, like {0}. If the source changes and you add it again, the wrong documents may be replaced.",
    `${sourceName}#1`,
  );
}

export function formatCount(count: RowCount): string[] {
  const { rows, documents, repeatedId, noId, noContent } = count;
  return [
    rows !== documents
      ? l10n.t("Documents: {0}. Rows: {1}.", format(documents), format(rows))
      : documents === 1
        ? l10n.t("1 document.")
        : l10n.t("{0} documents.", format(documents)),
    ...(repeatedId > 0
      ? [l10n.t("Skipped rows with a duplicate ID: {0}", format(repeatedId))]
      : []),
    ...(noContent > 0 ? [l10n.t("Skipped rows without content: {0}", format(noContent))] : []),
    ...(noId > 0 ? [l10n.t("Skipped rows without an ID: {0}", format(noId))] : []),
  ];
}

/** Sentences about how the rows of a file were read. */
export function formatReading(total: RowTotal): string[] {
  const { blankRows } = total;
  return [
    ...describeReading(total, format),
    ...(blankRows > 0 ? [l10n.t("Skipped rows without any value: {0}", format(blankRows))] : []),
  ];
}

/** Sentences about skipped files and folders, with the first names. */
export function formatLeftOutFiles(files: LeftOutFiles, maxBytes: number): string[] {
  const { otherEnding, notText, tooLarge, notRead, link } = files;
  const megabytes = Math.round(maxBytes / 1024 / 1024);
  const describe = (names: readonly string[]): string => {
    const first = names.slice(0, maxShownFiles).map((name) => truncate(name, maxIdLength));
    return `${format(names.length)} (${[...first, ...(names.length > maxShownFiles ? ["…"] : [])].join(", ")})`;
  };
  return [
    ...(notText.length > 0
      ? [
          l10n.t(
            "Skipped files that aren't text in UTF-8 or in the encoding of the setting files.encoding: {0}",
            describe(notText),
          ),
        ]
      : []),
    ...(tooLarge.length > 0
      ? [l10n.t("Skipped files over {0} MB: {1}", megabytes, describe(tooLarge))]
      : []),
    ...(notRead.length > 0
      ? [l10n.t("Skipped files that couldn't be read: {0}", describe(notRead))]
      : []),
    ...(link.length > 0
      ? [l10n.t("Skipped links to folders or to files outside the folder: {0}", describe(link))]
      : []),
    ...(otherEnding.length > 0
      ? [l10n.t("Skipped files of other kinds: {0}", describe(otherEnding))]
      : []),
  ];
}

export function formatPhase(phase: FillPhase, done: number, total: number): string {
  switch (phase) {
    case "checking":
      return l10n.t("Checking which documents are stored…");
    case "settling":
      return l10n.t("Interrupted. Waiting for the server to finish the last batch…");
    case "sending":
      return l10n.t("{0} of {1} documents", format(done), format(total));
  }
}

/** Formats the outcome; `reason` explains why a run was interrupted. */
export function formatOutcome(result: FillResult, reason: string | undefined): RunOutcome {
  const { end, skipped, missing, refused } = result;
  const counts = formatCounts(result);
  const isWhole = end === "complete" && missing.length === 0;
  const rest = missing.length - maxShownIds;
  return {
    isGood: isWhole,
    headline: end === "cancelled" ? `${l10n.t("Canceled.")} ${counts}` : counts,
    reasons: [
      ...(reason === undefined ? [] : [reason]),
      ...(skipped > 0
        ? [l10n.t("Skipped documents that already existed: {0}", format(skipped))]
        : []),
      ...[...new Set(refused.map((one) => one.reason))].filter((one) => one !== reason).slice(0, 3),
    ],
    missing: missing.slice(0, maxShownIds).map((id) => truncate(id, maxIdLength)),
    more: rest > 0 ? l10n.t("and {0} more", format(rest)) : "",
    resume: isWhole ? undefined : formatResume(end),
  };
}

function formatCounts({ sent, stored, missing }: FillResult): string {
  if (stored === undefined) {
    return l10n.t("{0} sent. It is unknown how many are stored.", format(sent));
  }
  if (missing.length === 0) return l10n.t("{0} sent, {1} stored.", format(sent), format(stored));
  const lost = format(missing.length);
  return l10n.t("{0} sent, {1} stored, {2} missing.", format(sent), format(stored), lost);
}

function formatResume(end: FillResult["end"]): string {
  return end === "complete" ? l10n.t("Send Missing Again") : l10n.t("Resume");
}

function format(number: number): string {
  return new Intl.NumberFormat("en").format(number);
}
