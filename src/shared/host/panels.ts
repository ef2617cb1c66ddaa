// Panels whose host posts messages to the page, and a snapshot of them to a new one.
import * as v from "valibot";
import { Outbox } from "../outbox.ts";
import {
  KeyedPanels,
  type ConnectedContent,
  type PanelOptions,
  type RestoredContent,
  type TabContent,
} from "./keyedPanels.ts";

export interface PanelContent<ToHost, ToPage> extends TabContent {
  /** Returns all messages that a new page needs. */
  snapshot(): ToPage[];
  /** Handles a validated message from the page. */
  receive(message: ToHost): void;
}

/** Posts a message to the page; dropped before the page is ready, because the snapshot contains it. */
export type PostToPage<ToPage> = (message: ToPage) => void;

export type Create<ToPage, Content> = (post: PostToPage<ToPage>) => Content;
export type RestoredPanel<ToPage, Content> = RestoredContent<Create<ToPage, Content>>;

export interface PanelKind<ToHost, ToPage, Content> extends PanelOptions<Create<ToPage, Content>> {
  /** Schema of the page's messages; anything else is dropped and logged. */
  incoming: v.GenericSchema<unknown, ToHost>;
  /** Returns a message's length in characters; a post has about a million. */
  measureLength?: (message: ToPage) => number;
}

const postReply = v.variant("type", [
  v.object({ type: v.literal("ready") }),
  v.object({ type: v.literal("shown"), post: v.number() }),
]);

export class Panels<
  ToHost,
  ToPage,
  Content extends PanelContent<ToHost, ToPage>,
> extends KeyedPanels<Content, Create<ToPage, Content>> {
  readonly #kind: PanelKind<ToHost, ToPage, Content>;

  constructor(kind: PanelKind<ToHost, ToPage, Content>) {
    super(kind);
    this.#kind = kind;
  }

  protected override createContent(
    create: Create<ToPage, Content>,
    post: (message: object) => void,
  ): ConnectedContent<Content> {
    const outbox = new Outbox<ToPage>(post, this.#kind.measureLength);
    const content = create((message) => outbox.post(message));
    return {
      content,
      receive: (message) => this.#receive(message, outbox, content),
      disconnect: () => outbox.close(),
    };
  }

  #receive(message: unknown, outbox: Outbox<ToPage>, content: Content): void {
    const reply = v.safeParse(postReply, message);
    if (reply.success) {
      if (reply.output.type === "ready") outbox.ready(content.snapshot());
      else outbox.shown(reply.output.post);
      return;
    }
    const checked = v.safeParse(this.#kind.incoming, message);
    if (checked.success) {
      content.receive(checked.output);
      return;
    }
    // Where it is wrong, and never what it holds.
    const places = checked.issues.map((issue) => v.getDotPath(issue) ?? "the message itself");
    const { viewType, log } = this.#kind;
    log.info(`Dropped an invalid message of ${viewType}'s page (${places.join(", ")})`);
  }
}
