// The result of a search: chunks by relevance, with the question's words highlighted.
import { formatMessage } from "../../shared/formatMessage.ts";
import { element, iconButton } from "../../shared/page/dom.ts";
import { collapsible, factList } from "../../shared/page/documentParts.ts";
import type { FoundChunk, ToPage } from "../messages.ts";
import type { KnowledgeBaseTexts } from "../knowledgeBaseTexts.ts";
import { highlightWords } from "../highlight.ts";

interface ResultContext {
  texts: KnowledgeBaseTexts;
  locale: string;
  /** Whether the user has opened the metadata of a chunk, by its index. */
  isOpen: (chunk: string) => boolean;
  setOpen: (chunk: string, isOpen: boolean) => void;
  copy: (index: number) => void;
  /** What is said of each chunk's place in another result; "" for nothing. */
  marks?: readonly string[];
}

/** `heading` contains the number of chunks. */
export function createResultView(
  heading: string,
  { chunks, question, conditions, isFilteredHere }: Extract<ToPage, { type: "found" }>,
  context: ResultContext,
): HTMLElement {
  const { texts } = context;
  const view = element("div", { class: "result" });
  view.append(element("h3", { class: chunks.length === 0 ? "hint" : "", text: heading }));
  if (chunks.length === 0) {
    const text = conditions === "" ? texts.foundNoneAtAllHint : texts.foundNoneHint;
    view.append(element("p", { class: "hint", text }));
  }
  if (isFilteredHere) view.append(element("p", { class: "hint", text: texts.filteredHere }));
  const list = element("ol", { class: "chunks" });
  list.append(...chunks.map((chunk, index) => createChunkView(chunk, index, question, context)));
  if (chunks.length > 0) view.append(list);
  return view;
}

function createChunkView(
  chunk: FoundChunk,
  index: number,
  question: string,
  context: ResultContext,
): HTMLElement {
  const { texts, locale, isOpen, setOpen } = context;
  const content = element("div", { class: "content prose" });
  content.append(
    ...highlightWords(chunk.content, question).map(({ text, isMatch }) =>
      isMatch ? element("mark", { text }) : text,
    ),
  );
  if (chunk.content === "") content.append(element("em", { text: texts.emptyContent }));
  const view = element("li", { class: "chunk" }, createChunkHead(chunk, index, context), content);
  if (chunk.length !== undefined) {
    const text = formatMessage(texts.cut, new Intl.NumberFormat(locale).format(chunk.length));
    view.append(element("p", { class: "hint", text }));
  }
  if (chunk.metadata.length > 0) view.append(createLabels(chunk.metadata));
  const notes: [string, string][] = [["chunk_id", chunk.chunkId], ...chunk.internal];
  const key = String(index);
  view.append(
    collapsible("notes", texts.notes, factList(notes), isOpen(key), (open) => setOpen(key, open)),
  );
  return view;
}

/** How well the chunk matches, and its id. */
function createChunkHead(
  { id, relevance, distance }: FoundChunk,
  index: number,
  { texts, locale, copy, marks }: ResultContext,
): HTMLElement {
  const digits = { minimumFractionDigits: 3, maximumFractionDigits: 3 };
  const createScore = (className: string, format: string, score: number): HTMLElement => {
    const text = formatMessage(format, score.toLocaleString(locale, digits));
    return element("span", { class: className, text, title: String(score) });
  };
  const mark = marks?.[index];
  return element(
    "div",
    { class: "chunk-head" },
    ...(mark ? [element("span", { class: "mark", text: mark })] : []),
    ...(relevance === undefined ? [] : [createScore("relevance", texts.chunkRelevance, relevance)]),
    ...(distance === undefined ? [] : [createScore("quiet", texts.chunkDistance, distance)]),
    element("span", { class: "quiet", text: formatMessage(texts.chunkId, id) }),
    iconButton("copy", texts.copyChunk, () => copy(index)),
  );
}

function createLabels(metadata: FoundChunk["metadata"]): HTMLElement {
  const labels = metadata.map(([name, value]) =>
    element(
      "div",
      { class: "label" },
      element("dt", { text: name }),
      element("dd", { text: value }),
    ),
  );
  return element("dl", { class: "labels" }, ...labels);
}
