// Conversations on disk: one JSON Lines file each, appended as events happen.
import { createReadStream } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import { hasErrorCode } from "../../shared/hasErrorCode.ts";
import { checkStoredId, WriteQueue } from "../../shared/node/writeQueue.ts";
import { readLabel, writeLabel, type ChatLabel } from "./chatLabels.ts";
import { OpenChatMarkers } from "./openChatMarkers.ts";
import {
  parse,
  parseLine,
  replay,
  serialize,
  type ChatEvent,
  type ChatHead,
  type Transcript,
} from "../transcript.ts";
import { openStorageFolder, privateMode, removeLink } from "../../shared/node/privateFiles.ts";

/** The most stored conversations of each connection. */
const maxStoredChats = 50;

/** A stored conversation, for the picker. */
export interface StoredChat extends ChatHead, ChatLabel {
  /** The first one. */
  question: string;
  /** The time of the last event, in epoch ms. */
  changed: number;
}

export class ChatStore {
  readonly #folder: string;
  readonly #queue: WriteQueue;
  /** The conversations that this window has open. */
  readonly #open = new Map<string, Transcript>();
  readonly #markers: OpenChatMarkers;
  /** Connections of files whose head was read, by file. */
  readonly #connections = new Map<string, string>();

  /**
   * The folder may be shared by several windows. Conversations in `formerFolder` are moved there. `failed` gets write
   * errors; the conversation continues.
   */
  constructor(folder: string, failed: (error: unknown) => void, formerFolder?: string) {
    this.#folder = folder;
    this.#queue = new WriteQueue(failed);
    this.#markers = new OpenChatMarkers(path.join(folder, "open"));
    this.#queue.enqueue(() => openStorageFolder(folder));
    if (formerFolder !== undefined && formerFolder !== folder) {
      this.#queue.enqueue(() => moveChats(formerFolder, folder));
    }
  }

  /**
   * Creates a conversation's file and deletes the connection's oldest ones, except those that are pinned or open in a
   * window.
   */
  create({ chatId, agent }: ChatHead): void {
    this.#write(chatId, serialize({ type: "chat", chatId, agent }), true);
    this.#queue.enqueue(() => this.#prune(agent.connectionId));
  }

  /** Protects the conversation from pruning by any window until it is closed. */
  open(transcript: Transcript): void {
    this.#open.set(transcript.chatId, transcript);
    this.#writeMarkers();
  }

  close(chatId: string): void {
    this.#open.delete(chatId);
    this.#writeMarkers();
  }

  /** Appends an event. If the file is gone, an open conversation is rewritten, any other is dropped. */
  append(chatId: string, event: ChatEvent): void {
    this.#write(chatId, serialize(event));
  }

  /** Names or pins a conversation; an empty label takes both away. */
  label(chatId: string, label: ChatLabel): void {
    this.#queue.enqueue(() => writeLabel(labelFile(this.#file(chatId)), label));
  }

  /** Returns a stored conversation; undefined if there is none. A run without an end is cut off. */
  async read(chatId: string): Promise<Transcript | undefined> {
    await this.flush();
    try {
      const file = this.#file(chatId);
      const [text, { title }] = await Promise.all([
        fs.readFile(file, "utf8"),
        readLabel(labelFile(file)),
      ]);
      const transcript = parse(text);
      if (transcript && title !== undefined) transcript.title = title;
      return transcript;
    } catch {
      return undefined;
    }
  }

  /** Whether this conversation is stored. */
  async has(chatId: string): Promise<boolean> {
    await this.flush();
    return fs.access(this.#file(chatId)).then(
      () => true,
      () => false,
    );
  }

  /** Returns the conversations that have a question: the pinned ones, then the newest first. */
  async list(): Promise<StoredChat[]> {
    await this.flush();
    const files = await this.#files().catch(() => []);
    const kept = await Promise.all(
      files.map(async ({ file, changed }) => {
        const { head, question } = await readBeginning(file);
        if (!head || question === undefined) return [];
        // A copy that the user or a backup made has the id of another file.
        if (file !== this.#fileOf(head.chatId)[0]) return [];
        return [{ ...head, question, ...(await readLabel(labelFile(file))), changed }];
      }),
    );
    return kept.flat().sort((a, b) => Number(b.isPinned ?? false) - Number(a.isPinned ?? false));
  }

  remove(chatId: string): void {
    this.#queue.enqueue(() => removeChat(this.#file(chatId)));
  }

  /** Resolves when everything so far is on disk. */
  flush(): Promise<void> {
    return this.#queue.flush();
  }

  #writeMarkers(): void {
    this.#queue.enqueue(() => this.#markers.write([...this.#open.keys()]));
  }

