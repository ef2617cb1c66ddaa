import { startPage } from "../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../messages.ts";
import "./model.css";
import { ModelView } from "./modelView.ts";

startPage<ToHost, ToPage, PageState, ModelView>((begin, host) => new ModelView(begin, host));
