// The documents as rows. The document of the active row is opened, once the user moves no further.
import * as l10n from "@vscode/l10n";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Grid } from "../../../shared/page/grid/grid.ts";
import { formatNumber } from "../../../shared/page/l10n.ts";
import type { Host } from "../../../shared/pageProtocol.ts";
import { tsvLine } from "../../../shared/spreadsheetText.ts";
import type {
  DocumentList,
  DocumentRow,
  documentsCalls,
  DocumentsContent,
} from "../../documentsPage.ts";

const columns = ["id", "content", "metadata", "chunks"] as const;
const widths = { id: 180, metadata: 180, chunks: 80 };
/** Of the content's column, which takes what the others leave of the page. */
const minContentWidth = 280;
const maxContentWidth = 800;
/** The user moves on, in ms. */
const movingPause = 150;

interface DocumentGridProps {
  state: DocumentsContent & { list: DocumentList };
  host: Host<typeof documentsCalls>;
}

export function DocumentGrid(props: DocumentGridProps) {
  const { list, filter, sort } = props.state;
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const grid = useRef<Grid<DocumentRow>>(null);
  const before = useRef<DocumentsContent>(null);
  useLayoutEffect(() => {
    grid.current = createGrid(() => latest.current);
    place.current?.append(grid.current.element);
    return () => grid.current?.dispose();
  }, []);
  useLayoutEffect(() => {
    const { filter: filterBefore, sort: sortBefore } = before.current ?? {};
    before.current = props.state;
    const isSameOrder =
      sortBefore?.column === sort.column && sortBefore.descending === sort.descending;
    if (filterBefore === filter && isSameOrder) grid.current?.renew();
    else grid.current?.clear();
    grid.current?.setSorted({ column: columns.indexOf(sort.column), descending: sort.descending });
    grid.current?.setTotal(list.shown);
    // The page's focus begins in the grid.
    grid.current?.element.toggleAttribute("data-first", list.shown > 0);
  }, [list.view]);
  return <div class="grid-place" ref={place} hidden={list.shown === 0} />;
}

function createGrid(latest: () => DocumentGridProps): Grid<DocumentRow> {
  /** The row whose document is to be opened; without an id it is not there yet. The list may change meanwhile. */
  let wanted: { row: number; id: string | undefined } | undefined;
  let timer = 0;

  function openWanted(): void {
    const id = wanted && (wanted.id ?? grid.rowAt(wanted.row)?.id);
    if (id === undefined) return;
    wanted = undefined;
    const { state, host } = latest();
    if (id !== state.opened?.id) void host.open(id);
  }

  async function fetchRows(from: number, count: number): Promise<void> {
    const { state, host } = latest();
    const { view } = state.list;
    const rows = (await host.readRows(view, from, count)) as DocumentRow[] | undefined;
    if (!rows || view !== latest().state.list.view) return;
    grid.setRows(from, rows);
    if (timer === 0) openWanted();
  }

  function sortBy(at: number): void {
    const column = columns[at];
    // The others are not known before they are read.
    if (column !== "id" && column !== "chunks") return;
    const { state, host } = latest();
    const { filter, sort } = state;
    const descending = sort.column === column ? !sort.descending : column === "chunks";
    void host.setView(filter, { column, descending });
  }

  const titles = {
    id: l10n.t("ID"),
    content: l10n.t("Content"),
    metadata: l10n.t("Metadata"),
    chunks: l10n.t("Chunks"),
  };
  const grid = new Grid<DocumentRow>({
    label: l10n.t("Documents"),
    help: l10n.t(
      "Arrow keys move from document to document, and the document is shown below. Enter on ID or Chunks sorts, Delete deletes the document, and Ctrl+C copies.",
    ),
    fills: true,
    fetch: (from, count) => void fetchRows(from, count),
    draw: drawCell,
    sort: sortBy,
    copy: ({ rows, columns: { from, to } }) => {
      const lines: string[] = [];
      for (let at = rows.from; at < rows.to; at++) {
        const row = grid.rowAt(at);
        if (row) {
          lines.push(tsvLine(columns.slice(from, to).map((name) => String(row[name] ?? ""))));
        }
      }
      if (lines.length > 0) void latest().host.copyText(lines.join("\n"));
    },
    moved: (row) => {
      wanted = { row, id: grid.rowAt(row)?.id };
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        timer = 0;
        openWanted();
      }, movingPause);
    },
  });
  const left = window.innerWidth - widths.id - widths.metadata - widths.chunks - 80;
  const content = Math.min(maxContentWidth, Math.max(minContentWidth, left));
  grid.setColumns(
    columns.map((name) => ({
      title: titles[name],
      width: name === "content" ? content : widths[name],
      class: name === "chunks" ? "numbers" : "texts",
    })),
  );
  grid.element.addEventListener("keydown", ({ key }) => {
    const { state, host } = latest();
    if (key === "Delete" && state.opened) void host.delete(state.opened.id);
  });
  return grid;
}

function drawCell(cell: HTMLElement, row: DocumentRow, column: number): void {
  const name = columns[column] ?? "id";
  const text = name === "chunks" ? formatNumber(row.chunks) : row[name];
  cell.textContent = text ?? l10n.t("could not be read");
  cell.classList.toggle("unread", text === undefined);
  if (name !== "chunks" && text) cell.title = text;
}
