// Actions that must not happen twice, on elements that VS Code may draw again, move, close or take the focus from.
import type { ElementHandle, Locator } from "playwright-core";

/** Timeout of a single attempt: if it takes longer, it has missed its element. */
export const quickly = { timeout: 3_000 };

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
    await element.click({ ...options, ...quickly });
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
