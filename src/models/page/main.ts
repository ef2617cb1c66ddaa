// The model page: each snapshot starts a new view of the model.
import { connectPage, type Page } from "../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../messages.ts";
import "./model.css";
import { ModelView } from "./modelView.ts";

connectPage<ToHost, ToPage, PageState>((host): Page<ToPage> => {
  let view: ModelView | undefined;
  return {
    show(message) {
      if (message.type === "begin") {
        view?.dispose();
        view = new ModelView(message, host);
        document.body.replaceChildren(view.element);
      } else {
        view?.show(message);
      }
      // A description is small: nothing here needs to pause.
      return [];
    },
    shown: () => view?.shown(),
  };
});
