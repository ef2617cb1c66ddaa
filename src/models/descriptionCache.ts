// What trained versions have said of themselves, in memory: some engines take half a minute for each question (seen on 25.14.1).
import type { AskModel, DescribedRow } from "../mindsdb/describeModel.ts";
import type { ModelVersion } from "../mindsdb/listItems.ts";
import type { ItemRef } from "../mindsdb/references.ts";

interface Kept {
  /** Which training it was. */
  training: string;
  answers: Map<string | undefined, DescribedRow[]>;
}

/** So many versions are kept, those that were asked last. */
const most = 50;

/** What every page and every run asks for; other attributes may be large. */
const keptAttributes: readonly (string | undefined)[] = [undefined, "info", "features"];

export class DescriptionCache {
  readonly #kept = new Map<string, Kept>();

  /**
   * Asks a version only what is not known of it. One that is not trained yet has more to say later, and one without a
   * date may be another one the next time: these are always asked.
   */
  remembering(model: ItemRef, version: ModelVersion, ask: AskModel): AskModel {
    if (version.status !== "complete" || version.createdAt === undefined) return ask;
    return async (attribute) => {
      if (!keptAttributes.includes(attribute)) return ask(attribute);
      const known = this.#answersOf(model, version).get(attribute);
      if (known) return known;
      const rows = await ask(attribute);
      this.#answersOf(model, version).set(attribute, rows);
      return rows;
    };
  }

  /** Lets go of what is known of a model, of everything on a connection, or of all there is. */
  forget(of: Partial<ItemRef> = {}): void {
    const start = keyOf(
      [of.connectionId, of.project, of.name].filter((part) => part !== undefined),
    );
    for (const key of this.#kept.keys()) if (key.startsWith(start)) this.#kept.delete(key);
  }

  #answersOf(model: ItemRef, version: ModelVersion): Kept["answers"] {
    const key = keyOf([model.connectionId, model.project, model.name, String(version.version)]);
    const training = trainingOf(version);
    const found = this.#kept.get(key);
    const kept =
      found?.training === training
        ? found
        : { training, answers: new Map<string | undefined, DescribedRow[]>() };
    // At the end stands what was asked last.
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > most && oldest !== undefined) this.#kept.delete(oldest);
    return kept.answers;
  }
}

/** A model can be deleted, and another one trained under its name and version: nothing of these is the same then. */
function trainingOf({ id, createdAt, trainingTime, updateStatus }: ModelVersion): string {
  return JSON.stringify([id, createdAt, trainingTime, updateStatus]);
}

/** No name is the beginning of another one's key. */
function keyOf(parts: readonly string[]): string {
  return parts.map((part) => `${JSON.stringify(part)}/`).join("");
}
