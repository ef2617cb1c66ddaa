// Actions that must not happen twice, on elements that VS Code may draw again, move, close or take the focus from.
import type { ElementHandle, Locator } from "playwright-core";
import { eventually } from "./eventually.ts";

/** Timeout of a single attempt to find, fill or focus an element: if it takes longer, it has missed its element. */
export const quickly = { timeout: 3_000 };

/**
 * Timeout of a single click or hover. The window draws some five frames for one, and a busy machine takes a second for each:
 * with less time, every attempt would end before its click.
 */
export const patiently = { timeout: 10_000 };

type ClickOptions = Pick<NonNullable<Parameters<Locator["click"]>[0]>, "button" | "position">;

/**
 * Clicks an element, and throws if it has not been clicked: then the caller can find it again and repeat. An element whose
 * text is another one by then does not get the click, as VS Code draws other rows into the elements of earlier ones.
 */
export async function clickOnce(target: Locator, options: ClickOptions = {}): Promise<void> {
  // Not by the locator, which clicks once more if the click removes the element.
  const element = await target.elementHandle(quickly);
  if (!element) throw new Error("The element has gone");
  const watched = await watch(element);
  // It can have become another row before it was watched.
  const found = await target.elementHandle(quickly);
  if (!(await element.evaluate((node, again) => node === again, found))) {
    await watched.end();
    throw new Error("The element has moved");
  }
  try {
    await element.click({ ...options, ...patiently });
  } catch (error) {
    if (!(await watched.end())) throw error;
    return;
  }
  if (!(await watched.end())) throw new Error("The element has changed before it was clicked");
}

async function watch(element: ElementHandle<Node>): Promise<{ end(): Promise<boolean> }> {
  const state = await element.evaluateHandle((node) => {
    const types = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "contextmenu"];
    const before = node.textContent;
    const seen = { click: false, end: () => undefined as void };
    const look = (event: Event): void => {
      if (node.textContent !== before) event.stopImmediatePropagation();
      else if (event.type === "click" || event.type === "contextmenu") seen.click = true;
    };
    for (const type of types) node.addEventListener(type, look, { capture: true });
    seen.end = () => {
      for (const type of types) node.removeEventListener(type, look, { capture: true });
    };
    return seen;
  });
  return {
    end: () =>
      state.evaluate((seen) => {
        seen.end();
        return seen.click;
      }),
  };
}

/** Presses a key in an element, once: again only if the key has not reached it. */
export async function pressOnce(target: Locator, key: string, focus?: Locator): Promise<void> {
  await eventually(() => tryToPress(target, key, focus));
}

/**
 * Presses a key in an element, or throws if the key has not reached it, as a page that has just opened may have the focus. No
 * other element of the window gets it. `focus` is what gets the focus if nothing in the element has it: by default what had it last.
 */
export async function tryToPress(target: Locator, key: string, focus?: Locator): Promise<void> {
  const page = target.page();
  const element = await target.elementHandle(quickly);
  if (!element) throw new Error("The element has gone");
  const hasFocus = await element.evaluate(
    (node) => document.hasFocus() && node.contains(document.activeElement),
  );
  if (!hasFocus) await (focus ? focus.focus(quickly) : element.evaluate(giveFocusBack));
  const guard = await element.evaluateHandle(guardKeys);
  // While a frame has the focus, the window gets no keys.
  const isInWindow = (await element.ownerFrame()) === page.mainFrame();
  const ofWindow = isInWindow ? undefined : await page.evaluateHandle(guardKeys, null);
  await page.keyboard.press(key);
  await ofWindow?.evaluate((keys) => keys.end());
  // A page that is gone has had the key: the key has closed it.
  const arrived = await guard.evaluate((keys) => keys.end()).catch(() => true);
  if (!arrived) throw new Error(`${key} has not arrived`);
}

/** Runs in the window or in a frame: gives the focus to what had it within an element, or else to that element. */
function giveFocusBack(within: Node): void {
  const active = within.contains(document.activeElement) ? document.activeElement : within;
  window.focus();
  (active as HTMLElement).focus();
}

/** Runs in the window or in a frame: lets keys through to this element only, and notes whether there was one. */
function guardKeys(within: Node | null): { end(): boolean } {
  let arrived = false;
  const look = (event: KeyboardEvent): void => {
    // VS Code itself repeats a key of a page in its window.
    if (!event.isTrusted) return;
    if (within?.contains(event.target as Node)) arrived = true;
    else {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  window.addEventListener("keydown", look, { capture: true });
  return {
    end: () => {
      window.removeEventListener("keydown", look, { capture: true });
      return arrived;
    },
  };
}
