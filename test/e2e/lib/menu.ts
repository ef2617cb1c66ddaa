// Context menus, and the overflow menus of editors. VS Code closes a menu when something else takes the focus: a tree that
// was just clicked, a page or an editor that is still opening.
import type { Locator, Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { clickOnce, quickly } from "./once.ts";

/** A menu ignores the mouse for its first half second, in ms. */
const deafMs = 700;

/**
 * Selects an item of the menu that `open` opens. Opens the menu again as long as the item has not been clicked, and clicks it
 * once. `open` should give up after a few seconds.
 */
export async function chooseFromMenu(
  page: Page,
  title: string,
  open: () => Promise<void>,
): Promise<void> {
  const label = page.locator(".action-label").getByText(title, { exact: true });
  const item = page.locator(".monaco-menu .action-menu-item").filter({ has: label });
  await inMenu(page, open, async () => {
    await item.waitFor(quickly);
    // By the window's own clock: it stands still when the window does.
    await item.evaluate(
      (_, ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      deafMs,
      quickly,
    );
    await clickOnce(item);
  });
}

/** The items of the menu that `open` opens. Closes the menu again. */
export async function readMenu(page: Page, open: () => Promise<void>): Promise<string[]> {
  const items = page.locator(".monaco-menu .action-menu-item .action-label");
  const labels = await inMenu(page, open, async () => {
    await items.first().waitFor(quickly);
    const texts = await items.allInnerTexts();
    if (texts.length === 0) throw new Error("The menu has closed");
    return texts;
  });
  await closeMenu(page);
  return labels;
}

function inMenu<T>(
  page: Page,
  open: () => Promise<void>,
  work: () => Promise<T>,
): Promise<Awaited<T>> {
  return eventually(async () => {
    try {
      await open();
      return await work();
    } catch (error) {
      await closeMenu(page);
      throw error;
    }
  });
}

/** A menu that has just opened does not handle keys yet. */
async function closeMenu(page: Page): Promise<void> {
  const menu: Locator = page.locator(".monaco-menu-container .monaco-menu").first();
  await eventually(async () => {
    if (!(await menu.isVisible())) return;
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden", timeout: 500 });
  });
}
