// A webview that regains the focus has no focused element: focus the one that had it.

/** Remembers which element has the focus and restores it; the first time, `first` gets it. */
export function rememberFocus(first: HTMLElement, signal: AbortSignal): void {
  let last: Element = first;
  const restore = (): void => {
    if (document.activeElement !== document.body) return;
    const element = last.isConnected ? last : first;
    if (element instanceof HTMLElement) element.focus({ preventScroll: true });
  };
  document.addEventListener(
    "focusin",
    ({ target }) => {
      if (target instanceof Element) last = target;
    },
    { signal },
  );
  window.addEventListener("focus", restore, { signal });
  if (document.hasFocus()) restore();
}
