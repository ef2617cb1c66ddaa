// A cache for descriptions of trained versions: some engines take half a minute for each (seen on 25.14.1).
import type { AskModel, DescribedRow } from "../mindsdb/describeModel.ts";
import type { ModelVersion } from "../mindsdb/listItems.ts";
import type { ItemRef } from "../mindsdb/references.ts";

interface CacheEntry {
  /** Identifies the training. */
  training: string;
  answers: Map<string | undefined, DescribedRow[]>;
}

/** The most versions in the cache; the least recently used go first. */
const maxVersions = 50;

/** The attributes that every page and run needs; others may be large. */
const cachedAttributes: readonly (string | undefined)[] = [undefined, "info", "features"];

export class DescriptionCache {
  readonly #entries = new Map<string, CacheEntry>();

  /**
   * Returns `ask` with the cache in front. Versions that are not trained yet will change, and versions without a date
   * cannot be identified: these are always asked.
   */
  cached(model: ItemRef, version: ModelVersion, ask: AskModel): AskModel {
    if (version.status !== "complete" || version.createdAt === undefined) return ask;
    return async (attribute) => {
      if (!cachedAttributes.includes(attribute)) return ask(attribute);
      const known = this.#getAnswers(model, version).get(attribute);
      if (known) return known;
      const rows = await ask(attribute);
      this.#getAnswers(model, version).set(attribute, rows);
      return rows;
    };
  }

  /** Removes a model, all models of a project or connection, or everything from the cache. */
  forget(of: Partial<ItemRef> = {}): void {
    const start = createKey(
      [of.connectionId, of.project, of.name].filter((part) => part !== undefined),
    );
    for (const key of this.#entries.keys()) if (key.startsWith(start)) this.#entries.delete(key);
  }

  #getAnswers(model: ItemRef, version: ModelVersion): CacheEntry["answers"] {
    const key = createKey([model.connectionId, model.project, model.name, String(version.version)]);
    const training = identifyTraining(version);
    const found = this.#entries.get(key);
    const kept =
      found?.training === training
        ? found
        : { training, answers: new Map<string | undefined, DescribedRow[]>() };
    // Moves the entry to the end: the most recently used.
    this.#entries.delete(key);
    this.#entries.set(key, kept);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxVersions && oldest !== undefined) this.#entries.delete(oldest);
    return kept.answers;
  }
}

/** Differs for a new model that was trained under the same name and version. */
function identifyTraining({ id, createdAt, trainingTime, updateStatus }: ModelVersion): string {
  return JSON.stringify([id, createdAt, trainingTime, updateStatus]);
}

/** Terminates each part, so that a prefix matches whole names only. */
function createKey(parts: readonly string[]): string {
  return parts.map((part) => `${JSON.stringify(part)}/`).join("");
}
