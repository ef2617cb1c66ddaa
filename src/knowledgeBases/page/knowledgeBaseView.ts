// The page of one knowledge base: facts, search, results, and all fields.
import { formatMessage } from "../../shared/formatMessage.ts";
import { oneLine } from "../../shared/oneLine.ts";
import { element, replaceChildren, textButton } from "../../shared/page/dom.ts";
import { errorNotice, section } from "../../shared/page/documentParts.ts";
import { LoadedItemFrame } from "../../shared/page/loadedItemFrame.ts";
import type { Host, PageView } from "../../shared/page/vscodeApi.ts";
import type { Details, PageState, SearchDraft, ToHost, ToPage } from "../messages.ts";
import type { KnowledgeBaseTexts } from "../knowledgeBaseTexts.ts";
import { fieldTable } from "./detailsTable.ts";
import { compareResults } from "../compareResults.ts";
import { createResultView } from "./searchResult.ts";
import { SearchForm } from "./searchForm.ts";

type Found = Extract<ToPage, { type: "found" }>;
type Begin = Extract<ToPage, { type: "begin" }>;

/** For a question in the heading of its results, in characters. */
const maxQuestionLength = 80;

export class KnowledgeBaseView implements PageView<ToPage> {
  readonly element: HTMLElement;
  readonly #host: Host<ToHost, PageState>;
  readonly #texts: KnowledgeBaseTexts;
  readonly #locale: string;
  readonly #project: string;
  readonly #frame: LoadedItemFrame;
  readonly #facts = element("dl", { class: "glance" });
  readonly #form: SearchForm;
  readonly #result = element("div");
  readonly #fields = element("div");
  #details: Details | undefined;
  #contentText = "…";
  #found: Found | undefined;
  /** The result that others are compared with. */
  #kept: Found | undefined;
  #busy = { asking: false, searching: false };
  /** The search from before a reload, which runs again. */
  #searchAgain: SearchDraft | undefined;

