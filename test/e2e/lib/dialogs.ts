// VS Code's own messages: toasts in the corner, and modal dialogs.
import type { Locator, Page } from "playwright-core";

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
    try {
      await toast.waitFor({ timeout: 15_000 });
    } catch {
      // A busy VS Code sometimes shows no toast; then the notification is in the list behind the bell.
      await this.#page.locator("[id='status.notifications']").click();
      await toast.waitFor({ timeout: 15_000 });
    }
    const text = await toast.locator(".notification-list-item-message").innerText();
    if (button !== undefined) {
      await toast.getByRole("button", { name: button, exact: true }).click();
    }
    return text;
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
      await this.#button(dialog, button).click();
      await dialog.waitFor({ state: "hidden" });
    }
    return text;
  }

  #button(dialog: Locator, name: string): Locator {
    return dialog.locator(".dialog-buttons").getByRole("button", { name, exact: true });
  }
}
