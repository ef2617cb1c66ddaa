// Builds the page's form for a source: its columns, the role of each, and a preview of the first documents.
import type { Row } from "../../../predict/rows/row.ts";
import { truncate } from "../../../shared/oneLine.ts";
import {
  findIdColumn,
  findMappingProblems,
  listHiddenMetadata,
  listRoles,
  type ColumnMapping,
  type FillTarget,
  type SeenColumns,
} from "../../fill/columnMapping.ts";
import { DocumentReader, readText, type FillDocument } from "../../fill/documentReader.ts";
import type { FillForm } from "../../fillPage.ts";
import {
  formatHiddenMetadata,
  formatIdNote,
  formatMappingProblem,
  formatRole,
} from "./fillTexts.ts";
import type { FillSource } from "./fillSources.ts";

const previewDocuments = 3;
/** In characters. */
const maxSample = 80;
const maxPreview = 240;

interface FillFormOptions {
  source: Pick<FillSource, "label" | "name">;
  /** The first rows of the source. */
  head: readonly Row[];
  target: FillTarget;
  mapping: ColumnMapping;
  existing: FillForm["existing"];
}

export function createFillForm(options: FillFormOptions): FillForm {
  const { source, head, target, mapping, existing } = options;
  const hasOneContent = target.contentColumns.length === 1;
  const documents = new DocumentReader(mapping, target, source.name).read([...head]);
  const problems = findMappingProblems(mapping);
  const samples = findSamples(head);
  const columns = listColumns(head);
  const columnCount = columns.length;
  return {
    source: source.label,
    columns: columns.map((column) => ({
      name: column,
      sample: truncate(samples.get(column) ?? "", maxSample),
      roles: listRoles(column, target, { current: mapping[column], columnCount }).map((role) => {
        return { role, label: formatRole(role, hasOneContent) };
      }),
    })),
    mapping,
    preview:
      problems.length > 0
        ? []
        : documents.slice(0, previewDocuments).map((document) => previewDocument(document, target)),
    problems: problems.map(formatMappingProblem),
    warnings: listHiddenMetadata(mapping).map(formatHiddenMetadata),
    idNote: formatIdNote(findIdColumn(mapping), source.name),
    existing,
  };
}

/** All columns of the rows, in the order in which they first appear. */
export function listColumns(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap(({ shape }) => shape.names))];
}

/** Properties of the columns of the first rows, for the mapping to begin with. */
export function findSeen(rows: readonly Row[]): SeenColumns {
  const samples = findSamples(rows);
  const repeated = new Set<string>();
  const texts = new Map<string, Set<string>>();
  for (const row of rows) {
    for (const column of row.shape.names) {
      const text = readText(row, column);
      const seen = texts.get(column) ?? new Set();
      if (text !== "" && seen.has(text)) repeated.add(column);
      texts.set(column, seen.add(text));
    }
  }
  return { blank: new Set(listColumns(rows).filter((column) => !samples.has(column))), repeated };
}

/** The first text of each column that has one. */
function findSamples(rows: readonly Row[]): Map<string, string> {
  const samples = new Map<string, string>();
  for (const row of rows) {
    for (const column of row.shape.names) {
      if (samples.has(column)) continue;
      const text = readText(row, column);
      if (text.trim() !== "") samples.set(column, text);
    }
  }
  return samples;
}

function previewDocument(
  { id, row }: FillDocument,
  { contentColumns, idColumn }: FillTarget,
): FillForm["preview"][0] {
  const contents = contentColumns.flatMap((column) => row[column] ?? []).map(String);
  const others = new Set([idColumn, ...contentColumns]);
  const metadata = Object.entries(row).filter(([name]) => !others.has(name));
  return {
    id: truncate(id, maxSample),
    content: truncate(contents.join("\n\n"), maxPreview),
    metadata: truncate(
      metadata.map(([name, value]) => `${name}: ${String(value)}`).join("\n"),
      maxPreview,
    ),
  };
}
