// The values that filters suggest: read when a field gets the focus, and cached for the page.
import type { ServerAccess } from "../../connections/connection.ts";
import { readMetadataValues } from "../../mindsdb/metadataValues.ts";
import type { Log } from "../../shared/host/log.ts";
import type { PostToPage } from "../../shared/host/panels.ts";
import { writeFilterValue } from "../parseFilterValue.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import type { ColumnValues, ToPage } from "../messages.ts";

export class MetadataSuggestions {
  readonly #knowledgeBase: KnowledgeBaseRef;
  readonly #post: PostToPage<ToPage>;
  readonly #options: { servers: ServerAccess; log: Log };
  readonly #cache = new Map<string, ColumnValues>();
  #reading: { column: string; controller: AbortController } | undefined;

  constructor(
    knowledgeBase: KnowledgeBaseRef,
    post: PostToPage<ToPage>,
    options: { servers: ServerAccess; log: Log },
  ) {
    this.#knowledgeBase = knowledgeBase;
    this.#post = post;
    this.#options = options;
  }

  /** Reads and posts a column's values; cancels a read for another column. */
  async read(column: string): Promise<void> {
    const cached = this.#cache.get(column);
    if (cached) {
      this.#post({ type: "values", column, values: cached });
      return;
    }
    if (this.#reading?.column === column) return;
    this.cancel();
    const reading = { column, controller: new AbortController() };
    this.#reading = reading;
    const { connectionId, project, name } = this.#knowledgeBase;
    try {
      const client = await this.#options.servers.client(connectionId);
      const options = { signal: reading.controller.signal, timeoutMs: 20_000 };
      const { values, type } = await readMetadataValues(client, { project, name }, column, options);
      if (this.#reading !== reading) return;
      const known = client.secrets.redactKnownValue(values);
      const written = { values: known.map((value) => writeFilterValue(value, type)), type };
      this.#cache.set(column, written);
      this.#post({ type: "values", column, values: written });
    } catch (error) {
      if (this.#reading !== reading) return;
      this.#options.log.error(`The values of ${column} in ${name} could not be read`, error);
      this.#post({ type: "noValues", column });
    } finally {
      if (this.#reading === reading) this.#reading = undefined;
    }
  }

  cancel(): void {
    this.#reading?.controller.abort();
    this.#reading = undefined;
  }

  clear(): void {
    this.cancel();
    this.#cache.clear();
  }
}
