import { startPage } from "../../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../../formMessages.ts";
import "../../../shared/page/form/form.css";
import { FormView } from "./formView.ts";

startPage<ToHost, ToPage, PageState, FormView>((begin, host) => new FormView(begin, host));
