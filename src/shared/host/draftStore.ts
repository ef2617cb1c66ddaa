// Unsaved changes of forms that were closed, in files: one for each, until they are restored or discarded.
import fs from "node:fs";
import path from "node:path";
import * as v from "valibot";

/** How many drafts are kept; the oldest go first. */
export const maxDrafts = 20;

/** Of one draft's file, in characters. */
const maxDraftLength = 5_000_000;

const keptDraft = v.object({
  id: v.string(),
  target: v.string(),
  savedAt: v.number(),
  form: v.unknown(),
});

/** A form as it was closed; without keys, which forms leave out. */
export interface KeptDraft {
  /** Its own, new for every form. */
  id: string;
  /** What the form is for: a new form for the same is offered the draft. */
  target: string;
  /** Epoch ms. */
  savedAt: number;
  form: unknown;
}

export class DraftStore {
  readonly #folder: string;
  readonly #failed: (error: unknown) => void;

  /** The folder need not exist. `failed` hears of a draft that could not be kept. */
  constructor(folder: string, failed: (error: unknown) => void) {
    this.#folder = folder;
    this.#failed = failed;
  }

  /** Keeps a draft, at once: the form's window may be going away. False if that was not possible. */
  keep(draft: KeptDraft): boolean {
    try {
      const text = JSON.stringify(draft);
      if (text.length > maxDraftLength) throw new Error("The draft is too large to be kept");
      fs.mkdirSync(this.#folder, { recursive: true });
      fs.writeFileSync(this.#file(draft.id), text, { mode: 0o600 });
      this.#prune();
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  /** The newest draft for this target whose form is of a shape that is known. */
  newest(target: string, isReadable: (draft: KeptDraft) => boolean): KeptDraft | undefined {
    return this.#all().find((draft) => draft.target === target && isReadable(draft));
  }

  /** Gives a draft back and keeps it no longer; undefined if it is gone, restored in another window for example. */
  take(id: string): KeptDraft | undefined {
    const draft = this.#read(this.#file(id));
    this.discard(id);
    return draft;
  }

  discard(id: string): void {
    fs.rmSync(this.#file(id), { force: true });
  }

  /** All drafts that can be read, the newest first. */
  #all(): KeptDraft[] {
    let names: string[];
    try {
      names = fs.readdirSync(this.#folder).filter((name) => name.endsWith(".json"));
    } catch {
      return [];
    }
    return names
      .flatMap((name) => this.#read(path.join(this.#folder, name)) ?? [])
      .sort((a, b) => b.savedAt - a.savedAt);
  }

  #read(file: string): KeptDraft | undefined {
    try {
      const parsed = v.safeParse(keptDraft, JSON.parse(fs.readFileSync(file, "utf8")));
      return parsed.success ? parsed.output : undefined;
    } catch {
      return undefined;
    }
  }

  #prune(): void {
    for (const { id } of this.#all().slice(maxDrafts)) this.discard(id);
  }

  #file(id: string): string {
    if (!/^[\w-]{1,64}$/.test(id)) throw new Error("This is no form's id");
    return path.join(this.#folder, `${id}.json`);
  }
}
