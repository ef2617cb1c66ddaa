// Elements that cannot be reached or are clipped where there is little space.
import type { Frame } from "playwright-core";

/**
 * Lists the problems with their texts: controls that are outside the page or covered after they are scrolled into view,
 * clipped texts that do not scroll, and a page that is wider than the window.
 */
export function clippedElements(frame: Frame): Promise<string[]> {
  return frame.evaluate(async () => {
    const lost: string[] = [];
    const frames = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const { documentElement: page } = document;
    if (page.scrollWidth > page.clientWidth) {
      lost.push(`the page is ${page.scrollWidth} wide in ${page.clientWidth}`);
    }
    const all = function* (root: ParentNode): Generator<HTMLElement> {
      for (const node of root.querySelectorAll<HTMLElement>("*")) {
        if (node instanceof HTMLElement) yield node;
        if (node.shadowRoot) yield* all(node.shadowRoot);
      }
    };
    const nodes = [...all(document.body)].filter((node) => node.checkVisibility());
    const called = (node: HTMLElement) =>
      `${node.localName}.${node.className}: ${(node.ariaLabel ?? node.textContent ?? "").trim().slice(0, 60)}`;
    /** Text that is shown elsewhere too, or is only for screen readers. */
    const isExtra = (node: HTMLElement) =>
      node.closest(".visually-hidden, [aria-hidden=true]") !== null;

    const controls =
      "button, input, select, textarea, a[href], summary, [tabindex='0'], [role=combobox]";
    const under = (node: HTMLElement, x: number, y: number): boolean => {
      let found = document.elementFromPoint(x, y);
      while (found?.shadowRoot) {
        const inner: Element | null = found.shadowRoot.elementFromPoint(x, y);
        if (!inner || inner === found) break;
        found = inner;
      }
      for (let at: Node | null = found; at; at = at.parentNode ?? (at as ShadowRoot).host ?? null) {
        if (at === node) return true;
      }
      return found !== null && node.contains(found);
    };
    for (const node of nodes.filter((one) => one.matches(controls) && !isExtra(one))) {
      node.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      await frames();
      const { left, right, top, bottom, width, height } = node.getBoundingClientRect();
      if (width < 2 || height < 2) continue;
      const isOutside =
        left < -1 || right > page.clientWidth + 1 || bottom < 1 || top > innerHeight - 1;
      const middle = Math.min(Math.max(top + height / 2, 1), innerHeight - 2);
      if (isOutside) lost.push(`outside: ${called(node)}`);
      else if (!under(node, left + width / 2, middle)) lost.push(`covered: ${called(node)}`);
    }
    for (const node of nodes.filter((one) => !isExtra(one))) {
      // A grid's cell or a tab that says the whole text in its tooltip.
      if (node.matches(".cell[title], [role=tab][title] > .title")) continue;
      const { overflowX, overflowY } = getComputedStyle(node);
      const cutsX = /hidden|clip/.test(overflowX) && node.scrollWidth > node.clientWidth + 1;
      const cutsY = /hidden|clip/.test(overflowY) && node.scrollHeight > node.clientHeight + 1;
      if (node.clientWidth > 1 && node.innerText.trim() !== "" && (cutsX || cutsY)) {
        lost.push(`cut: ${called(node)}`);
      }
    }
    return lost;
  });
}
