// VS Code's own messages: toasts in the corner, and modal dialogs.
import type { Locator, Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { clickOnce, patiently, quickly } from "./once.ts";

export class Dialogs {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Waits for a notification with this text and returns its full text; with `button`, presses it. */
  async toast(says: string | RegExp, button?: string): Promise<string> {
    const toast = this.#page
      .locator(":is(.notifications-toasts, .notifications-center) .notification-list-item")
      .filter({ has: this.#page.locator(".notification-list-item-message", { hasText: says }) })
      .filter({ visible: true })
      .first();
    return eventually(async () => {
      await this.#show(toast);
      const text = await toast.locator(".notification-list-item-message").innerText(quickly);
      if (button !== undefined) {
        await clickOnce(toast.getByRole("button", { name: button, exact: true }));
      }
      return text;
    });
  }

  /** A toast goes after some seconds, and a busy VS Code sometimes shows none: then it is in the list behind the bell. */
  async #show(notification: Locator): Promise<void> {
    try {
      await notification.waitFor({ timeout: 15_000 });
    } catch (error) {
      if (await this.#page.locator(".notifications-center").isVisible()) throw error;
      await this.#page.locator("[id='status.notifications']").click(patiently);
      await notification.waitFor({ timeout: 15_000 });
    }
  }

  /** The texts of the visible toasts. */
  async toasts(): Promise<string[]> {
    return this.#page
      .locator(".notifications-toasts .notification-list-item-message")
      .allInnerTexts();
  }

  /** Waits for a modal dialog with this text and returns its text with the detail; with `button`, presses it. */
  async modal(says: string | RegExp, button?: string): Promise<string> {
    const dialog = this.#page.locator(".monaco-dialog-box").filter({ hasText: says });
    await dialog.waitFor({ timeout: 30_000 });
    const text = await dialog.locator(".dialog-message-container").innerText();
    if (button !== undefined) {
      await eventually(() => clickOnce(this.#button(dialog, button)));
      await dialog.waitFor({ state: "hidden" });
    }
    return text;
  }

  #button(dialog: Locator, name: string): Locator {
    return dialog.locator(".dialog-buttons").getByRole("button", { name, exact: true });
  }
}
