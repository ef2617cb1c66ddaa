// The page's end of a panel: VS Code's API object and the numbered posts.
import type { Post, PostReply } from "../outbox.ts";
import { runInSlices } from "./timeSlicing.ts";

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** What a page can do with its host. */
export interface Host<ToHost, State> {
  post(message: ToHost): void;
  /** The page's own state: it survives hiding and a reload of the window. */
  readonly state: Partial<State>;
  save(change: Partial<State>): void;
}

/** What a page does with what comes. */
export interface Page<ToPage> {
  /** Shows one message; each `yield` is a place where the page may pause to answer its user. */
  show(message: ToPage): Iterable<void>;
  /** All messages of a post are shown. */
  shown(): void;
}

/** Says `ready` and hands over what the host posts, message by message and in order. */
export function connectPage<ToHost, ToPage, State>(
  makePage: (host: Host<ToHost, State>) => Page<ToPage>,
): void {
  const vscode = acquireVsCodeApi();
  const reply = (message: PostReply): void => vscode.postMessage(message);
  let state = (vscode.getState() ?? {}) as Partial<State>;
  const page = makePage({
    post: (message) => vscode.postMessage(message),
    get state() {
      return state;
    },
    save: (change) => {
      state = { ...state, ...change };
      vscode.setState(state);
    },
  });

  function* work(post: Post<ToPage>): Generator<void> {
    for (const message of post.messages) {
      yield* page.show(message);
      yield;
    }
    page.shown();
  }

  /** The last post's number; undefined while a snapshot is asked for. */
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
      await runInSlices(work(post));
      reply({ type: "shown", post: post.post });
    });
  });
  reply({ type: "ready" });
}
