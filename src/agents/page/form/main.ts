import { startPage } from "../../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../../formMessages.ts";
import "./form.css";
import { FormView } from "./formView.ts";

startPage<ToHost, ToPage, PageState, FormView>((begin, host, previous) => {
  // A form that was saved goes on where it was scrolled to.
  const scroll = begin.form.before ? previous?.editedAt : undefined;
  return new FormView(begin, host, scroll);
});
