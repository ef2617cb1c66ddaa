import { oneLine } from "../shared/oneLine.ts";
import { allRuns, type Transcript } from "./transcript.ts";

/** Of each conversation, in characters: the rest is not searched. */
const maxSearchedLength = 200_000;
/** Shorter words are in almost every conversation. */
const minSearchedLength = 3;
/** Before and after what was found, in characters. */
const excerptLength = 40;

/** Searches questions and answers. Each conversation is read once, with the first search. */
export class ConversationSearch {
  readonly #read: () => AsyncIterable<Transcript>;
  #texts: Promise<Map<string, string>> | undefined;

  constructor(read: () => AsyncIterable<Transcript>) {
    this.#read = read;
  }

  /** Returns an excerpt for each conversation that contains the text, whatever its case, by conversation. */
  async find(text: string): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const wanted = text.trim().toLowerCase();
    if (wanted.length < minSearchedLength) return found;
    this.#texts ??= this.#readTexts();
    for (const [chatId, searched] of await this.#texts) {
      const at = searched.toLowerCase().indexOf(wanted);
      if (at >= 0) found.set(chatId, excerpt(searched, at, wanted.length));
    }
    return found;
  }

  async #readTexts(): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    for await (const transcript of this.#read()) texts.set(transcript.chatId, joinText(transcript));
    return texts;
  }
}

/** Also of answers that were replaced, and of branches that are not shown. */
function joinText({ runs }: Transcript): string {
  return [...allRuns(runs)]
    .map(({ question, answer }) => `${question}\n${answer?.text ?? ""}`)
    .join("\n")
    .slice(0, maxSearchedLength);
}

function excerpt(text: string, at: number, length: number): string {
  const start = Math.max(0, at - excerptLength);
  const end = at + length + excerptLength;
  // A character of two halves may be cut in two.
  const part = text.slice(start, end).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
  return (start > 0 ? "…" : "") + oneLine(part) + (end < text.length ? "…" : "");
}
