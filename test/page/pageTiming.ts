// When a page has drawn what an action changed. A busy machine draws later than a test reads, and tells the host later.
import type { Page } from "playwright-core";

type Action = (...given: unknown[]) => Promise<unknown>;

const locatorActions = [
  "blur",
  "check",
  "clear",
  "click",
  "dblclick",
  "dispatchEvent",
  "fill",
  "focus",
  "hover",
  "press",
  "pressSequentially",
  "selectOption",
  "uncheck",
];
const keyboardActions = ["press", "type"];
const mouseActions = ["click", "dblclick", "down", "move", "up", "wheel"];

const settlingPages = new WeakSet<Page>();
let hasWrappedLocators = false;

/** From now on, what a test does in the page ends when it is drawn, so that the test may read right after it. */
export function settleActions(page: Page): void {
  settlingPages.add(page);
  // Playwright has no hook for this. All locators share a prototype.
  const locators = Object.getPrototypeOf(page.locator("html")) as object;
  if (!hasWrappedLocators) {
    wrap(locators, locatorActions, (locator) => (locator as { page(): Page }).page());
  }
  hasWrappedLocators = true;
  wrap(page.keyboard, keyboardActions, () => page);
  wrap(page.mouse, mouseActions, () => page);
  wrap(page, ["setViewportSize"], () => page);
}

function wrap(target: object, names: string[], pageOf: (self: unknown) => Page): void {
  const actions = target as Record<string, Action>;
  for (const name of names) {
    const act = actions[name]!;
    actions[name] = async function (this: unknown, ...given: unknown[]) {
      const result = await act.apply(this, given);
      const page = pageOf(this);
      if (settlingPages.has(page)) await drawn(page);
      return result;
    };
  }
}

/**
 * Resolves when the page has drawn what it knows, and its messages have come. Work of the page's timers and answers of its
 * host may come later.
 */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // Preact runs an effect after the frame of its render, and the effect may change what the next one shows.
    for (let frame = 0; frame < 2; frame++) {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }
    await (window as unknown as { toHost: (message: null) => Promise<void> }).toHost(null);
  });
}

/** Slows a page down as a machine with $PAGE_SLOWDOWN times less speed would: it shows which tests race. */
export async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env["PAGE_SLOWDOWN"] ?? 1);
  if (rate === 1) return;
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
}
