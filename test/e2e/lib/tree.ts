// A tree view in the side bar. A node is named by its path of labels: ["Sample Server", "mindsdb", "Agents"].
import type { Locator, Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { chooseFromMenu, readMenu } from "./menu.ts";
import { clickOnce, patiently, quickly } from "./once.ts";

export interface TreeRow {
  /** The row's index in the list. */
  index: number;
  /** 1 for roots. */
  level: number;
  label: string;
  description: string;
  /** `undefined` for a leaf. */
  expanded: boolean | undefined;
}

/** Of expanding a node. */
const maxAttempts = 3;
/** Long labels are clipped at the end. */
const atStart = { position: { x: 4, y: 8 } };

export class Tree {
  readonly #page: Page;
  /** The side bar that contains the tree; welcome content is in it too. */
  readonly sideBar: Locator;
  /** The tree's view: a side bar can have several. */
  readonly #pane: Locator;

  /** `view` is the view's position in the side bar, from 0. */
  constructor(page: Page, sideBar: Locator, view = 0) {
    this.#page = page;
    this.sideBar = sideBar;
    this.#pane = sideBar.locator(".pane").nth(view);
  }

  /** The drawn rows, in order. Invisible rows are not drawn. */
  async rows(): Promise<TreeRow[]> {
    const rows = await this.#pane.locator(".monaco-list-row[role=treeitem]").evaluateAll((nodes) =>
      nodes.map((node) => {
        const expanded = node.getAttribute("aria-expanded");
        return {
          index: Number(node.getAttribute("data-index")),
          level: Number(node.getAttribute("aria-level")),
          label: node.querySelector(".label-name")?.textContent ?? "",
          description: node.querySelector(".label-description")?.textContent ?? "",
          expanded: expanded === null ? undefined : expanded === "true",
        };
      }),
    );
    return rows.sort((a, b) => a.index - b.index);
  }

  /** The labels directly below a node (`[]` for the roots), as far as they are drawn. */
  async children(path: string[]): Promise<string[]> {
    const rows = await this.rows();
    const parent = path.length > 0 ? findRow(rows, path) : undefined;
    if (path.length > 0 && !parent) return [];
    return childrenOf(rows, parent).map((row) => row.label);
  }

  /** Waits for a node; its parents must be expanded. */
  async find(path: string[], timeoutMs = 30_000): Promise<TreeRow> {
    const end = Date.now() + timeoutMs;
    for (;;) {
      const rows = await this.rows();
      const found = findRow(rows, path);
      if (found) return found;
      if (Date.now() > end) {
        const shown = rows
          .map(({ level, expanded, label }) => {
            const twistie = expanded === undefined ? "" : expanded ? "▾ " : "▸ ";
            return "  ".repeat(level) + twistie + label;
          })
          .join("\n");
        throw new Error(`No row ${path.join(" > ")} in the tree:\n${shown}`);
      }
      await this.#page.waitForTimeout(100);
    }
  }

  /**
   * Expands a node and its parents, and waits a little for its children, so that they move no row under the next click. VS
   * Code can close a row again that is redrawn while its children arrive: like a user, it is then opened once more.
   */
  async expand(path: string[]): Promise<void> {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      for (let length = 1; length <= path.length; length++) {
        const node = path.slice(0, length);
        if (length > 1) await this.#untilShown(node);
        await this.#fold(node, true);
      }
      const hasChildren = async (): Promise<boolean> => (await this.children(path)).length > 0;
      await this.#until(hasChildren).catch(() => undefined);
      if ((await this.find(path)).expanded !== false) return;
      console.log(`      (${path.join(" > ")} had to be expanded again)`);
    }
  }

  async collapse(path: string[]): Promise<void> {
    await this.#fold(path, false);
  }

  /** Clicks a node, which selects it and runs its command. */
  async click(path: string[]): Promise<void> {
    await this.#with(path, (row) => clickOnce(row.locator(".label-name"), atStart));
  }

  /** Presses one of the buttons that a row shows on hover. */
  async inlineAction(path: string[], title: string): Promise<void> {
    await this.#with(path, async (row) => {
      await row.hover(patiently);
      await clickOnce(row.locator(`.actions .action-label[aria-label^="${title}"]`));
    });
  }

  /** Waits until the drawn rows have stayed as they are for a second. */
  async settled(): Promise<void> {
    const end = Date.now() + 30_000;
    let shown = "";
    for (;;) {
      const rows = JSON.stringify(await this.rows());
      if (rows === shown) return;
      if (Date.now() > end) throw new Error("The tree does not settle");
      shown = rows;
      await this.#page.waitForTimeout(1_000);
    }
  }

  /** Selects an item of a node's context menu. */
  async contextMenu(path: string[], title: string): Promise<void> {
    await chooseFromMenu(this.#page, title, () => this.#openMenu(path));
  }

  /** The items of a node's context menu. */
  contextMenuItems(path: string[]): Promise<string[]> {
    return readMenu(this.#page, () => this.#openMenu(path));
  }

  #openMenu(path: string[]): Promise<void> {
    return this.#with(path, (row) =>
      clickOnce(row.locator(".label-name"), { ...atStart, button: "right" }),
    );
  }

  /** Waits until a row's hover contains this and returns all of its text. The pointer is moved away again. */
  async tooltip(path: string[], says: RegExp): Promise<string> {
    const hover = this.#page.locator(".workbench-hover", { hasText: says });
    let text = "";
    await this.#with(path, async (row) => {
      // A row that is redrawn under the pointer shows no hover until the pointer moves over it again.
      await this.#page.mouse.move(0, 0);
      await row.locator(".label-name").hover({ ...atStart, ...patiently });
      text = await hover.innerText(quickly);
    });
    await eventually(async () => {
      await this.#page.mouse.move(4, 4);
      await this.#page.mouse.move(0, 0);
      await hover.waitFor({ state: "hidden", ...quickly });
    });
    return text;
  }

  /** The badge letter behind a node's name; empty if there is none. */
  async badge(path: string[]): Promise<string> {
    let letter = "";
    await this.#with(path, async (row) => {
      letter = await row
        .locator(".monaco-icon-label")
        .evaluate((label) => getComputedStyle(label, "::after").content, undefined, quickly);
    });
    return letter.replace(/^"|"$|^none$/g, "");
  }

  /** Waits for a node of an expanded parent, which is expanded again if VS Code has closed it meanwhile. */
  async #untilShown(path: string[]): Promise<void> {
    await eventually(async () => {
      if (findRow(await this.rows(), path)) return;
      const parent = path.slice(0, -1);
      if ((await this.find(parent)).expanded === false) {
        console.log(`      (${parent.join(" > ")} had to be expanded again)`);
        await this.#fold(parent, true);
      }
      await this.find(path, 1_000);
    });
  }

  /** Expands or collapses a node; a leaf stays unchanged. */
  async #fold(path: string[], expanded: boolean): Promise<void> {
    await this.#with(path, async (row) => {
      if ((await this.find(path)).expanded !== !expanded) return;
      await row.locator(".monaco-tl-twistie").click(patiently);
      await this.#until(async () => (await this.find(path)).expanded === expanded);
    });
  }

  /** Does something with a node's row. Loading items move rows, so the row is searched again on failure. */
  async #with(path: string[], work: (row: Locator) => Promise<void>): Promise<void> {
    const end = Date.now() + 30_000;
    for (;;) {
      const { index, label } = await this.find(path);
      const name = this.#page.locator(".label-name").getByText(label, { exact: true });
      const row = this.#pane
        .locator(`.monaco-list-row[role=treeitem][data-index="${String(index)}"]`)
        .filter({ has: name });
      try {
        await work(row);
        return;
      } catch (error) {
        if (Date.now() > end) throw error;
        // The hover of a row that the pointer rests on lies over the rows below, until the pointer goes.
        await this.#page.mouse.move(0, 0);
      }
    }
  }

  async #until(holds: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + quickly.timeout;
    while (!(await holds())) {
      if (Date.now() > end) throw new Error("The tree did not change");
      await this.#page.waitForTimeout(50);
    }
  }
}

function findRow(rows: TreeRow[], path: string[]): TreeRow | undefined {
  let parent: TreeRow | undefined;
  for (const label of path) {
    parent = childrenOf(rows, parent).find((row) => row.label === label);
    if (!parent) return undefined;
  }
  return parent;
}

/** The rows one level below `parent`: those after it, up to the next row that is not deeper. */
function childrenOf(rows: TreeRow[], parent: TreeRow | undefined): TreeRow[] {
  if (!parent) return rows.filter((row) => row.level === 1);
  const after = rows.slice(rows.indexOf(parent) + 1);
  const end = after.findIndex((row) => row.level <= parent.level);
  const below = end < 0 ? after : after.slice(0, end);
  return below.filter((row) => row.level === parent.level + 1);
}
