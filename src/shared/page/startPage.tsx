// Shows the host's state in a page, and calls the host.
import * as l10n from "@vscode/l10n";
import { options, render, type ComponentType, type VNode } from "preact";
import { cutOff } from "../../mindsdb/cutText.ts";
import type { Calls, Host, ItemsPost, ToPage } from "../pageProtocol.ts";
import { formatNumber } from "./l10n.ts";
import { post } from "./webview.ts";

/** Characters of one text that a page shows: laying out a server's text of millions takes up to a minute. */
const maxText = 200_000;

/** Items of one list or table that a page shows: a server can send 100,000. Choices of a form are all there. */
const maxItems = 2_000;

/** The last item of a cut list, by the element of the list. */
const lastItems: Record<string, (text: string) => VNode> = {
  tbody: (text) => (
    <tr>
      <td>{text}</td>
    </tr>
  ),
  dl: (text) => (
    <div>
      <dt>{text}</dt>
    </div>
  ),
  ul: (text) => <li>{text}</li>,
  ol: (text) => <li>{text}</li>,
  main: (text) => <p>{text}</p>,
  section: (text) => <p>{text}</p>,
};

options.vnode = (node: { type: unknown; props: unknown }) => {
  const { type, props } = node;
  if (typeof props === "string") node.props = cutOff(props, maxText);
  const createLast = typeof type === "string" ? lastItems[type] : undefined;
  if (createLast) cutItems(props as { children?: unknown }, createLast);
};

function cutItems(props: { children?: unknown }, createLast: (text: string) => VNode): void {
  const cut = (list: unknown[]): unknown[] => {
    const shown = list.slice(0, maxItems).map((item) => (Array.isArray(item) ? cut(item) : item));
    const left = list.length - shown.length;
    return left > 0 ? [...shown, createLast(l10n.t("and {0} more", formatNumber(left)))] : shown;
  };
  if (Array.isArray(props.children)) props.children = cut(props.children);
}

export interface PageProps<State, All extends Calls> {
  state: State;
  host: Host<All>;
}

/** Of a page with a channel. */
export interface ChannelPageProps<State, All extends Calls, Item> extends PageProps<State, All> {
  /** Shows what comes in the page's channel from now on, one post after the other. */
  receiveItems: (show: ShowItems<Item>) => void;
}

type ShowItems<Item> = (post: ItemsPost<Item>) => Promise<void>;

interface Answer {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
}

export function startPage<State extends object, All extends Calls, Item = never>(
  View: ComponentType<ChannelPageProps<State, All, Item>>,
): void {
  const awaited = new Map<number, Answer>();
  let calls = 0;
  const host = new Proxy({} as Host<All>, {
    get:
      (_, name) =>
      (...given: unknown[]) =>
        new Promise((resolve, reject) => {
          awaited.set(++calls, { resolve, reject });
          post({ type: "call", id: calls, name: String(name), given });
        }),
  });

  function showAnswer(message: Extract<ToPage<State>, { type: "answer" }>): void {
    const { id, answer, hasFailed } = message;
    if (hasFailed) awaited.get(id)?.reject(new Error("The call failed"));
    else awaited.get(id)?.resolve(answer);
    awaited.delete(id);
  }

  let showItems: ShowItems<Item> | undefined;
  let haveItemsBegun = false;
  let showing = Promise.resolve();
  function addItems(message: ItemsPost<Item>): void {
    haveItemsBegun ||= message.isFirst;
    // Items for a page that this one replaces.
    if (!haveItemsBegun) return;
    showing = showing.then(() => showItems?.(message)).finally(() => post({ type: "itemsShown" }));
  }

  /** Undefined until the whole state has come. */
  let state: State | undefined;
  const receiveItems = (show: ShowItems<Item>): void => void (showItems = show);
  window.addEventListener("message", ({ data }: MessageEvent<ToPage<State, Item>>) => {
    if (data.type === "answer") {
      showAnswer(data);
      return;
    }
    if (data.type === "items") {
      addItems(data);
      return;
    }
    // Changes for a page that this one replaces.
    if (!state && !data.isWhole) return;
    const removed = data.removed.map((key) => [key, undefined]);
    state = { ...state, ...data.changes, ...Object.fromEntries(removed) } as State;
    try {
      render(<View state={state} host={host} receiveItems={receiveItems} />, document.body);
    } finally {
      post({ type: "shown" });
    }
  });
  post({ type: "ready" });
  // By itself it loads with the first icon, whose place is empty until then.
  document.fonts.load("16px codicon").catch(() => undefined);
}
