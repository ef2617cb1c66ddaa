// Page object of the view with the results of SQL files.
import assert from "node:assert/strict";
import type { Frame } from "playwright-core";
import { eventually } from "./eventually.ts";
import { Result } from "./result.ts";
import type { Workbench } from "./workbench.ts";

export class SqlResults {
  readonly #workbench: () => Workbench;

  constructor(workbench: () => Workbench) {
    this.#workbench = workbench;
  }

  frame(): Promise<Frame> {
    return this.#workbench().frameWith(".sql-results");
  }

  /** The shown result, once it is that of this statement. */
  of(statement: string): Promise<Result> {
    return eventually(async () => {
      const frame = await this.frame();
      assert.equal(await frame.locator(".head code").innerText({ timeout: 3_000 }), statement);
      return new Result(frame, frame.locator(".sql-result"));
    }, 60_000);
  }
}
