import { isCancelled } from "../../mindsdb/errors.ts";
import type { Log } from "../../shared/host/log.ts";
import type { Page } from "../../shared/host/pages.ts";
import { HostState } from "../../shared/hostState.ts";
import { PageReads } from "../../shared/pageReads.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import type { sqlResultsCalls, SqlResultsState } from "../sqlFile/resultsView.ts";
import type { KeptSqlResult } from "./keptSqlResult.ts";

/** The host of a result in an editor, which stays until its tab or the window is closed. */
export class SqlResultEditor implements Page<typeof sqlResultsCalls> {
  readonly state = new HostState<SqlResultsState>({ tabs: [], isEditor: true });
  readonly handlers: Handlers<typeof sqlResultsCalls> = {
    send: (message) => this.#kept.receive(message),
    // An editor has no buttons for tabs.
    select: () => undefined,
    close: () => undefined,
    pin: () => undefined,
    openInEditor: () => undefined,
  };
  readonly title: string;
  readonly connectionId: string;
  readonly #kept: KeptSqlResult;
  readonly #log: Log;
  readonly #reads = new PageReads();
  readonly #drawing = this.#reads.create();

  constructor(kept: KeptSqlResult, log: Log) {
    this.#kept = kept;
    this.#log = log;
    this.title = kept.createTab().title;
    this.connectionId = kept.result.origin.connectionId;
    kept.retain();
    this.draw();
  }

  draw(): void {
    void this.#drawing.run(() => this.#kept.read(), {
      show: (shown) => this.state.update({ shown }),
      fail: (error) => {
        if (!isCancelled(error)) this.#log.error("A result could not be shown", error);
      },
    });
  }

  onClosed(): void {
    this.#reads.close();
    this.#kept.release();
  }
}
