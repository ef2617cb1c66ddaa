import { startPage } from "../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../messages.ts";
import "../../shared/page/grid/gridPage.css";
import { TableView } from "./tableView.ts";

startPage<ToHost, ToPage, PageState, TableView>((begin, host) => new TableView(begin, host));
