// Stores unsaved changes of closed forms in files, until the next form begins with them.
import fs from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { openStorageFolder, privateMode } from "../node/privateFiles.ts";
import { omitStoredSecrets } from "../typedSecrets.ts";

/** The most stored drafts; the oldest are deleted first. */
export const maxDrafts = 20;

/** For one draft's file, in characters. */
const maxDraftLength = 5_000_000;

/** A closed form's data, without keys. */
const keptDraft = v.object({
  /** Unique for every form. */
  id: v.string(),
  /** The form's subject: a new form with the same target begins with the draft. */
  target: v.string(),
  /** Epoch ms. */
  savedAt: v.number(),
  form: v.unknown(),
});
type KeptDraft = v.InferOutput<typeof keptDraft>;

export class DraftStore {
  readonly #folder: string;
  readonly #failed: (error: unknown) => void;

  /** The folder need not exist. `failed` gets write errors. */
  constructor(folder: string, failed: (error: unknown) => void) {
    this.#folder = folder;
    this.#failed = failed;
  }

  /** Stores a draft synchronously, because the window may be closing. False if that failed. */
  keep(draft: KeptDraft): boolean {
    try {
      const text = JSON.stringify(omitStoredSecrets(draft));
      if (text.length > maxDraftLength) throw new Error("The draft is too large to be kept");
      openStorageFolder(this.#folder);
      const file = this.#file(draft.id);
      // A new file: writing into an old one would follow a link.
      fs.rmSync(file, { force: true });
      fs.writeFileSync(file, text, { flag: "wx", mode: privateMode });
      this.#prune();
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  /** Removes and returns the newest draft for this target of those that `read` returns something for. */
  takeNewest<Form>(
    target: string,
    read: (form: unknown) => Form | undefined,
  ): { form: Form; savedAt: number } | undefined {
    for (const { id, target: other, form: kept, savedAt } of this.#all()) {
      const form = other === target ? read(kept) : undefined;
      if (form === undefined) continue;
      this.forget(id);
      return { form, savedAt };
    }
    return undefined;
  }

  /** Removes a draft, if it is still there. */
  forget(id: string): void {
    try {
      fs.rmSync(this.#file(id), { force: true });
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Returns all readable drafts, the newest first. */
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
    for (const { id } of this.#all().slice(maxDrafts)) this.forget(id);
  }

  #file(id: string): string {
    if (!/^[\w-]{1,64}$/.test(id)) throw new Error("This is no form's id");
    return path.join(this.#folder, `${id}.json`);
  }
}
