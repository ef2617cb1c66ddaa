// One document: its metadata and chunks.
import { formatMessage } from "../../../shared/formatMessage.ts";
import { factList } from "../../../shared/page/documentParts.ts";
import { element, textButton } from "../../../shared/page/dom.ts";
import type { OpenedDocument } from "../../documentsMessages.ts";
import type { DocumentsTexts } from "../../documentsTexts.ts";

interface DocumentActions {
  openAsText: () => void;
  delete: (id: string) => void;
}

export function createDocumentDetail(
  { id, metadata, chunks, note }: OpenedDocument,
  texts: DocumentsTexts,
  actions: DocumentActions,
): HTMLElement {
  const tools = element(
    "div",
    { class: "tools" },
    textButton(texts.openAsText, "secondary-button", actions.openAsText),
    textButton(texts.delete, "secondary-button", () => actions.delete(id)),
  );
  const label = formatMessage(texts.metadataOf, id.slice(0, 200));
  const facts = element("div", { role: "group", label }, factList(metadata));
  return element(
    "section",
    { class: "section document" },
    element("div", { class: "document-head" }, element("h2", { text: id }), tools),
    metadata.length > 0 && facts,
    ...chunks.map(({ label, content }) =>
      element(
        "div",
        { class: "chunk" },
        chunks.length > 1 && element("h3", { text: label }),
        element("div", { class: "content prose", text: content }),
      ),
    ),
    note !== undefined && element("p", { class: "hint", text: note }),
  );
}
