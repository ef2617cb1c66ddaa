import { startPage } from "../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../messages.ts";
import "../../shared/page/grid/gridPage.css";
import { ResultsView } from "./resultsView.ts";

startPage<ToHost, ToPage, PageState, ResultsView>((begin, host) => new ResultsView(begin, host));
