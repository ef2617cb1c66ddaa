import { startPage } from "../../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../../fillMessages.ts";
import "./fill.css";
import { FillView } from "./fillView.ts";

startPage<ToHost, ToPage, PageState, FillView>((begin, host) => new FillView(begin, host));