  #write(chatId: string, line: string, isNew = false): void {
    this.#queue.append(chatId, line, async (lines) => {
      removeLink(this.#file(chatId));
      if (!isNew && (await this.#appendTo(chatId, lines))) return;
      const whole = isNew ? lines : this.#serializeAll(chatId);
      if (whole === undefined) return;
      openStorageFolder(this.#folder);
      await fs.appendFile(this.#file(chatId), whole, { mode: privateMode });
    });
  }

  /** False if the file is gone: another window may have deleted it. */
  async #appendTo(chatId: string, text: string): Promise<boolean> {
    try {
      const { O_WRONLY, O_APPEND } = fs.constants;
      await fs.appendFile(this.#file(chatId), text, { flag: O_WRONLY | O_APPEND });
      return true;
    } catch (error) {
      if (hasErrorCode(error, "ENOENT")) return false;
      throw error;
    }
  }

  /** Returns all lines of an open conversation, including those that are not written yet. */
  #serializeAll(chatId: string): string | undefined {
    const transcript = this.#open.get(chatId);
    if (!transcript) return undefined;
    this.#queue.take(chatId);
    const head = serialize({ type: "chat", chatId, agent: transcript.agent });
    return head + [...replay(transcript)].map(serialize).join("");
  }

  /** A file without a head is unreadable and counts for every connection. */
  async #prune(connectionId: string): Promise<void> {
    const files = await this.#files();
    if (files.length <= maxStoredChats) return;
    const open = await this.#markers.read();
    const spared = new Set([...open, ...this.#open.keys()].flatMap((id) => this.#fileOf(id)));
    const owned = await Promise.all(
      files.map(async ({ file }) =>
        [connectionId, undefined].includes(await this.#connectionOf(file)) ? [file] : [],
      ),
    );
    const old = owned
      .flat()
      .slice(maxStoredChats)
      .filter((file) => !spared.has(file));
    await Promise.all(
      old.map(async (file) => {
        const { isPinned } = await readLabel(labelFile(file));
        if (isPinned !== true) await removeChat(file);
      }),
    );
  }

  async #connectionOf(file: string): Promise<string | undefined> {
    const known = this.#connections.get(file);
    if (known !== undefined) return known;
    const { head } = await readBeginning(file);
    if (head) this.#connections.set(file, head.agent.connectionId);
    return head?.agent.connectionId;
  }

  /** Returns all files, the most recently written first. */
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

  /** Ids in files and in another window's marker are not validated. */
  #fileOf(chatId: string): string[] {
    try {
      return [this.#file(chatId)];
    } catch {
      return [];
    }
  }

  #file(chatId: string): string {
    return path.join(this.#folder, `${checkStoredId(chatId)}.jsonl`);
  }
}

/** The file of a conversation's label, from the file of the conversation. */
function labelFile(file: string): string {
  return file.replace(/jsonl$/, "label.json");
}

async function removeChat(file: string): Promise<void> {
  await Promise.all([file, labelFile(file)].map((one) => fs.rm(one, { force: true })));
}

/** Reads the head and the first question without the rest of the file; what is not there is undefined. */
async function readBeginning(file: string): Promise<{ head?: ChatHead; question?: string }> {
  let head: ChatHead | undefined;
  try {
    for await (const text of readLines(file)) {
      const line = parseLine(text);
      if (line?.type === "chat") head ??= { chatId: line.chatId, agent: line.agent };
      else if (line?.type === "asked" && head) return { head, question: line.question };
    }
  } catch {
    // Another window may have deleted it.
  }
  return { head };
}

/** Moves conversations; one that is in both folders stays in both. */
async function moveChats(from: string, to: string): Promise<void> {
  const names = (await fs.readdir(from).catch(() => [])).filter((name) => name.endsWith(".jsonl"));
  if (names.length === 0) return;
  openStorageFolder(to);
  for (const name of names) {
    const [source, target] = [path.join(from, name), path.join(to, name)];
    const { atime, mtime } = await fs.stat(source);
    try {
      // Fails if the file exists, and works across disks.
      await fs.copyFile(source, target, fs.constants.COPYFILE_EXCL);
    } catch (error) {
      if (hasErrorCode(error, "EEXIST")) continue;
      throw error;
    }
    await fs.chmod(target, privateMode);
    await fs.utimes(target, atime, mtime);
    await fs.rm(source);
  }
}

/** Yields a file's lines; reads only as far as they are used. */
async function* readLines(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(file, "utf8") as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}
