import { startPage } from "../../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../../documentsMessages.ts";
import "./documents.css";
import { DocumentsView } from "./documentsView.ts";

startPage<ToHost, ToPage, PageState, DocumentsView>(
  (begin, host) => new DocumentsView(begin, host),
);
