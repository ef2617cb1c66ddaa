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
  { chunks, question, note }: Extract<ToPage, { type: "found" }>,
  context: ResultContext,
): HTMLElement {
  const { texts } = context;
  const view = element("div", { class: "result" });
  view.append(element("h3", { class: chunks.length === 0 ? "hint" : "", text: heading }));
  if (chunks.length === 0) view.append(element("p", { class: "hint", text: texts.foundNoneHint }));
  if (note) view.append(element("p", { class: "hint", text: texts.resultNotes[note] }));
  const list = element("ol", { class: "chunks" });
  list.append(...chunks.map((chunk, index) => createChunkView(chunk, index, question, context)));
  if (chunks.length > 0) view.append(list);
  return view;
}

function createChunkView(
  chunk: FoundChunk,
  index: number,
  question: string,
  { texts, locale, isOpen, setOpen, copy, marks }: ResultContext,
): HTMLElement {
  const number = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 3,
    maximumFractionDigits: 3,
  });
  const head = element("div", { class: "chunk-head" });
  const mark = marks?.[index];
  if (mark) head.append(element("span", { class: "mark", text: mark }));
  if (chunk.relevance !== undefined) {
    const relevance = element("span", { class: "relevance" });
    relevance.textContent = formatMessage(texts.chunkRelevance, number.format(chunk.relevance));
    relevance.title = String(chunk.relevance);
    head.append(relevance);
  }
  if (chunk.distance !== undefined) {
    const distance = element("span", { class: "quiet" });
    distance.textContent = formatMessage(texts.chunkDistance, number.format(chunk.distance));
    distance.title = String(chunk.distance);
    head.append(distance);
  }
  head.append(
    element("span", { class: "quiet", text: formatMessage(texts.chunkId, chunk.id) }),
    iconButton("copy", texts.copyChunk, () => copy(index)),
  );
  const content = element("div", { class: "content prose" });
  content.append(
    ...highlightWords(chunk.content, question).map(({ text, isMatch }) =>
      isMatch ? element("mark", { text }) : text,
    ),
  );
  if (chunk.content === "") content.append(element("em", { text: texts.emptyContent }));
  const view = element("li", { class: "chunk" }, head, content);
  if (chunk.length !== undefined) {
    const text = formatMessage(texts.cut, new Intl.NumberFormat(locale).format(chunk.length));
    view.append(element("p", { class: "hint", text }));
  }
  if (chunk.metadata.length > 0) {
    const labels = chunk.metadata.map(([name, value]) =>
      element(
        "div",
        { class: "label" },
        element("dt", { text: name }),
        element("dd", { text: value }),
      ),
    );
    view.append(element("dl", { class: "labels" }, ...labels));
  }
  const notes: [string, string][] = [["chunk_id", chunk.chunkId], ...chunk.internal];
  view.append(
    collapsible("notes", texts.notes, factList(notes), isOpen(String(index)), (open) =>
      setOpen(String(index), open),
    ),
  );
  return view;
}
