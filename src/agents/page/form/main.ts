import { startPage } from "../../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../../formMessages.ts";
import "../../../shared/page/form/form.css";
import { FormView } from "./formView.ts";

startPage<ToHost, ToPage, PageState, FormView>((begin, host, previous) => {
  // Restores the scroll position of a saved form.
  const scroll = begin.form.before ? previous?.editedAt : undefined;
  return new FormView(begin, host, scroll);
});
