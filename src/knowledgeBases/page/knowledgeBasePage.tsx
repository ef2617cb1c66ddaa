// The page of one knowledge base: facts, search, results, and all fields. A deleted one cannot be searched; what it has
// shown stays visible.
import * as l10n from "@vscode/l10n";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ItemState } from "../../shared/itemPage.ts";
import { ItemFrame } from "../../shared/page/itemFrame.tsx";
import { formatNumber } from "../../shared/page/l10n.ts";
import {
  Button,
  Collapsible,
  Facts,
  FieldTable,
  NoticeBox,
  Section,
} from "../../shared/page/parts.tsx";
import { startPage, type PageProps } from "../../shared/page/startPage.tsx";
import { save, savedState } from "../../shared/page/webview.ts";
import { omitStoredSecrets } from "../../shared/typedSecrets.ts";
import type {
  KnowledgeBaseContent,
  knowledgeBaseCalls,
  SearchDraft,
  StoredCount,
} from "../knowledgeBasePage.ts";
import { operatorNames } from "./filters.tsx";
import { SearchForm } from "./searchForm.tsx";
import {
  formatChunkCount,
  formatHeading,
  SearchResults,
  type OpenedParts,
} from "./searchResults.tsx";
import "./knowledgeBase.css";

type State = ItemState & KnowledgeBaseContent;

/** The saved state of the page. */
interface Saved {
  draft?: SearchDraft;
  /** The last search, which runs again after a reload of the window if it has no question. */
  searched?: SearchDraft;
  opened?: OpenedParts;
}

const emptyDraft: SearchDraft = { question: "", limit: "10", relevance: "", filters: [] };

function KnowledgeBaseView({ state, host }: PageProps<State, typeof knowledgeBaseCalls>) {
  const { item, connection, isGone, details, hiddenReason, values, isSearching, result } = state;
  const canSearch = !isGone && hiddenReason === undefined;
  const hasResult = (result ?? state.kept ?? state.searchFailure) !== undefined;
  const [saved] = useState<Saved>(savedState);
  const [draft, setDraft] = useState({ ...emptyDraft, ...dropUnknownOperators(saved.draft) });
  const [opened, setOpened] = useState(saved.opened ?? {});
  useEffect(() => save({ draft, opened }), [draft, opened]);
  const { isSettled, forgetSaved } = useSavedSearch(state, saved, host.search);
  const search = (searched: SearchDraft): void => {
    forgetSaved();
    // A search without its secret would be another one.
    const isSecret = omitStoredSecrets(searched) !== searched;
    save({ searched: isSecret ? undefined : searched });
    setOpened(({ fields = false }) => ({ fields }));
    void host.search(searched);
  };
  const setOpen = (part: string, isOpen: boolean): void =>
    setOpened((before) => ({ ...before, [part]: isOpen }));
  // What could be found is added first.
  const isEmpty = state.count !== undefined && "chunks" in state.count && state.count.chunks === 0;
  const canAddFirst = canSearch && isEmpty && !hasResult;
  const tools = canSearch && !canAddFirst && (
    <>
      <Button label={l10n.t("Browse Documents")} press={host.browseDocuments} />
      <Button label={l10n.t("Add Content…")} press={host.addContent} />
    </>
  );
  return (
    <ItemFrame
      state={{ ...state, isLoading: state.isLoading || isSearching }}
      host={host}
      place={l10n.t("Knowledge base in {0} on {1}", item.project, connection)}
      loading={isSearching ? l10n.t("Searching") : l10n.t("Asking the server")}
      status={result && formatHeading(result, state.kept !== undefined)}
      tools={tools}
      isRead={isSettled}
    >
      {hiddenReason !== undefined && (
        <NoticeBox notice={{ text: hiddenReason }} press={host.runNoticeAction} />
      )}
      {details && <Glance {...state} />}
      {canAddFirst && (
        <Section title={l10n.t("The knowledge base is empty")}>
          <p class="hint">
            {l10n.t(
              "Add text files, a table, or the rows of a file or a SELECT. Then search them here.",
            )}
          </p>
          <Button isFirst kind="primary" label={l10n.t("Add Content…")} press={host.addContent} />
        </Section>
      )}
      {!canAddFirst && (canSearch || hasResult) && (
        <Section title={l10n.t("Search")}>
          {canSearch && (
            <SearchForm
              columns={details?.metadataColumns}
              switches={state.switches}
              {...{ draft, setDraft, values, isSearching, search, host }}
            />
          )}
          <SearchResults {...{ state, host, opened, setOpen }} />
        </Section>
      )}
      {details && (
        <Collapsible
          kind="folded"
          part="fields"
          summary={<h2>{l10n.t("Fields")}</h2>}
          isOpen={opened["fields"] ?? false}
          setOpen={(isOpen) => setOpen("fields", isOpen)}
        >
          <div class="folded-body">
            <FieldTable name={l10n.t("Fields")} fields={details.fields} />
          </div>
        </Collapsible>
      )}
    </ItemFrame>
  );
}

/**
 * Repeats the saved search once if the host has no result, as after a reload of the window. Not one with a question: it
 * asks models that may cost money, and nobody has asked for it again. `isSettled` is true once all is shown that was there
 * before.
 */
function useSavedSearch(
  { details, result, kept, searchFailure, isSearching }: State,
  saved: Saved,
  search: (draft: SearchDraft) => unknown,
) {
  const isFree = saved.searched?.question.trim() === "";
  const again = useRef(isFree ? dropUnknownOperators(saved.searched) : undefined);
  if (result ?? kept ?? searchFailure) again.current = undefined;
  useEffect(() => {
    if (!details || !again.current) return;
    void search(again.current);
    again.current = undefined;
  }, [details]);
  const settled = useRef(false);
  settled.current ||= details !== undefined && !again.current && !isSearching;
  return {
    isSettled: settled.current,
    forgetSaved: () => (again.current = undefined),
  };
}

/** A draft that an older version has saved may have operators that no longer exist. */
function dropUnknownOperators(draft: SearchDraft | undefined): SearchDraft | undefined {
  const known = operatorNames();
  return draft && { ...draft, filters: draft.filters.filter((f) => f.operator in known) };
}

/** The summary: stored documents, embedding model, and columns. */
function Glance({ details, count, hiddenReason }: State) {
  const { embeddingModel = "", contentColumns = [], metadataColumns = [] } = details ?? {};
  const none = l10n.t("none");
  const stored = (
    <span title={l10n.t("Each document is stored as one or more chunks of its text.")}>
      {hiddenReason === undefined ? formatStored(count) : "—"}
    </span>
  );
  return (
    <Facts
      kind="glance"
      facts={[
        [l10n.t("Stored"), stored],
        [l10n.t("Embedding model"), embeddingModel || none],
        [l10n.t("Content columns"), contentColumns.join(", ") || none],
        [l10n.t("Metadata columns"), metadataColumns.join(", ") || none],
      ]}
    />
  );
}

function formatStored(count: StoredCount | undefined): string {
  if (!count) return "…";
  if ("failure" in count) return l10n.t("not counted: {0}", count.failure);
  const { chunks, documents } = count;
  if (documents === undefined) return formatChunkCount(chunks);
  const inDocuments =
    documents === 1 ? l10n.t("1 document") : l10n.t("{0} documents", formatNumber(documents));
  return l10n.t("{0} in {1}", formatChunkCount(chunks), inDocuments);
}

startPage(KnowledgeBaseView);
