// The agent form's page: each `begin` is a new form, and what was made takes its place.
import { connectPage, type Page } from "../../../shared/page/vscodeApi.ts";
import type { FormTexts, PageState, ToHost, ToPage } from "../../formMessages.ts";
import { createdView } from "./createdView.ts";
import "./form.css";
import { FormView } from "./formView.ts";

connectPage<ToHost, ToPage, PageState>((host): Page<ToPage> => {
  let view: FormView | undefined;
  let texts: FormTexts | undefined;
  return {
    *show(message) {
      if (message.type === "begin") {
        // What was saved is shown where it was.
        const scroll = message.form.before ? view?.editedAt : undefined;
        view?.dispose();
        texts = message.texts;
        view = new FormView(message, host, scroll);
        document.body.replaceChildren(view.element);
      } else if (message.type === "created" && texts) {
        view?.dispose();
        view = undefined;
        host.save({ made: message.agent });
        const created = createdView(message.agent, texts, host);
        document.body.replaceChildren(created.element);
        created.focus();
      } else {
        view?.show(message);
      }
      yield;
    },
    shown: () => undefined,
  };
});
