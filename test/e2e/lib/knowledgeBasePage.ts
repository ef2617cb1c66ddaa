// Page object of a knowledge base's page.
import type { Frame } from "playwright-core";
import type { Workbench } from "./workbench.ts";

/** A row of the table of fields; `type` is empty for a field that the server does not send. */
export interface ShownField {
  name: string;
  value: string;
  type: string;
}

/** A chunk of a result; numbers are not rounded. */
export interface ShownChunk {
  id: string;
  content: string;
  relevance: number | undefined;
  distance: number | undefined;
  metadata: Record<string, string>;
}

export class KnowledgeBasePage {
  readonly frame: Frame;

  private constructor(frame: Frame) {
    this.frame = frame;
  }

  /** Returns the page of this knowledge base, once its fields are there. */
  static async with(workbench: Workbench, name: string): Promise<KnowledgeBasePage> {
    const heading = `h1:text-is(${JSON.stringify(name)})`;
    return new KnowledgeBasePage(
      await workbench.frameWith(`main:has(${heading}):has(.fields) ${heading}`),
    );
  }

  fields(): Promise<ShownField[]> {
    return this.frame.locator(".fields tbody tr").evaluateAll((rows) =>
      rows.map((row) => {
        const text = (selector: string) => row.querySelector(selector)?.textContent ?? "";
        return {
          name: text(".field-name"),
          value: text(".value"),
          type: text("td:last-child .quiet"),
        };
      }),
    );
  }

  /** The number of documents and chunks, as shown. */
  stored(): Promise<string> {
    return this.frame.locator(".glance dd").first().innerText();
  }

  /** Searches after an earlier search has ended; until then Enter does nothing. */
  async search(question: string): Promise<void> {
    await this.frame.getByRole("button", { name: "Search", exact: true }).waitFor();
    await this.frame.getByLabel("Question").fill(question);
    await this.frame.getByLabel("Question").press("Enter");
  }

  chunks(): Promise<ShownChunk[]> {
    return this.frame.locator(".chunk").evaluateAll((chunks) =>
      chunks.map((chunk) => {
        const [first, ...others] = [...chunk.querySelectorAll<HTMLElement>(".chunk-head > span")];
        const figure = (node: HTMLElement | undefined) =>
          node?.title ? Number(node.title) : undefined;
        const labels = [...chunk.querySelectorAll(".labels .label")].map((label) => [
          label.querySelector("dt")?.textContent ?? "",
          label.querySelector("dd")?.textContent ?? "",
        ]);
        const last = others.at(-1) ?? first;
        return {
          id: last?.textContent?.replace(/^ID /, "") ?? "",
          content: chunk.querySelector(".content")?.textContent ?? "",
          relevance: figure(first),
          distance: figure(others[0]),
          metadata: Object.fromEntries(labels) as Record<string, string>,
        };
      }),
    );
  }

  /** The text above the chunks, and problems. */
  said(): Promise<string> {
    return this.frame.locator(".result h3, .result > .hint, [role=alert]").first().innerText();
  }
}
