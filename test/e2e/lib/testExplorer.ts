// Page object of VS Code's Test Explorer.
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { chooseFromMenu } from "./menu.ts";
import { clickOnce, patiently, quickly } from "./once.ts";
import type { Workbench } from "./workbench.ts";

export type TestState = "unset" | "passed" | "failed" | "error" | "skipped";

export class TestExplorer {
  readonly #workbench: Workbench;
  readonly #page: Page;

  private constructor(workbench: Workbench) {
    this.#workbench = workbench;
    this.#page = workbench.page;
  }

  /** Shows the view by its command: a click on an icon with a badge hangs. */
  static async open(workbench: Workbench): Promise<TestExplorer> {
    await workbench.command("View: Show Testing");
    await workbench.page.locator(".test-explorer").waitFor({ timeout: 30_000 });
    return new TestExplorer(workbench);
  }

  /** The labels of all drawn rows, in order. */
  async labels(): Promise<string[]> {
    const rows = await this.#page.locator(".test-explorer .monaco-list-row").evaluateAll((all) =>
      all.map((row) => ({
        index: Number(row.getAttribute("data-index")),
        label: row.querySelector(".label")?.firstChild?.textContent ?? "",
      })),
    );
    return rows.sort((a, b) => a.index - b.index).map(({ label }) => label.trim());
  }

  row(label: string): Locator {
    return this.#page
      .locator(".test-explorer .monaco-list-row")
      .filter({ has: this.#page.locator(".label", { hasText: label }) })
      .first();
  }

  async expand(label: string): Promise<void> {
    await eventually(async () => {
      const row = this.row(label);
      if ((await row.getAttribute("aria-expanded", quickly)) !== "true") {
        await row.locator(".label").click(patiently);
        await this.#page.keyboard.press("ArrowRight");
      }
      assert.equal(await row.getAttribute("aria-expanded", quickly), "true");
    }, 30_000);
  }

  /** Presses Run Test on a row; `isAsked` also agrees to the question before a file's first run. */
  async run(label: string, isAsked = false): Promise<void> {
    await eventually(async () => {
      const row = this.row(label);
      await row.hover(patiently);
      await clickOnce(row.locator(".action-label[aria-label='Run Test']"));
    }, 30_000);
    if (isAsked) await this.#workbench.dialogs.modal(/Ask .* questions?\?/, "Ask");
  }

  async state(label: string): Promise<TestState | "loading"> {
    const icon = this.row(label).locator(".computed-state").first();
    const classes = (await icon.getAttribute("class", { timeout: 3_000 })) ?? "";
    return (/codicon-testing-(\w+)-icon/.exec(classes)?.[1] as TestState | undefined) ?? "loading";
  }

  async expectState(label: string, state: TestState): Promise<void> {
    await eventually(async () => assert.equal(await this.state(label), state), 40_000);
  }

  async contextMenu(label: string, title: string): Promise<void> {
    await chooseFromMenu(this.#page, title, () =>
      clickOnce(this.row(label).locator(".label"), { button: "right" }),
    );
  }
}
