import type { Post, PostReply } from "../outbox.ts";
import { runInSlices } from "./timeSlicing.ts";

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The page's connection to its host. */
export interface Host<ToHost, State> {
  post(message: ToHost): void;
  readonly state: Partial<State>;
  save(change: Partial<State>): void;
}

/** The view of a page from one `begin` message to the next. */
export interface PageView<ToPage> {
  readonly element: HTMLElement;
  /** Called when the element is in the document. */
  start?(): void;
  /** Shows one message; each `yield` is a place to pause for user input. */
  show(message: ToPage): Iterable<void> | void;
  /** Called when all messages of a post are shown. */
  shown?(): void;
  /** Called when another view replaces this one. */
  dispose(): void;
}

type Begin<ToPage> = Extract<ToPage, { type: "begin" }>;

/**
 * Posts `ready` to the host and shows its messages one by one, in order. Each `begin` message starts a new view;
 * `previous` is the view that it replaces.
 */
export function startPage<
  ToHost,
  ToPage extends { type: string },
  State,
  View extends PageView<ToPage>,
>(
  createView: (begin: Begin<ToPage>, host: Host<ToHost, State>, previous: View | undefined) => View,
): Host<ToHost, State> {
  const vscode = acquireVsCodeApi();
  const reply = (message: PostReply): void => vscode.postMessage(message);
  let state = (vscode.getState() ?? {}) as Partial<State>;
  const host: Host<ToHost, State> = {
    post: (message) => vscode.postMessage(message),
    get state() {
      return state;
    },
    save: (change) => {
      state = { ...state, ...change };
      vscode.setState(state);
    },
  };

  let view: View | undefined;
  function begin(message: Begin<ToPage>): void {
    view?.dispose();
    view = createView(message, host, view);
    document.body.replaceChildren(view.element);
    view.start?.();
  }

  function* showPost(post: Post<ToPage>): Generator<void> {
    for (const message of post.messages) {
      if (message.type === "begin") begin(message as Begin<ToPage>);
      else yield* view?.show(message) ?? [];
      yield;
    }
    view?.shown?.();
  }

  /** The last post's number; undefined while waiting for a snapshot. */
  let last: number | undefined;
  let showing = Promise.resolve();
  window.addEventListener("message", ({ data: post }: MessageEvent<Post<ToPage>>) => {
    if (!post.snapshot && (last === undefined || post.post !== last + 1)) {
      if (last !== undefined) reply({ type: "ready" });
      last = undefined;
      return;
    }
    last = post.post;
    showing = showing.then(async () => {
      await runInSlices(showPost(post));
      reply({ type: "shown", post: post.post });
    });
  });
  reply({ type: "ready" });
  // By itself it loads with the first icon, whose place is empty until then.
  document.fonts.load("16px codicon").catch(() => undefined);
  return host;
}
