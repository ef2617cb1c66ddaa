// The chat page: each snapshot starts a new view of the conversation, events add to it.
import { handleLinks } from "../../shared/page/markdown.ts";
import { connectPage, type Page } from "../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../messages.ts";
import "./chat.css";
import { ChatView } from "./chatView.ts";

connectPage<ToHost, ToPage, PageState>((host): Page<ToPage> => {
  let view: ChatView | undefined;
  handleLinks((href) => host.post({ type: "openLink", href }));
  return {
    *show(message) {
      if (message.type === "begin") {
        view?.dispose();
        view = new ChatView(message, host);
        document.body.replaceChildren(view.element);
        view.start();
      } else if (view) {
        yield* view.show(message);
      }
    },
    shown: () => view?.shown(),
  };
});
