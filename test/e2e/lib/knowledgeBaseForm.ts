// Page object of the form that creates or changes a knowledge base.
import type { Frame, Locator } from "playwright-core";
import type { Field } from "../../../src/knowledgeBases/form/validation.ts";
import { eventually } from "./eventually.ts";
import type { Workbench } from "./workbench.ts";

export class KnowledgeBaseForm {
  readonly frame: Frame;

  private constructor(frame: Frame) {
    this.frame = frame;
  }

  /** Returns the form with this heading, once its page is there. */
  static async with(
    workbench: Workbench,
    heading = "Create Knowledge Base",
  ): Promise<KnowledgeBaseForm> {
    const frame = await workbench.frameWith(`.form h1:text-is(${JSON.stringify(heading)})`);
    return new KnowledgeBaseForm(frame);
  }

  field(field: Field): Locator {
    return this.frame.locator(`.field[data-field=${field}]`);
  }

  /** The control of a field: an input, or a list of choices. */
  control(field: Field): Locator {
    return this.field(field).locator("input, select").first();
  }

  button(name: string): Locator {
    return this.frame.getByRole("button", { name, exact: true });
  }

  /** The text at the top of the form. */
  async onTop(): Promise<string> {
    return (await this.frame.locator(".top .problem-text").allInnerTexts()).join(" ");
  }

  /** Waits until the field shows this problem. */
  async says(field: Field, sentence: RegExp): Promise<void> {
    await eventually(async () => {
      const lines = await this.field(field).locator(".problem .problem-text").allInnerTexts();
      const text = lines.join(" ");
      if (!sentence.test(text)) throw new Error(`${field} says: ${text}`);
    });
  }

  /** Waits until a field has the focus. */
  async focusIn(field: Field): Promise<void> {
    await eventually(async () => {
      const isThere = await this.field(field).evaluate(
        (row) => document.hasFocus() && row.contains(document.activeElement),
      );
      if (!isThere) throw new Error(`The focus is not in ${field}`);
    });
  }
}
