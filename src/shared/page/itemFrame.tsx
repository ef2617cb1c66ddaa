// The page of an item around its own parts: head, progress, notice, status for screen readers, focus, scroll position.
import * as l10n from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { ItemState, itemCalls } from "../itemPage.ts";
import type { Host } from "../pageProtocol.ts";
import { IconButton, NoticeBox } from "./parts.tsx";
import { save, savedState } from "./webview.ts";

interface FrameProps {
  /** The line below the title. */
  place: string;
  /** Tells screen readers what the page waits for. */
  loading: string;
  /** Tells screen readers what has come, once the page waits for nothing. */
  status?: string | undefined;
  /** The buttons beside the title. */
  tools: ComponentChildren;
  /** True once the item itself is shown. */
  isRead: boolean;
  /** True for a page of data, which takes the width and height of the editor. */
  fills?: boolean;
  children: ComponentChildren;
}

interface ItemFrameProps extends FrameProps {
  state: ItemState;
  host: Host<typeof itemCalls>;
}

export function ItemFrame({ state, host, tools, ...frame }: ItemFrameProps) {
  useEffect(() => save({ item: state.item }), []);
  const allTools = (
    <>
      {tools}
      <IconButton icon="refresh" label={l10n.t("Refresh")} press={host.refresh} />
    </>
  );
  return <PageFrame {...frame} title={state.title} state={state} host={host} tools={allTools} />;
}

interface PageFrameProps extends FrameProps {
  title: string;
  state: Pick<ItemState, "isLoading" | "notice">;
  /** Absent for a page without notices. */
  host?: Pick<Host<typeof itemCalls>, "runNoticeAction">;
}

export function PageFrame(props: PageFrameProps) {
  const { title, state, host, place, loading, status, tools, isRead, fills, children } = props;
  const main = useRef<HTMLElement>(null);
  useFocus(main);
  useScrollPosition(isRead);
  return (
    <main class={fills ? "page filling" : "page"} ref={main}>
      {state.isLoading && <div class="bar" />}
      <header class="page-head">
        <div class="titles">
          <h1>{title}</h1>
          <p class="place">{place}</p>
        </div>
        <div class="page-tools">{tools}</div>
      </header>
      {state.notice && host && <NoticeBox notice={state.notice} press={host.runNoticeAction} />}
      {children}
      <div class="visually-hidden" role="status">
        {state.isLoading ? loading : status}
      </div>
    </main>
  );
}

/**
 * Keeps the focus in the page: a webview that regains it has no focused element, and neither has a page whose focused
 * element is gone. The focus begins at the element with `data-first`, or at the last of the page's tools.
 */
export function useFocus(main: { current: HTMLElement | null }): void {
  const last = useRef<Element | null>(null);
  const restore = (): void => {
    if (document.activeElement !== document.body) return;
    const first = ["[data-first]", ".page-tools > :last-child"].map((selector) =>
      main.current?.querySelector(selector),
    );
    const element = last.current?.isConnected ? last.current : (first[0] ?? first[1]);
    if (element instanceof HTMLElement) element.focus({ preventScroll: true });
  };
  // Before the first restore, which is then known as the last focus: a page that draws on leaves the focus alone.
  useLayoutEffect(() => {
    document.addEventListener("focusin", ({ target }) => {
      if (target instanceof Element) last.current = target;
    });
    window.addEventListener("focus", restore);
  }, []);
  useLayoutEffect(() => {
    if (document.hasFocus() && !last.current?.isConnected) restore();
  });
}

/** Saves the scroll position, and returns to it once there is something to scroll. */
function useScrollPosition(isRead: boolean): void {
  useLayoutEffect(() => {
    if (!isRead) return undefined;
    const { scroll } = savedState();
    if (typeof scroll === "number") window.scrollTo({ top: scroll });
    const saveScroll = (): void => save({ scroll: window.scrollY });
    window.addEventListener("scroll", saveScroll, { passive: true });
    return () => window.removeEventListener("scroll", saveScroll);
  }, [isRead]);
}