  constructor(begin: Begin, host: Host<ToHost, PageState>) {
    const { knowledgeBase, connection, texts, locale } = begin;
    this.#host = host;
    this.#texts = texts;
    this.#locale = locale;
    this.#project = knowledgeBase.project;
    this.#searchAgain = this.#dropUnknownOperators(host.state.searched);
    host.save({ knowledgeBase });
    this.#form = new SearchForm(texts, this.#dropUnknownOperators(host.state.draft), {
      search: (search) => this.#search(search),
      cancel: () => host.post({ type: "cancel" }),
      changed: (draft) => host.save({ draft }),
      copyStatement: (search, as) => host.post({ type: "copyStatement", search, as }),
      askAgent: (question) => host.post({ type: "askAgent", question }),
      readValues: (column) => host.post({ type: "readValues", column }),
      cancelValues: () => host.post({ type: "cancelValues" }),
    });
    const browse = textButton(texts.browseDocuments, "secondary-button", () =>
      host.post({ type: "browseDocuments" }),
    );
    const add = textButton(texts.addContent, "secondary-button", () =>
      host.post({ type: "addContent" }),
    );
    this.#frame = new LoadedItemFrame(host, {
      name: knowledgeBase.name,
      place: formatMessage(texts.place, knowledgeBase.project, connection),
      texts,
      tools: [browse, add],
      body: [this.#facts, section(texts.search, this.#form.element, this.#result), this.#fields],
      // A deleted knowledge base cannot be searched; the last results stay visible.
      hiddenWhenGone: [this.#form.element, add, browse],
    });
    this.element = this.#frame.element;
    this.#setBusy({});
  }

  start(): void {
    this.#frame.start(this.#form.question);
  }

  show(message: ToPage): void {
    switch (message.type) {
      case "begin":
        break;
      case "asking":
        this.#setBusy({ asking: true });
        break;
      case "read":
        this.#showDetails(message.details);
        break;
      case "counted":
        this.#showContent(this.#formatContent(message));
        break;
      case "notCounted":
        this.#showContent(formatMessage(this.#texts.notCounted, message.reason));
        break;
      case "hidden":
        this.#showContent("—");
        this.#frame.showHidden({ text: message.reason });
        break;
      case "failed":
        this.#frame.show(message);
        this.#setBusy({ asking: false });
        break;
      case "searching":
        this.#setBusy({ searching: true });
        break;
      case "values":
        this.#form.showValues(message.column, message.values);
        break;
      case "noValues":
        this.#form.showValues(message.column, undefined);
        break;
      case "found":
        this.#setBusy({ searching: false });
        this.#searchAgain = undefined;
        this.#showResult(message);
        break;
      case "kept":
        this.#keep(message.isKept);
        break;
      case "notFound":
        this.#setBusy({ searching: false });
        this.#searchAgain = undefined;
        replaceChildren(
          this.#result,
          message.reason !== "" && errorNotice({ text: message.reason }),
        );
        break;
    }
  }

  shown(): void {
    if (!this.#details) return;
    if (this.#searchAgain) {
      const search = this.#searchAgain;
      this.#searchAgain = undefined;
      this.#host.post({ type: "search", search });
      return;
    }
    if (!this.#busy.searching) this.#frame.restoreScroll();
  }

  dispose(): void {
    this.#frame.dispose();
  }

  /** A draft saved by an older version may have operators that no longer exist. */
  #dropUnknownOperators(draft: SearchDraft | undefined): SearchDraft | undefined {
    const { operators } = this.#texts;
    return draft && { ...draft, filters: draft.filters.filter((f) => f.operator in operators) };
  }

  #search(searched: SearchDraft): void {
    this.#frame.forgetScroll();
    this.#host.save({ searched, opened: {} });
    this.#host.post({ type: "search", search: searched });
  }

  #showDetails(details: Details): void {
    this.#details = details;
    this.#frame.showRead();
    // What it contains is still being counted.
    this.#setBusy({});
    this.#form.setColumns(details.metadataColumns);
    this.#showFacts(details);
    this.#fields.replaceChildren(
      section(this.#texts.fields, fieldTable(details.fields, this.#project, this.#texts)),
    );
  }

  #showContent(holds: string): void {
    this.#setBusy({ asking: false });
    this.#contentText = holds;
    if (this.#details) this.#showFacts(this.#details);
  }

  #formatContent({ chunks, documents }: Extract<ToPage, { type: "counted" }>): string {
    if (documents === undefined) return this.#formatChunkCount(chunks);
    const { oneDocument, documents: several, chunksInDocuments } = this.#texts;
    const inDocuments = this.#formatCount(documents, oneDocument, several);
    return formatMessage(chunksInDocuments, this.#formatChunkCount(chunks), inDocuments);
  }

  #formatChunkCount(number: number): string {
    return this.#formatCount(number, this.#texts.oneChunk, this.#texts.chunks);
  }

  #formatCount(number: number, one: string, several: string): string {
    return number === 1
      ? one
      : formatMessage(several, new Intl.NumberFormat(this.#locale).format(number));
  }

  #showFacts({ embeddingModel, contentColumns, metadataColumns }: Details): void {
    const { content, contentHint, none, ...texts } = this.#texts;
    const facts: [name: string, value: string, hint?: string][] = [
      [content, this.#contentText, contentHint],
      [texts.embeddingModel, embeddingModel || none],
      [texts.contentColumns, contentColumns.join(", ") || none],
      [texts.metadataColumns, metadataColumns.join(", ") || none],
    ];
    this.#facts.replaceChildren(
      ...facts.map(([name, value, hint]) => {
        const definition = element("dd", { text: value });
        if (hint !== undefined) definition.title = hint;
        return element("div", {}, element("dt", { text: name }), definition);
      }),
    );
  }

  #showResult(found: Found): void {
    this.#found = found;
    this.#frame.status = this.#formatHeading(found);
    const keep = (isKept: boolean): void => this.#host.post({ type: "keepResult", isKept });
    const { compare, endComparison } = this.#texts;
    const kept = this.#kept;
    const button = kept
      ? textButton(endComparison, "secondary-button", () => keep(false))
      : textButton(compare, "secondary-button", () => keep(true));
    const results =
      kept && kept !== found
        ? element(
            "div",
            { class: "comparison" },
            this.#createResult(kept, found, true),
            this.#createResult(found, kept, false),
          )
        : this.#createResult(found, undefined, false);
    replaceChildren(
      this.#result,
      results,
      kept === found && element("p", { class: "hint", text: this.#texts.compareHint }),
      (found.chunks.length > 0 || kept !== undefined) && button,
    );
  }

  /** Keeps the result that is shown beside those that follow, or ends that. */
  #keep(isKept: boolean): void {
    const hadFocus = this.#result.contains(document.activeElement);
    this.#kept = isKept ? this.#found : undefined;
    if (!this.#found) return;
    this.#showResult(this.#found);
    if (hadFocus) this.#form.question.focus();
  }

  #formatHeading(found: Found): string {
    const { length } = found.chunks;
    const count = length === 0 ? this.#texts.foundNone : this.#formatChunkCount(length);
    const question = oneLine(found.question, maxQuestionLength);
    // The heading names the question, because the form may already contain the next one.
    const heading =
      question === "" ? count : formatMessage(this.#texts.forQuestion, count, question);
    const conditions = oneLine(found.conditions, maxQuestionLength);
    return this.#kept && conditions !== ""
      ? formatMessage(this.#texts.withConditions, heading, conditions)
      : heading;
  }

  /** With `other`, each chunk says where it is there. */
  #createResult(found: Found, other: Found | undefined, isKept: boolean): HTMLElement {
    const texts = this.#texts;
    const prefix = isKept ? "kept-" : "";
    const marks =
      other &&
      compareResults(found.chunks, other.chunks).map((difference) => {
        if (difference.kind === "onlyHere") return texts.onlyHere;
        return difference.kind === "moved"
          ? formatMessage(texts.movedTo, String(difference.rank))
          : "";
      });
    return createResultView(this.#formatHeading(found), found, {
      texts,
      locale: this.#locale,
      isOpen: (chunk) => this.#host.state.opened?.[prefix + chunk] ?? false,
      setOpen: (chunk, isOpen) =>
        this.#host.save({ opened: { ...this.#host.state.opened, [prefix + chunk]: isOpen } }),
      copy: (index) => this.#host.post({ type: "copyChunk", index, isKept }),
      marks,
    });
  }

  #setBusy(change: Partial<{ asking: boolean; searching: boolean }>): void {
    this.#busy = { ...this.#busy, ...change };
    const { asking, searching } = this.#busy;
    this.#frame.isBusy = asking || searching;
    this.#form.searching = searching;
    if (asking || searching) {
      this.#frame.status = searching ? this.#texts.searching : this.#texts.asking;
    }
  }
}
