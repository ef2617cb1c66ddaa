// The knowledge base page: each snapshot starts a new view of it.
import { connectPage, type Page } from "../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../messages.ts";
import "./knowledgeBase.css";
import { KnowledgeBaseView } from "./knowledgeBaseView.ts";

connectPage<ToHost, ToPage, PageState>((host): Page<ToPage> => {
  let view: KnowledgeBaseView | undefined;
  return {
    show(message) {
      if (message.type === "begin") {
        view?.dispose();
        view = new KnowledgeBaseView(message, host);
        document.body.replaceChildren(view.element);
        view.start();
      } else {
        view?.show(message);
      }
      // A result has a hundred chunks at most: nothing here needs to pause.
      return [];
    },
    shown: () => view?.shown(),
  };
});
