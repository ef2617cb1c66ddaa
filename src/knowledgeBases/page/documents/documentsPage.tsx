// The page with the documents of a knowledge base: a filter, a grid, and the document of the active row.
import * as l10n from "@vscode/l10n";
import { useEffect, useState } from "preact/hooks";
import type { ItemState } from "../../../shared/itemPage.ts";
import { ItemFrame } from "../../../shared/page/itemFrame.tsx";
import { formatNumber } from "../../../shared/page/l10n.ts";
import { Button, Facts, NoticeBox } from "../../../shared/page/parts.tsx";
import { startPage, type PageProps } from "../../../shared/page/startPage.tsx";
import { save } from "../../../shared/page/webview.ts";
import type {
  DocumentList,
  documentsCalls,
  DocumentsContent,
  OpenedDocument,
} from "../../documentsPage.ts";
import { DocumentGrid } from "./documentGrid.tsx";
import "./documents.css";

type Props = PageProps<ItemState & DocumentsContent, typeof documentsCalls>;

/** The user is still typing, in ms. */
const typingPause = 150;

function DocumentsView({ state, host }: Props) {
  const { item, connection, list, sort, problem, opening, opened, openFailure } = state;
  const [filter, setFilter] = useState(state.filter);
  useEffect(() => {
    if (filter === state.filter) return undefined;
    const timer = window.setTimeout(() => void host.setView(filter, sort), typingPause);
    return () => window.clearTimeout(timer);
  }, [filter]);
  useEffect(() => {
    save({ filter: state.filter, sort, opened: opened?.id ?? opening });
  }, [state]);
  const tools = (
    <>
      <Button label={l10n.t("Search")} press={host.showKnowledgeBase} />
      <Button label={l10n.t("Add Content…")} press={host.addContent} />
    </>
  );
  return (
    <ItemFrame
      state={{ ...state, title: l10n.t("Documents") }}
      host={host}
      place={l10n.t("In the knowledge base {0} in {1} on {2}", item.name, item.project, connection)}
      loading={l10n.t("Asking the server")}
      status={opening === undefined ? opened?.id : l10n.t("Reading {0}…", opening)}
      tools={tools}
      isRead={list !== undefined}
      fills
    >
      {problem !== undefined && (
        <NoticeBox notice={{ text: problem }} press={host.runNoticeAction} />
      )}
      {list && (
        <>
          <label class="table-filter">
            {l10n.t("Filter by ID")}
            <input
              class="input"
              type="search"
              placeholder={l10n.t("Part of an ID")}
              value={filter}
              onInput={({ currentTarget }) => setFilter(currentTarget.value)}
            />
          </label>
          <p class="count" role="status">
            {formatCount(list)}
          </p>
          <DocumentGrid state={{ ...state, list }} host={host} />
        </>
      )}
      {openFailure !== undefined && (
        <NoticeBox notice={{ text: openFailure }} press={host.runNoticeAction} />
      )}
      {opened && <Document document={opened} host={host} />}
    </ItemFrame>
  );
}

function formatCount({ documents, chunks, shown }: DocumentList): string {
  if (documents === 0) return l10n.t("The knowledge base has no documents.");
  if (shown === 0) return l10n.t("No ID contains this text.");
  return shown === documents
    ? l10n.t("Documents: {0}. Chunks: {1}.", formatNumber(documents), formatNumber(chunks))
    : l10n.t("{0} of {1} documents", formatNumber(shown), formatNumber(documents));
}

/** One document: its metadata and chunks. */
function Document({ document, host }: { document: OpenedDocument; host: Props["host"] }) {
  const { id, metadata, chunks, total } = document;
  const note = describeOmission(document);
  return (
    <section class="section document">
      <div class="document-head">
        <h2>{id}</h2>
        <div class="tools">
          <Button label={l10n.t("Open as Text")} press={host.openAsText} />
          <Button label={l10n.t("Delete…")} press={() => host.delete(id)} />
        </div>
      </div>
      {metadata.length > 0 && (
        <div role="group" aria-label={l10n.t("Metadata of {0}", id.slice(0, 200))}>
          <Facts kind="facts" facts={metadata} />
        </div>
      )}
      {chunks.map(({ column, content }, at) => (
        <div key={at} class="chunk">
          {chunks.length > 1 && (
            <h3>
              {column === undefined
                ? l10n.t("Chunk {0} of {1}", at + 1, total)
                : l10n.t("Chunk {0} of {1}, {2}", at + 1, total, column)}
            </h3>
          )}
          <div class="content prose">{content}</div>
        </div>
      ))}
      {note !== undefined && <p class="hint">{note}</p>}
    </section>
  );
}

/** Describes the part of a document that the page omits; undefined if it shows everything. */
function describeOmission({ chunks, total, isCut }: OpenedDocument): string | undefined {
  if (chunks.length < total) {
    return l10n.t("The first {0} of {1} chunks. Open as Text shows more.", chunks.length, total);
  }
  return isCut ? l10n.t("Long chunks are cut. Open as Text shows them whole.") : undefined;
}

startPage(DocumentsView);
