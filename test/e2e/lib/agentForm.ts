// Page object of the agent form, and of forms like it.
import type { Frame, Locator } from "playwright-core";
import type { Field } from "../../../src/agents/agentProblems.ts";
import { eventually } from "./eventually.ts";
import type { Workbench } from "./workbench.ts";

export class AgentForm<Name extends string = Field> {
  readonly frame: Frame;

  private constructor(frame: Frame) {
    this.frame = frame;
  }

  /** Returns the form with this heading, once its page is there. */
  static async with<Name extends string = Field>(
    workbench: Workbench,
    heading = "Create Agent",
  ): Promise<AgentForm<Name>> {
    const frame = await workbench.frameWith(`.form h1:text-is(${JSON.stringify(heading)})`);
    return new AgentForm<Name>(frame);
  }

  field(field: Name): Locator {
    return this.frame.locator(`.field[data-field=${field}]`);
  }

  /** The control of a field: an input, a text area, or a list of choices. */
  control(field: Name): Locator {
    return this.field(field).locator("input, textarea, select").first();
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole("button", { name, exact: true });
  }

  async fill(field: Name, text: string): Promise<void> {
    await this.control(field).fill(text);
  }

  /** Selects the first choice whose label contains this text. */
  async choose(field: Name, label: string): Promise<void> {
    const choice = this.field(field).locator("option", { hasText: label }).first();
    const whole = (await choice.textContent()) ?? label;
    await this.control(field).selectOption({ label: whole });
  }

  /** The text below a field, without icons. */
  async problem(field: Name): Promise<string> {
    const lines = this.field(field).locator(".problem .problem-text");
    return (await lines.allInnerTexts()).join(" ");
  }

  /** Says at the top of the form that its draft is from one that was closed. */
  get keptNote(): Locator {
    return this.frame.locator(".kept-draft");
  }

  /** The text at the top of the form. */
  async onTop(): Promise<string> {
    return (await this.frame.locator(".top .problem-text").allInnerTexts()).join(" ");
  }

  /** The selected items, each with its note. */
  async entries(field: "tables" | "knowledgeBases"): Promise<string[]> {
    const items = await this.field(field as Name)
      .locator("li:has(.entry)")
      .allInnerTexts();
    return items.map((text) => text.replace(/\s+/g, " ").trim());
  }

  /** Waits until a field has the focus, which VS Code returns shortly after its own box has closed. */
  async focusIn(field: Name): Promise<void> {
    await eventually(async () => {
      const isThere = await this.field(field).evaluate(
        (row) => document.hasFocus() && row.contains(document.activeElement),
      );
      if (!isThere) throw new Error(`The focus is not in ${field}`);
    });
  }

  /** The status line next to the button. */
  status(): Promise<string> {
    return this.frame.locator(".actions .status").innerText();
  }

  /** Sends the form and waits for the response. */
  async create(): Promise<void> {
    await this.button("Create Agent").click();
    await this.frame.locator(".created h1").waitFor();
  }

  /** Waits until the field shows this problem. */
  async says(field: Name, sentence: RegExp | string): Promise<void> {
    await eventually(async () => {
      const text = await this.problem(field);
      const fits = typeof sentence === "string" ? text === sentence : sentence.test(text);
      if (!fits) throw new Error(`${field} says: ${text}`);
    });
  }
}
