// The page of one table. The rows of a table that was dropped stay visible.
import { formatMessage } from "../../shared/formatMessage.ts";
import { element, textButton } from "../../shared/page/dom.ts";
import { LoadedItemFrame } from "../../shared/page/loadedItemFrame.ts";
import type { Host, PageView } from "../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../messages.ts";
import type { TableTexts } from "../tableTexts.ts";
import type { PreviewRows } from "../previewRows.ts";
import { createPreviewGrid } from "./previewGrid.ts";

type Begin = Extract<ToPage, { type: "begin" }>;

export class TableView implements PageView<ToPage> {
  readonly element: HTMLElement;
  readonly #host: Host<ToHost, PageState>;
  readonly #texts: TableTexts;
  readonly #locale: string;
  readonly #frame: LoadedItemFrame;
  readonly #body = element("div");
  #isShown = false;

  constructor(begin: Begin, host: Host<ToHost, PageState>) {
    const { table, title, connection, texts, locale } = begin;
    this.#host = host;
    this.#texts = texts;
    this.#locale = locale;
    host.save({ table });
    const useInAgent = textButton(texts.useInAgent, "secondary-button", () =>
      host.post({ type: "useInAgent" }),
    );
    const copy = textButton(texts.copySelect, "secondary-button", () =>
      host.post({ type: "copySelect" }),
    );
    this.#frame = new LoadedItemFrame(host, {
      name: title,
      place: formatMessage(texts.place, table.project, connection),
      texts,
      tools: [useInAgent, copy],
      body: [this.#body],
      hiddenWhenGone: [useInAgent],
    });
    this.element = this.#frame.element;
  }

  start(): void {
    this.#frame.start();
  }

  show(message: ToPage): void {
    switch (message.type) {
      case "begin":
        break;
      case "asking":
      case "failed":
        this.#frame.show(message);
        break;
      case "read":
        this.#frame.showRead();
        this.#showRows(message.preview);
        this.#isShown = true;
        break;
    }
  }

  shown(): void {
    if (this.#isShown) this.#frame.restoreScroll();
  }

  dispose(): void {
    this.#frame.dispose();
  }

  #showRows(preview: PreviewRows): void {
    const count = element("p", { class: "count", text: this.#countText(preview) });
    if (preview.columns.length === 0) {
      this.#body.replaceChildren(count);
      return;
    }
    const grid = createPreviewGrid(preview, this.#texts, this.#locale, (text) =>
      this.#host.post({ type: "copyText", text }),
    );
    this.#body.replaceChildren(count, grid);
  }

  #countText({ rows, hasMore }: PreviewRows): string {
    const { noRows, oneRow, rows: severalRows, firstRows } = this.#texts;
    if (rows.length === 0) return noRows;
    if (rows.length === 1 && !hasMore) return oneRow;
    const count = rows.length.toLocaleString(this.#locale);
    return formatMessage(hasMore ? firstRows : severalRows, count);
  }
}
