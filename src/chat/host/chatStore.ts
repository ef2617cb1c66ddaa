// Conversations on disk: one file of JSON lines each, written as things happen.
import { createReadStream } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import {
  parse,
  parseLine,
  serialize,
  type ChatEvent,
  type ChatHead,
  type Transcript,
} from "../transcript.ts";

/** How many conversations are kept. */
const mostKept = 50;

/** A kept conversation, as it is told from others. */
export interface KeptChat extends ChatHead {
  /** The first one. */
  question: string;
  /** When something was said last, in epoch ms. */
  changed: number;
}

export class ChatStore {
  readonly #folder: string;
  readonly #failed: (error: unknown) => void;
  /** Lines that wait for the writes before them, by conversation. */
  readonly #waiting = new Map<string, string[]>();
  #writing: Promise<void> = Promise.resolve();

  /** `failed` hears of what could not be written; the conversation goes on without. */
  constructor(folder: string, failed: (error: unknown) => void) {
    this.#folder = folder;
    this.#failed = failed;
  }

  /** Begins a conversation's file and forgets the oldest ones, but none that is `open`. */
  create({ chatId, agent }: ChatHead, open: readonly string[] = []): void {
    this.#write(chatId, serialize({ type: "chat", chatId, agent }));
    this.#enqueue(() => this.#prune(open));
  }

  append(chatId: string, event: ChatEvent): void {
    this.#write(chatId, serialize(event));
  }

  /** A conversation as it was left; undefined if there is none. A run without an end reads as cut off. */
  async read(chatId: string): Promise<Transcript | undefined> {
    await this.flush();
    try {
      return parse(await fs.readFile(this.#file(chatId), "utf8"));
    } catch {
      return undefined;
    }
  }

  /** The conversations in which something was asked, the newest first. */
  async list(): Promise<KeptChat[]> {
    await this.flush();
    const files = await this.#files().catch(() => []);
    const kept = await Promise.all(
      files.map(async ({ file, changed }) => {
        const beginning = await readBeginning(file).catch(() => undefined);
        return beginning ? [{ ...beginning, changed }] : [];
      }),
    );
    return kept.flat();
  }

  remove(chatId: string): void {
    this.#enqueue(() => fs.rm(this.#file(chatId), { force: true }));
  }

  /** Resolves when everything so far is on disk. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  /** Lines that come while others are being written go together in the next write. */
  #write(chatId: string, line: string): void {
    const waiting = this.#waiting.get(chatId);
    if (waiting) {
      waiting.push(line);
      return;
    }
    this.#waiting.set(chatId, [line]);
    this.#enqueue(async () => {
      const lines = this.#waiting.get(chatId) ?? [];
      this.#waiting.delete(chatId);
      await fs.mkdir(this.#folder, { recursive: true });
      await fs.appendFile(this.#file(chatId), lines.join(""));
    });
  }

  async #prune(open: readonly string[]): Promise<void> {
    const spared = new Set(open.map((chatId) => this.#file(chatId)));
    const old = (await this.#files()).slice(mostKept).filter(({ file }) => !spared.has(file));
    await Promise.all(old.map(({ file }) => fs.rm(file, { force: true })));
  }

  /** All conversations' files, the one written last first. */
  async #files(): Promise<{ file: string; changed: number }[]> {
    const names = (await fs.readdir(this.#folder)).filter((name) => name.endsWith(".jsonl"));
    const files = await Promise.all(
      names.map(async (name) => {
        const file = path.join(this.#folder, name);
        return { file, changed: (await fs.stat(file)).mtimeMs };
      }),
    );
    return files.sort((a, b) => b.changed - a.changed);
  }

  #enqueue(work: () => Promise<void>): void {
    this.#writing = this.#writing.then(work).catch(this.#failed);
  }

  /** The id can come from a page's saved state: it never leaves the folder. */
  #file(chatId: string): string {
    if (!/^[\w-]{1,64}$/.test(chatId)) throw new Error("This is no conversation's id");
    return path.join(this.#folder, `${chatId}.jsonl`);
  }
}

/** Head and first question: the first lines of a file that may be long. Undefined if nothing was asked. */
async function readBeginning(file: string): Promise<Omit<KeptChat, "changed"> | undefined> {
  let head: ChatHead | undefined;
  for await (const text of linesOf(file)) {
    const line = parseLine(text);
    if (line?.type === "chat") head ??= { chatId: line.chatId, agent: line.agent };
    else if (line?.type === "asked" && head) return { ...head, question: line.question };
  }
  return undefined;
}

/** A file's lines; it is read no further than they are taken. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(file, "utf8") as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}
